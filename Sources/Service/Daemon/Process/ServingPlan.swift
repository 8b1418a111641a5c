// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import LinuxNet
import Topology
import Uplink
import Wire

/// The data that the simulator's process of a daemon inherits in memory.
struct ServingPlan: Sendable {
    let configuration: DaemonConfiguration
    /// Reads the configuration again; `nil` if it comes from no file.
    let configuring: Daemon.Configuring?
    let uplink: UplinkNetwork?
    /// The users that may attach.
    let admission: AttachAdmission
    /// The daemon's process and user, which the simulator's process may not look up, and which may differ from its own.
    let owner: UnixPeer
    /// Formats the query log, if it is written anywhere.
    let queryText: Daemon.QueryText?
    /// The program's version, for the status.
    let version: String
    /// The addresses of the host whose gateway this is; empty if it is no gateway.
    let hostAddresses: Set<IPAddress>

    /// The router's address on a LAN; `nil` if there is none.
    let router: EthernetAddress?

    /// The properties of all clients' links, with the addresses that are free on the host's network.
    var links: LinkPlan { uplink.map { configuration.links.on($0.link) } ?? configuration.links }
}
