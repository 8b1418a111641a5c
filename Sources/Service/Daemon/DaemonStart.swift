// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
package import Topology
package import Translation
import Uplink
package import Wire

/// What a daemon has made on the host, for who starts it.
package struct DaemonStart: Sendable {
    /// A gateway's part.
    package struct Gateway: Sendable {
        package let plan: GatewayPlan
        /// By which the clients' packets come.
        package let interface: String
        /// The DNS64's.
        package let resolver: IPv6Address
        package let prefixes: [Pref64]
        /// The interfaces behind which the clients are.
        package let clientInterfaces: [String]
        /// The settings of the host that were changed, as `br0/force_forwarding=1`.
        package let changes: [String]
        /// Tables of the host that drop what they do not know, as `ip6 filter`.
        package let droppingTables: [String]
        /// Whether what an engine masquerades comes with its clients' sources all the same.
        package let keepsSources: Bool
        /// By which packets leave as IPv4; `nil` in a world of its own.
        package let uplinkInterface: String?
    }

    /// A LAN's.
    package struct LAN: Sendable {
        package let plan: LANPlan
        /// The router's address on it.
        package let router: EthernetAddress
        /// The DNS64's.
        package let resolver: IPv6Address
        package let prefixes: [Pref64]
        package let places: Int
        /// Of which devices have prefixes.
        package let devices: IPv6Prefix
        /// Whether the host forwards, and would for a device that knows how; and why it hears devices at all, `nil` if it does not.
        package let isHostForwarding: Bool
        package let reasonForHearing: String?
        package let hasUplink: Bool
    }

    /// `nil` if it is none.
    package let gateway: Gateway?
    /// `nil` if there is none.
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
