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

    /// `nil` if it is none.
    package let gateway: Gateway?

    init(_ configuration: DaemonConfiguration, _ link: borrowing GatewayLink?, _ uplink: HostUplink?) {
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
