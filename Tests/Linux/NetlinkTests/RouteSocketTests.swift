// SPDX-License-Identifier: Apache-2.0
import CNetlink
import Glibc
import LinuxNet
import Netlink
import TestSupport
import Testing
import Wire

@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
struct `A route socket` {
    static let address4 = IPv4Address(192, 0, 2, 1)
    static let address6 = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)

    /// The lines of a file about the calling thread's network.
    static func lines(_ name: String) -> [String] {
        readLines("/proc/thread-self/net/\(name)")
    }

    @Test func `finds a link by its name`() throws {
        try OwnNetwork.run {
            let socket = try RouteSocket()
            let loopback = try socket.link(named: "lo")
            #expect(loopback.index == .loopback)
            #expect(!loopback.isUp)
            #expect(loopback.mtu == 65_536)
            let error = #expect(throws: NetlinkError.self) { _ = try socket.link(named: "nothing0") }
            #expect(error?.isMissing == true)
            #expect(error?.description.hasPrefix("cannot find link nothing0: ") == true)
        }
    }

    @Test func `brings a link up and down and sets its MTU`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            let socket = try RouteSocket()
            let index = try socket.link(named: tun.name).index
            try socket.change(index, LinkChange(isUp: true, mtu: 1400))
            var link = try socket.link(named: tun.name)
            #expect(link.isUp)
            #expect(link.mtu == 1400)
            try socket.change(index, LinkChange(isUp: false))
            link = try socket.link(named: tun.name)
            #expect(!link.isUp)
            #expect(link.mtu == 1400)
            try socket.change(index, LinkChange())
            #expect(throws: NetlinkError.self) { try socket.change(index, LinkChange(mtu: 1_000_000)) }
        }
    }

    @Test(arguments: [true, false])
    func `decides whether a link gets a link-local address`(generates: Bool) throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            let socket = try RouteSocket()
            let index = try socket.link(named: tun.name).index
            try socket.change(index, LinkChange(isUp: true, generatesLinkLocalAddress: generates))
            #expect(Self.lines("if_inet6").contains { $0.hasPrefix("fe80") && $0.hasSuffix("test0") } == generates)
        }
    }

    @Test func `adds addresses that can be used at once`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            let socket = try RouteSocket()
            let index = try socket.link(named: tun.name).index
            try socket.change(index, LinkChange(isUp: true, generatesLinkLocalAddress: false))
            try socket.add(Self.address4, prefixLength: 24, to: index)
            try socket.add(Self.address6, prefixLength: 64, to: index)
            // Address, index, prefix length, scope, flags (2 is IFA_F_NODAD; 40 would be tentative) and name.
            let line = try #require(Self.lines("if_inet6").first { $0.hasPrefix("20010db8") })
            #expect(line.split(separator: " ").dropFirst(2) == ["40", "00", "82", "test0"])
            _ = try DatagramSocket(bindingTo: SocketAddress(Self.address4, port: 53))
            _ = try DatagramSocket(bindingTo: SocketAddress(Self.address6, port: 53))

            let error = #expect(throws: NetlinkError.self) {
                try socket.add(Self.address4, prefixLength: 24, to: index)
            }
            #expect(error?.code == NLE_EXIST)
            #expect(error?.subject == "192.0.2.1/24")
        }
    }

    @Test func `adds and removes routes`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            let socket = try RouteSocket()
            let index = try socket.link(named: tun.name).index
            try socket.change(index, LinkChange(isUp: true, generatesLinkLocalAddress: false))
            try socket.add(Self.address4, prefixLength: 24, to: index)
            try socket.add(Self.address6, prefixLength: 64, to: index)
            let gateway6 = IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, 2)
            try socket.change(.loopback, LinkChange(isUp: true))
            let routes = [
                Route(to: .allIPv4, via: .ipv4(IPv4Address(192, 0, 2, 2)), link: index),
                Route(to: .allIPv6, via: .ipv6(gateway6), link: index),
                Route(to: .ipv6(IPv6Prefix("64:ff9b::/96")!), link: index, mtu: 1280),
                Route(to: .ipv4(IPv4Prefix("198.51.100.0/24")!), link: index),
                Route(to: .ipv6(IPv6Prefix("2001:db8:1::/64")!), kind: .local, link: .loopback),
            ]
            for route in routes { try socket.add(route) }

            // Destination 0, gateway 192.0.2.2 (in network order, printed as a host's number).
            #expect(Self.lines("route").contains { $0.hasPrefix("test0\t00000000\t020200C0") })
            #expect(Self.lines("route").contains { $0.hasPrefix("test0\t006433C6\t00000000") })
            let six = Self.lines("ipv6_route")
            #expect(six.contains { $0.contains("20010db8000000000000000000000002") && $0.hasSuffix("test0") })
            #expect(six.contains { $0.hasPrefix("0064ff9b000000000000000000000000 60") && $0.hasSuffix("test0") })
            #expect(six.contains { $0.hasPrefix("20010db8000100000000000000000000 40") && $0.hasSuffix("lo") })

            #expect(throws: NetlinkError.self) { try socket.add(routes[2]) }
            for route in routes { try socket.remove(route) }
            #expect(!Self.lines("ipv6_route").contains { $0.hasPrefix("0064ff9b") })
            let error = #expect(throws: NetlinkError.self) { try socket.remove(routes[2]) }
            #expect(error?.description.hasPrefix("cannot remove the route 64:ff9b::/96 dev #") == true)
        }
    }

    @Test func `knows when an address has come into use`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            let socket = try RouteSocket()
            let index = try socket.link(named: tun.name).index
            try socket.change(index, LinkChange(isUp: true))
            try socket.add(Self.address6, prefixLength: 64, to: index)
            try socket.waitUntilLocal([Self.address6])
            #expect(Self.lines("ipv6_route").contains { $0.hasPrefix("20010db8000000000000000000000001 80") })
            let error = #expect(throws: NetlinkError.self) { try socket.waitUntilLocal([.loopback]) }
            #expect(error?.subject == "::1")
        }
    }

    @Test func `says that a gateway cannot be reached`() throws {
        try OwnNetwork.run {
            let tun = try TUNDevice.create(name: "test0")
            let socket = try RouteSocket()
            let index = try socket.link(named: tun.name).index
            try socket.change(index, LinkChange(isUp: true))
            let error = #expect(throws: NetlinkError.self) {
                try socket.add(Route(to: .allIPv4, via: .ipv4(IPv4Address(203, 0, 113, 1)), link: index))
            }
            #expect(error?.errno == Errno(ENETUNREACH))
        }
    }
}
