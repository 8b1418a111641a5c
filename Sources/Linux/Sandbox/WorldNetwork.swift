// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
internal import Netlink
package import Wire

/// The world's side of the simulator's link, and the hosts in this namespace.
package struct WorldNetwork: Hashable, Sendable {
    package var interface: String
    /// In octets. Less than 1280 is for IPv4 only: the kernel disables IPv6 on such a link (RFC 8200 §5).
    package var mtu: Int
    /// The router's own addresses, to which this process can bind. The IPv4 ones are on the link, as packets from them arrive there.
    package var routerIPv4: [IPv4Address]
    package var routerIPv6: [IPv6Address]
    /// Networks behind the simulator: those of the client and the NAT64's pool.
    package var routesIPv4: [IPv4Prefix]
    package var routesIPv6: [IPv6Prefix]
    /// Whether the interface is deleted with its descriptor, as it must be in a namespace that is not ours alone.
    package var isPassing = false
    /// Addresses of the world's hosts.
    package var hostIPv4: [IPv4Address]
    package var hostIPv6: [IPv6Address]

    package init(
        interface: String = "nat64", mtu: Int = 1500, routerIPv4: [IPv4Address] = [], routerIPv6: [IPv6Address] = [],
        routesIPv4: [IPv4Prefix] = [], routesIPv6: [IPv6Prefix] = [], hostIPv4: [IPv4Address] = [],
        hostIPv6: [IPv6Address] = []
    ) {
        self.interface = interface
        self.mtu = mtu
        self.routerIPv4 = routerIPv4
        self.routerIPv6 = routerIPv6
        self.routesIPv4 = routesIPv4
        self.routesIPv6 = routesIPv6
        self.hostIPv4 = hostIPv4
        self.hostIPv6 = hostIPv6
    }

    private static let sourceCheckOfAllLinks = "/proc/sys/net/ipv4/conf/all/rp_filter"

    /// Makes the link, the addresses and the routes in the network namespace of the calling thread: one of our own
    /// (`WorldNamespace`), unless the interface is a passing one.
    package func make() throws(SandboxError) -> LinkDevice {
        let device = try LinkDevice.make(interface, isPassing: isPassing)
        do throws(NetlinkError) {
            let routeSocket = try RouteSocket()
            let link = try routeSocket.link(named: interface).index
            // The router's address belongs to this host, as its DNS server is here. Hosts must still accept its ICMP errors, and those of
            // routers on the path, whose routes are on the first link only.
            try routeSocket.change(
                link,
                LinkChange(
                    isUp: true, mtu: max(mtu, IPv6Header.minimumMTU), generatesLinkLocalAddress: false,
                    acceptsOwnSources: isPassing ? nil : true, checksSources: isPassing ? nil : false))
            // A new namespace has the machine's own rp_filter for all links: 2 on Ubuntu. It stays if /proc/sys is mounted read-only. The
            // kernel then drops all packets from unexpected sources that arrive by a link without an address, and with 2 accepts all of
            // those by a link with an address: so the router's address is on the link.
            if !isPassing { try? SystemControl.write("0", to: Self.sourceCheckOfAllLinks) }
            for address in routerIPv4 { try routeSocket.add(address, prefixLength: 32, to: link) }
            try routeSocket.waitUntilRunning(interface)
            // A host's address on the loopback is reachable from any interface, and needs no link of its own.
            for address in hostIPv4 { try routeSocket.add(address, prefixLength: 32, to: .loopback) }
            for address in routerIPv6 + hostIPv6 { try routeSocket.add(address, prefixLength: 128, to: .loopback) }
            let ipv4MTU = mtu < IPv6Header.minimumMTU ? mtu : nil
            for prefix in routesIPv4 { try routeSocket.add(Route(to: .ipv4(prefix), link: link, mtu: ipv4MTU)) }
            for prefix in routesIPv6 { try routeSocket.add(Route(to: .ipv6(prefix), link: link)) }
            try routeSocket.waitUntilLocal(routerIPv6 + hostIPv6)
        } catch {
            throw SandboxObstacle.network(error)
        }
        return device
    }
}
