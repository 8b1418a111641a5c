// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.8, Handling Hairpinning.
@Suite struct RFC6146Section3_8Tests {
    private static let server = "2001:db8::80"
    private static let pool = [IPv4Address("192.0.2.1")!, IPv4Address("192.0.2.2")!]

    /// A network where the server's port 80 is 192.0.2.2's port 8080, in each protocol.
    private static func network(_ change: (inout NAT64Configuration) -> Void = { _ in }) throws -> Network {
        try Network {
            $0.pool = pool
            $0.staticBindings = TransportProtocol.allCases.map {
                StaticBinding(
                    $0, TransportAddress6(IPv6Address(server)!, 80), TransportAddress4(pool[1], 8_080))
            }
            change(&$0)
        }
    }

    @Test
    func `UDP from one host to another one's mapping is turned back, and so is the answer`() throws {
        var network = try Self.network()
        let out = try network.send6(h6, "192.0.2.2", .udp(4_000, 8_080, [1, 2])).only(to: .ipv6)
        #expect(out.to == "[2001:db8::80]:80" && out.payload == [1, 2])
        // The server sees an address of the pool under the prefix, never the host's own.
        #expect(out.source.hasPrefix("64:ff9b::c000:20"))

        let answer = ipv6Packet(
            IPv6Address(Self.server)!, IPv6Address(out.source)!, .udp(80, out.sourcePort, [3, 4]))
        let back = try network.receive(answer, from: .ipv6).only(to: .ipv6)
        #expect(back.from == "[64:ff9b::c000:202]:8080" && back.to == "[2001:db8::1]:4000" && back.payload == [3, 4])
        #expect(network.nat.counters.hairpinned == 2)
        #expect(network.sessions.count == 2)
    }

    @Test
    func `a TCP connection between two hosts opens and closes`() throws {
        var network = try Self.network()
        let server = IPv6Address(Self.server)!
        let syn = try network.send6(h6, "192.0.2.2", .tcp(5_000, 8_080, .syn)).only(to: .ipv6)
        #expect(syn.to == "[2001:db8::80]:80" && syn.flags == .syn)
        let client = IPv6Address(syn.source)!
        let steps: [(TCPFlags, TCPFlags)] = [([.syn, .ack], .ack), ([.fin, .ack], [.fin, .ack])]
        for (down, up) in steps {
            let packet = ipv6Packet(server, client, .tcp(80, syn.sourcePort, down))
            let received = try network.receive(packet, from: .ipv6).only(to: .ipv6)
            #expect(received.to == "[2001:db8::1]:5000" && received.flags == down)
            let sent = try network.send6(h6, "192.0.2.2", .tcp(5_000, 8_080, up)).only(to: .ipv6)
            #expect(sent.to == "[2001:db8::80]:80" && sent.flags == up)
        }
        #expect(network.sessions.map(\.state) == [.v4FinV6FinRcv, .v4FinV6FinRcv])
        network.pass(.seconds(240))
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `an ICMP query is turned back, and so is its reply`() throws {
        // The identifier is all that an ICMP query has for a port: it must be mapped on both addresses.
        var network = try Self.network {
            $0.staticBindings.append(
                StaticBinding(
                    .icmp, TransportAddress6(IPv6Address(h6)!, 77), TransportAddress4(Self.pool[0], 8_080)))
        }
        let ping = try network.send6(h6, "192.0.2.2", .echoRequest6(77)).only(to: .ipv6)
        #expect(ping.type == 128 && ping.identifier == 80 && ping.destination == Self.server)
        #expect(ping.source == "64:ff9b::c000:201")
        let reply = ipv6Packet(IPv6Address(Self.server)!, IPv6Address(ping.source)!, .echoReply6(80))
        let pong = try network.receive(reply, from: .ipv6).only(to: .ipv6)
        #expect(pong.type == 129 && pong.identifier == 77 && pong.destination == h6)
        #expect(pong.source == "64:ff9b::c000:202")
    }

    @Test
    func `a packet to a transport address that nobody has comes back as an ICMPv6 error`() throws {
        var network = try Self.network()
        let outcome = network.send6(h6, "192.0.2.2", .udp(4_000, 9_999))
        #expect(outcome.drops == [.noBinding])
        let error = try #require(outcome.emitted.first)
        #expect(outcome.emitted.count == 1 && error.side == .ipv6)
        #expect(error.packet.transport == 58 && error.packet.type == 1 && error.packet.destination == h6)
        let quoted = Seen(error.packet.quoted)
        #expect(quoted.from == "[2001:db8::1]:4000" && quoted.to == "[64:ff9b::c000:202]:9999")
    }

    @Test
    func `an ICMP error about a hairpinned packet finds the host that sent it`() throws {
        var network = try Self.network()
        let out = try network.send6(h6, "192.0.2.2", .udp(4_000, 8_080)).only(to: .ipv6)
        let error = ipv6Packet(
            IPv6Address(Self.server)!, IPv6Address(out.source)!, .icmpv6(1, 4, [0, 0, 0, 0] + out.octets))
        let back = try network.receive(error, from: .ipv6).only(to: .ipv6)
        #expect(back.type == 1 && back.code == 4 && back.destination == h6)
        #expect(back.source == "64:ff9b::c000:202")
        let quoted = Seen(back.quoted)
        #expect(quoted.from == "[2001:db8::1]:4000" && quoted.to == "[64:ff9b::c000:202]:8080")
    }

    @Test
    func `a host may reach its own mapping`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let back = try network.send6(h6, t4, .udp(4_000, out.sourcePort)).only(to: .ipv6)
        #expect(back.to == "[2001:db8::1]:4000" && back.from == "[64:ff9b::c000:201]:\(out.sourcePort)")
    }

