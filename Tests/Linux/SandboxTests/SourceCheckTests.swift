// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Netlink
import TestPackets
import TestSupport
import Testing
import Wire

@testable import Sandbox

/// A new network namespace has the machine's own rp_filter: 2 on Ubuntu.
@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
struct `Where the kernel checks sources` {
    private static let router = IPv4Address(192, 0, 2, 1)
    private static let routerOnTheWay = IPv4Address(198, 51, 100, 101)
    private static let host = IPv4Address(198, 51, 100, 10)

    private static func check(_ mode: Int, of setting: String) throws {
        try SystemControl.write("\(mode)", to: "/proc/sys/net/ipv4/conf/\(setting)/rp_filter")
    }

    /// - Parameter stays: whether the setting for all links cannot be changed: /proc/sys is mounted read-only in most containers.
    @Test(arguments: [(mode: 1, stays: false), (2, false), (2, true)])
    func `hosts hear the router, and those on the way, by each link`(mode: Int, stays: Bool) throws {
        try OwnNetwork.run {
            for setting in ["all", "default"] { try Self.check(mode, of: setting) }
            try RouteSocket().change(.loopback, LinkChange(isUp: true))
            let first = try WorldNetwork(
                routerIPv4: [Self.router], routesIPv4: [IPv4Prefix(Self.routerOnTheWay, length: 32)!],
                hostIPv4: [Self.host]
            ).make()
            let second = try WorldNetwork(interface: "nat64-1", routerIPv4: [Self.router]).make()
            if stays { try Self.check(mode, of: "all") }
            let socket = try DatagramSocket(bindingTo: SocketAddress(Self.host, port: 4000))
            for source in [Self.router, Self.routerOnTheWay] {
                #expect(try Self.hears(source, by: first, at: socket))
                #expect(try Self.hears(source, by: second, at: socket))
            }
        }
    }

    private static func hears(
        _ source: IPv4Address, by link: borrowing LinkDevice, at socket: borrowing DatagramSocket
    ) throws -> Bool {
        var packet = PacketBuffer(IPv4Datagram(source: source, destination: host).packet(.udp(5000, 4000)))
        guard link.write(&packet) == .written else { return false }
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .readable, token: 0)
        _ = epoll.wait(until: MonotonicClock.now() + .seconds(2))
        var batch = DatagramBatch(datagramCapacity: 64)
        return socket.receive(into: &batch) == .received(1) && batch.peer(0) == SocketAddress(source, port: 5000)
    }
}
