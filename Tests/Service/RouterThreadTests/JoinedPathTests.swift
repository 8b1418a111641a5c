// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import LinuxNet
import NAT64
import Netlink
import Router
import TestSupport
import Testing
import Translation
import Wire

@testable import RouterThread

/// Trains of datagrams over real links: the kernel takes what was joined, and a receiver without UDP_GRO gets the datagrams that were sent.
@Suite(.enabled(if: OwnNetwork.isPossible, "needs CAP_SYS_ADMIN for a network namespace, and /dev/net/tun"))
struct `Datagrams that follow each other` {
    private static let router = IPv6Address("2e00:2:0:1::1")!
    private static let host = IPv4Address(198, 51, 100, 7)
    private static let pool = IPv4Address(192, 0, 2, 64)
    private static let synthesised = SocketAddress(IPv6Address("64:ff9b::c633:6407")!, port: 9)

    /// In runs of one size, with shorter, longer and empty ones between them. Each says which one it is.
    private static let datagrams: [[UInt8]] = (0..<96).map { index in
        let sizes = [64, 64, 64, 64, 64, 20, 64, 1400, 1400, 0, 1400, 64]
        return (0..<sizes[index / 8 % sizes.count]).map { UInt8(truncatingIfNeeded: index &+ $0) }
    }

    @Test func `arrive as they were sent, in fewer packets`() throws {
        try OwnNetwork.run {
            let world = try Self.worldLink()
            let path = try RouterThread(Self.configuration, client: .tun(ClientTUN.make()), world: world)
            let sender = try DatagramSocket(bindingTo: SocketAddress(ClientTUN.address, port: 0))
            let receiver = try DatagramSocket(bindingTo: SocketAddress(Self.host, port: 9))
            Self.send(Self.datagrams, from: sender, to: Self.synthesised)

            // All are in the queue of the link before the path first has its turn.
            try path.start()
            let there = try Self.receive(Self.datagrams.count, at: receiver)
            #expect(there.map(\.payload) == Self.datagrams)
            let mapped = try #require(there.first?.peer)
            #expect(there.allSatisfy { $0.peer == mapped } && mapped.host == .ipv4(Self.pool))
            if world.device.hasUDPSegmentation {
                #expect(try Self.packetsReceived(by: "world0") < Self.datagrams.count / 2)
            }

            Self.send(Self.datagrams, from: receiver, to: mapped)
            let back = try Self.receive(Self.datagrams.count, at: sender)
            #expect(back.map(\.payload) == Self.datagrams)
            #expect(back.allSatisfy { $0.peer == Self.synthesised })
            #expect(path.stop()?.drops.isEmpty == true)
        }
    }

    private static var configuration: RouterConfiguration {
        let errors = ErrorPolicy(ipv6Source: router, ipv4Source: IPv4Address(192, 0, 2, 1))
        var nat64 = NAT64Configuration(prefixes: [.wellKnown], pool: [pool], errors: errors)
        nat64.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!, IPv4Prefix("192.0.2.0/24")!]
        return RouterConfiguration(.stateful(nat64), errors: errors)
    }

    private static func worldLink() throws -> WorldLink {
        let tun = try TUNDevice.create(name: "world0")
        let socket = try RouteSocket()
        let index = try socket.link(named: tun.name).index
        try socket.change(index, LinkChange(isUp: true, generatesLinkLocalAddress: false))
        try socket.add(host, prefixLength: 32, to: index)
        try socket.add(Route(to: .ipv4(IPv4Prefix("192.0.2.64/32")!), link: index))
        return WorldLink(
            .tun(tun), interface: 2, reach: Reach(ipv4Hosts: [host], ipv6Hosts: []), destinations: nil)
    }

    private static func send(_ datagrams: [[UInt8]], from socket: borrowing DatagramSocket, to peer: SocketAddress) {
        var batch = DatagramBatch(datagramCapacity: 1400)
        for datagram in datagrams {
            batch.removeAll()
            _ = batch.append(datagram.span, to: peer)
            #expect(socket.send(batch) == 1)
        }
    }

    private static func receive(
        _ count: Int, at socket: borrowing DatagramSocket
    ) throws -> [(payload: [UInt8], peer: SocketAddress?)] {
        var received: [(payload: [UInt8], peer: SocketAddress?)] = []
        var batch = DatagramBatch(datagramCapacity: 65_535)
        var epoll = try Epoll()
        try epoll.add(socket.descriptor, .readable, token: 0)
        while received.count < count, epoll.wait(until: MonotonicClock.now() + .seconds(5)) > 0 {
            guard case .received(let some) = socket.receive(into: &batch) else { continue }
            for index in 0..<some {
                let bytes = batch.bytes(index)
                received.append((bytes.indices.map { bytes[$0] }, batch.peer(index)))
            }
        }
        return received
    }

    /// As the kernel counts them: a super-packet is one.
    private static func packetsReceived(by interface: String) throws -> Int {
        let table = try String(decoding: Data(contentsOf: URL(filePath: "/proc/thread-self/net/dev")), as: UTF8.self)
        let line = try #require(table.split(separator: "\n").first { $0.contains("\(interface):") })
        return try #require(Int(line.split(separator: ":")[1].split(separator: " ")[1]))
    }
}
