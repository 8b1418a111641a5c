// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.5.1, UDP Session Handling.
@Suite struct RFC6146Section3_5_1Tests {
    @Test
    func `a packet from the IPv6 side makes a BIB entry and a session, and goes out from the pool`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53, [9, 8, 7])).only(to: .ipv4)
        #expect(out.source == t4 && out.to == "198.51.100.1:53" && out.payload == [9, 8, 7])
        #expect(out.hopLimit == 63)

        let binding = try #require(network.bindings.first)
        #expect(network.bindings.count == 1)
        #expect(binding.host == TransportAddress6(IPv6Address(h6)!, 4_000))
        #expect(binding.mapped == TransportAddress4(IPv4Address(t4)!, out.sourcePort))
        #expect(!binding.isStatic && binding.sessions == 1)

        let session = try #require(network.sessions.first)
        #expect(network.sessions.count == 1)
        #expect(session.destination == TransportAddress6(IPv6Address("64:ff9b::198.51.100.1")!, 53))
        #expect(session.remote == TransportAddress4(IPv4Address(h4)!, 53))
        #expect(session.state == nil)
    }

    @Test
    func `the answer comes back to the host, from the destination that it used`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let back = try network.send4(h4, t4, .udp(53, out.sourcePort, [4, 2])).only(to: .ipv6)
        #expect(back.from == "[64:ff9b::c633:6401]:53" && back.to == "[2001:db8::1]:4000")
        #expect(back.payload == [4, 2])
        #expect(network.sessions.count == 1)
    }

    @Test
    func `the mapping is endpoint-independent`() throws {
        var network = try Network()
        let first = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let second = try network.send6(h6, h4, .udp(4_000, 54)).only(to: .ipv4)
        let third = try network.send6(h6, "203.0.113.9", .udp(4_000, 53)).only(to: .ipv4)
        #expect(first.from == second.from && second.from == third.from)
        #expect(network.bindings.count == 1 && network.sessions.count == 3)
    }

    @Test
    func `other ports and other hosts get other transport addresses`() throws {
        var network = try Network()
        var seen: Set<String> = []
        for host in ["2001:db8::1", "2001:db8::2", "2001:db8::3"] {
            for port in UInt16(4_000)..<4_020 {
                let out = try network.send6(host, h4, .udp(port, 53)).only(to: .ipv4)
                #expect(seen.insert(out.from).inserted)
            }
        }
        #expect(network.bindings.count == 60)
    }

    @Test
    func `without a BIB entry a packet from the IPv4 side is dropped, and a host unreachable goes back`() throws {
        var network = try Network()
        let outcome = network.send4(h4, t4, .udp(53, 4_000))
        #expect(outcome.drops == [.noBinding])
        let error = try #require(outcome.emitted.first?.packet)
        #expect(outcome.emitted.count == 1 && outcome.emitted[0].side == .ipv4)
        #expect(error.type == 3 && error.code == 1 && error.source == "192.0.2.254" && error.destination == h4)
        #expect(network.sessions.isEmpty && network.bindings.isEmpty)
    }

    @Test
    func `filtering is endpoint-independent: any IPv4 host reaches a mapping, with a session of its own`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let back = try network.send4("203.0.113.77", t4, .udp(999, out.sourcePort)).only(to: .ipv6)
        #expect(back.from == "[64:ff9b::cb00:714d]:999" && back.to == "[2001:db8::1]:4000")
        #expect(network.sessions.count == 2 && network.bindings.first?.sessions == 2)
    }

    @Test
    func `address-dependent filtering lets in the addresses that were sent to, from any port, and no others`()
        throws
    {
        var network = try Network { $0.filtering = .addressDependent }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        _ = try network.send4(h4, t4, .udp(54, out.sourcePort)).only(to: .ipv6)

        let refused = network.send4("203.0.113.77", t4, .udp(53, out.sourcePort))
        #expect(refused.drops == [.filtered])
        let error = try #require(refused.emitted.first?.packet)
        #expect(error.type == 3 && error.code == 13)

        _ = try network.send6(h6, "203.0.113.77", .udp(4_000, 1)).only(to: .ipv4)
        _ = try network.send4("203.0.113.77", t4, .udp(53, out.sourcePort)).only(to: .ipv6)
    }

    @Test
    func `an address is filtered again when its last session is over`() throws {
        var network = try Network { $0.filtering = .addressDependent }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        network.pass(.seconds(200))
        _ = try network.send6(h6, "203.0.113.77", .udp(4_000, 53)).only(to: .ipv4)
        network.pass(.seconds(100))
        #expect(network.send4(h4, t4, .udp(53, out.sourcePort)).drops == [.filtered])
        _ = try network.send4("203.0.113.77", t4, .udp(53, out.sourcePort)).only(to: .ipv6)
    }

    // MARK: - Time

    @Test
    func `a session lives for five minutes and its BIB entry with it, to the nanosecond`() throws {
        var network = try Network()
        network.send6(h6, h4, .udp(4_000, 53))
        network.pass(.seconds(300) - .nanoseconds(1))
        #expect(network.sessions.count == 1 && network.bindings.count == 1)
        network.pass(.nanoseconds(1))
        #expect(network.sessions.isEmpty && network.bindings.isEmpty)
        #expect(network.nat.counters.sessionsClosed == 1)
    }

    @Test
    func `what has expired is gone before the next packet, even if nobody called expire`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        network.now = network.now + .seconds(300)
        #expect(network.send4(h4, t4, .udp(53, out.sourcePort)).drops == [.noBinding])
    }

    @Test(arguments: [Side.ipv6, .ipv4])
    func `a packet from either side refreshes the session`(side: Side) throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        for _ in 0..<5 {
            network.pass(.seconds(299))
            switch side {
            case .ipv6: network.send6(h6, h4, .udp(4_000, 53))
            case .ipv4: network.send4(h4, t4, .udp(53, out.sourcePort))
            }
        }
        network.pass(.seconds(299))
        #expect(network.sessions.count == 1)
        network.pass(.seconds(1))
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `the lifetime is configurable from two minutes up`() throws {
        var network = try Network { $0.lifetimes.udp = .seconds(120) }
        network.send6(h6, h4, .udp(4_000, 53))
        network.pass(.seconds(120) - .nanoseconds(1))
        #expect(network.sessions.count == 1)
        network.pass(.nanoseconds(1))
        #expect(network.sessions.isEmpty)

        #expect(
            throws: ConfigurationError.lifetimeTooShort(name: "udp", given: .seconds(119), least: .seconds(120))
        ) {
            _ = try Network { $0.lifetimes.udp = .seconds(119) }
        }
    }

    @Test
    func `a BIB entry stays as long as one of its sessions`() throws {
        var network = try Network()
        network.send6(h6, h4, .udp(4_000, 53))
        network.pass(.seconds(200))
        network.send6(h6, "203.0.113.1", .udp(4_000, 53))
        network.pass(.seconds(100))
        #expect(network.bindings.first?.sessions == 1)
        network.pass(.seconds(200))
        #expect(network.bindings.isEmpty)
    }
}
