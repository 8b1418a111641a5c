// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
package import Topology
package import Translation
import Uplink
package import Wire

/// The daemon's changes to the host, for the caller that starts it.
package struct DaemonStart: Sendable {
    /// The part of a gateway.
    package struct Gateway: Sendable {
        package let plan: GatewayPlan
        /// The interface by which the clients' packets come.
        package let interface: String
        /// The address of the DNS64.
        package let resolver: IPv6Address
        package let prefixes: [Pref64]
        /// The interfaces behind which the clients are.
        package let clientInterfaces: [String]
        /// The settings of the host that were changed, such as `br0/force_forwarding=1`.
        package let changes: [String]
        /// Tables of the host that drop unknown packets, such as `ip6 filter`.
        package let droppingTables: [String]
        /// Whether packets keep their clients' sources even if a container engine masquerades them.
        package let keepsSources: Bool
        /// The interface by which packets leave as IPv4; `nil` in a world of its own.
        package let uplinkInterface: String?
    }

    /// The part of a LAN.
    package struct LAN: Sendable {
        package let plan: LANPlan
        /// The router's address on the LAN.
        package let router: EthernetAddress
        /// The address of the DNS64.
        package let resolver: IPv6Address
        package let prefixes: [Pref64]
        package let places: Int
        /// The prefix from which devices have theirs.
        package let devices: IPv6Prefix
        /// Whether the host forwards, so that it would forward what a device sends to the host's own address; and the reason why the
        /// host hears devices at all, `nil` if it does not.
        package let isHostForwarding: Bool
        package let reasonForHearing: String?
        package let hasUplink: Bool
    }

    /// `nil` if the daemon is no gateway.
    package let gateway: Gateway?
    /// `nil` if there is no LAN.
    package let lan: LAN?

    init(
        _ configuration: DaemonConfiguration, _ link: borrowing GatewayLink?, _ lanLink: borrowing LANLink?,
        _ uplink: HostUplink?
    ) {
        switch lanLink {
        case .some(let link):
            let clients = uplink?.network.link ?? configuration.clients.prefix
            lan = configuration.lan.map { plan in
                LAN(
                    plan: plan, router: link.own, resolver: clients.router,
                    prefixes: configuration.world.translatedPrefixes, places: configuration.clients.limit,
                    devices: clients.devices, isHostForwarding: link.isForwarding,
                    reasonForHearing: link.reasonForHearing, hasUplink: uplink != nil)
            }
        case nil: lan = nil
        }
        guard let plan = configuration.gateway else {
            gateway = nil
            return
        }
        switch link {
        case .some(let link):
            gateway = Gateway(
                plan: plan, interface: link.name, resolver: uplink?.network.link.router ?? plan.link.router,
                prefixes: configuration.world.translatedPrefixes, clientInterfaces: link.clientInterfaces,
                changes: link.changes, droppingTables: link.droppingTables,
                keepsSources: link.keepsSources,
                uplinkInterface: uplink.map { $0.network.linkPrefix + "0" })
        case nil: gateway = nil
        }
    }
}
