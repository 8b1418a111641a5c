// SPDX-License-Identifier: Apache-2.0
import CLinux
import Evidence
import LinuxNet
import NAT64
import Netlink
import Router
import Synchronization
import TestSupport
import Testing
import Translation
import Wire

@testable import RouterThread

/// The end of a packet path, with a real link, in a network namespace of the test's own.
@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
struct `A packet path that ends` {
    /// The queue of a TUN holds 500 packets; the path takes 64 of them at a time.
    private static let datagrams = 300
    private static let payload = [UInt8](repeating: 7, count: 10)
    private static let router = IPv6Address("2e00:2:0:1::1")!
    private static let host = IPv4Address(198, 51, 100, 7)

    @Test func `has seen what the client sent before`() throws {
        try OwnNetwork.run {
            let tun = try ClientTUN.make()
            let world = WorldLink(
                .tun(try TUNDevice.create(name: "world0")), interface: 2,
                reach: Reach(ipv4Hosts: [Self.host], ipv6Hosts: []),
                destinations: nil)
            var configuration = RouterConfiguration(
                .none, errors: ErrorPolicy(ipv6Source: Self.router, ipv4Source: IPv4Address(192, 0, 2, 1)))
            configuration.recordsFlows = true
            let path = try RouterThread(configuration, client: .tun(tun), world: world)
            try Self.send()

            // The thread finds that it is to stop when it first has its turn.
            try path.start()
            let seen = try #require(path.stop())
            #expect(seen.flows.map(\.bytesSent) == [UInt64(Self.datagrams * Self.payload.count)])
        }
    }

    private static func send() throws {
        let socket = try DatagramSocket(bindingTo: SocketAddress(ClientTUN.address, port: 0))
        let peer = SocketAddress(IPv6Address("64:ff9b::c633:6407")!, port: 9)
        var batch = DatagramBatch(datagramCapacity: payload.count)
        for _ in 0..<datagrams {
            batch.removeAll()
            _ = batch.append(payload.span, to: peer)
            let sent = socket.send(batch)
            #expect(sent == 1)
        }
    }
}