    @Test
    func `fragments are turned back, in whatever order they come`() throws {
        let datagram = UpperLayer.udp(4_000, 8_080, (0..<3_000).map { UInt8(truncatingIfNeeded: $0) })
        let fragments = ipv6Fragments(IPv6Address(h6)!, Network.synthesized("192.0.2.2"), datagram, size: 1_200)
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var network = try Self.network()
            var out: [Seen] = []
            for index in order {
                let outcome = network.receive(fragments[index], from: .ipv6)
                #expect(outcome.drops.isEmpty)
                out += outcome.emitted.map(\.packet)
            }
            #expect(out.count == 3)
            #expect(out.allSatisfy { $0.destination == Self.server && $0.isFragment })
            let whole = out.sorted { $0.fragmentOffset < $1.fragmentOffset }.flatMap(\.upper)
            #expect(whole.dropFirst(8) == datagram.octets.dropFirst(8))
        }
    }

    @Test
    func `what is turned back does not see the MTU of the IPv4 side`() throws {
        var network = try Self.network { $0.translation.ipv4MTU = 600 }
        let out = try network.send6(
            h6, "192.0.2.2", .udp(4_000, 8_080, Array(repeating: 1, count: 1_200))
        ).only(to: .ipv6)
        #expect(out.payload.count == 1_200 && !out.isFragment)
    }

    @Test func `The whole way back costs one hop, for packets, errors and fragments`() throws {
        var network = try Self.network()
        let out = try network.send6(h6, "192.0.2.2", .udp(4_000, 8_080), hopLimit: 9).only(to: .ipv6)
        #expect(out.hopLimit == 8)
        let error = ipv6Packet(
            IPv6Address(Self.server)!, IPv6Address(out.source)!, .icmpv6(1, 4, [0, 0, 0, 0] + out.octets), hopLimit: 9)
        #expect(try network.receive(error, from: .ipv6).only(to: .ipv6).hopLimit == 8)
        let fragments = ipv6Fragments(
            IPv6Address(h6)!, Network.synthesized("192.0.2.2"),
            .udp(4_001, 8_080, Array(repeating: 1, count: 2_000)), size: 1_200)
        for fragment in fragments {
            let hops = fragment[7]
            #expect(try network.receive(fragment, from: .ipv6).only(to: .ipv6).hopLimit == hops - 1)
        }
        // The last hop that there is.
        #expect(try network.send6(h6, "192.0.2.2", .udp(4_000, 8_080), hopLimit: 2).only(to: .ipv6).hopLimit == 1)
        #expect(network.send6(h6, "192.0.2.2", .udp(4_000, 8_080), hopLimit: 1).drops == [.hopLimitExceeded])
    }

    @Test func `Our own error about a hairpinned packet has all its hops`() throws {
        var network = try Self.network()
        let error = try #require(network.send6(h6, "192.0.2.2", .udp(4_000, 9_999)).emitted.first)
        #expect(error.packet.hopLimit == 64)
    }

    @Test
    func `address-dependent filtering holds for hairpinned packets`() throws {
        var network = try Self.network { $0.filtering = .addressDependent }
        #expect(network.send6(h6, "192.0.2.2", .udp(4_000, 8_080)).drops == [.filtered])
    }
}
