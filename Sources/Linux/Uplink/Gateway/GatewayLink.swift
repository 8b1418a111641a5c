// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import LinuxNet
internal import Netlink
internal import Sandbox
package import Topology
package import Wire

/// The link by which packets from an external network reach the gateway: an interface on the host, and routes to the networks behind it.
/// It has no address.
///
/// To be made in the host's network, while the process has one thread. All of it is removed when this process ends for any reason.
package struct GatewayLink: ~Copyable {
    // In the order in which they are removed.
    private let forwarding: HostForwarding
    private var device: LinkDevice?
    /// The interface's name.
    package let name: String
    /// The interfaces towards the clients, as far as the host has routes to them.
    package let clientInterfaces: [String]
    /// The host's own addresses at the start.
    package let hostAddresses: Set<IPAddress>
    /// The host's settings that were changed, such as `br0/force_forwarding=1`.
    package var changes: [String] { forwarding.changes }

    /// Other tables of the host that drop unknown packets, such as `ip6 filter`.
    package var droppingTables: [String] { forwarding.droppingTables }

    /// Whether packets that an engine masquerades still arrive with their clients' source addresses.
    package var keepsSources: Bool { forwarding.keepsSources }

    /// Takes the device, for the reader of the packets.
    package mutating func takeDevice() -> LinkDevice? { device.take() }

    /// Maximum number of gateways on a host.
    private static let limit = 64

    /// - Parameters:
    ///   - routes: the networks behind the interface.
    ///   - protectsRoutes: whether forwarding may be switched on if that requires a change of `accept_ra`.
    package init(
        _ plan: GatewayPlan, routes: [IPv6Prefix], mtu: Int, protectsRoutes: Bool
    ) throws(UplinkError) {
        let lock = try StartLock()
        let clients = try Self.interfaces(towards: plan.clients)
        let own = try HostAddresses.own()
        let made = try Self.make()
        let name = made.name
        try Self.configure(name, routes, mtu)
        let forwarding = try HostForwarding(
            keeping: made.device.descriptor, named: name, and: clients, protectsRoutes ? .protecting : .careful)
        self.forwarding = forwarding
        clientInterfaces = clients
        hostAddresses = own
        self.name = name
        device = made.release()
        _ = consume lock
    }

    /// The interfaces towards the clients.
    private static func interfaces(towards clients: [IPv6Prefix]) throws(UplinkError) -> [String] {
        var names: [String] = []
        for prefix in clients {
            guard let name = try interface(towards: prefix) else { throw .noWay(prefix) }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func interface(towards prefix: IPv6Prefix) throws(UplinkError) -> String? {
        // Not the first address: a forwarding host has that itself on each link (RFC 4291 §2.6.1).
        let address = IPv6Address(bits: prefix.address.bits | (prefix.length < 127 ? 2 : 0))
        do throws(NetlinkError) {
            return try RouteSocket().interface(towards: .ipv6(address))
        } catch {
            throw .network("\(error)")
        }
    }

    private struct Made: ~Copyable {
        let name: String
        let device: LinkDevice

        consuming func release() -> LinkDevice { device }
    }

    private static func make() throws(UplinkError) -> Made {
        for number in 1...limit {
            let name = number == 1 ? "nat64simgw" : "nat64simgw\(number)"
            if InterfaceBinding.index(of: name) != nil { continue }
            do throws(SandboxError) {
                return Made(name: name, device: try LinkDevice.make(name, isPassing: true))
            } catch {
                throw .sandbox(error)
            }
        }
        throw .busy
    }

    private static func configure(_ name: String, _ routes: [IPv6Prefix], _ mtu: Int) throws(UplinkError) {
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: name).index
            try routeSocket.change(
                link, LinkChange(isUp: true, mtu: max(mtu, IPv6Header.minimumMTU), generatesLinkLocalAddress: false))
            for prefix in routes { try routeSocket.add(Route(to: .ipv6(prefix), link: link)) }
        } catch {
            throw error.isForWhatIsThere ? .taken(error.subject) : .network("\(error)")
        }
    }
}
