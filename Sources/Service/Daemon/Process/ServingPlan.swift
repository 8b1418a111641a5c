// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import LinuxNet
import Topology
import Uplink
import Wire

/// What the simulator's process of a daemon has from it in memory.
struct ServingPlan: Sendable {
    let configuration: DaemonConfiguration
    /// Reads the configuration again; `nil` if it is of no file.
    let configuring: Daemon.Configuring?
    let uplink: UplinkNetwork?
    /// Who may attach.
    let admission: AttachAdmission
    /// The daemon's process and user, which the simulator's process may not look up, and which may not be its own.
    let owner: UnixPeer
    /// The log of the queries as text, where it is written.
    let queryText: Daemon.QueryText?
    /// The program's, for status.
    let version: String
    /// Of the host whose gateway this is; empty if it is none's.
    let hostAddresses: Set<IPAddress>

    /// The router's address on a LAN; `nil` if there is none.
    let router: EthernetAddress?

    /// What all clients' links are like, with the addresses that are free on the host's network.
    var links: LinkPlan { uplink.map { configuration.links.on($0.link) } ?? configuration.links }
}
