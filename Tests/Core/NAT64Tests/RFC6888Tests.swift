// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6888, Common Requirements for Carrier-Grade NATs, as far as it asks something of the translator.
@Suite struct RFC6888Tests {
    // MARK: - REQ-4 and REQ-5, limits for each subscriber

    @Test
    func `a host has at most its quota of mappings, in all protocols together`() throws {
        var network = try Network { $0.limits.bindingsPerHost = 3 }
        _ = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        _ = try network.send6(h6, h4, .tcp(4_000, 53, .syn)).only(to: .ipv4)
        _ = try network.send6(h6, h4, .echoRequest6(1)).only(to: .ipv4)
        let outcome = network.send6(h6, h4, .udp(4_001, 53))
        #expect(outcome.drops == [.hostQuotaExceeded])
        #expect(outcome.emitted.first?.packet.type == 1 && outcome.emitted.first?.packet.code == 1)
        // The host's existing mappings keep working, and other hosts are not affected.
        _ = try network.send6(h6, "203.0.113.1", .udp(4_000, 53)).only(to: .ipv4)
        _ = try network.send6("2001:db8::2", h4, .udp(4_001, 53)).only(to: .ipv4)
    }

    @Test
    func `a mapping that is gone counts no more`() throws {
        var network = try Network {
            $0.limits.bindingsPerHost = 1
            $0.lifetimes.portHoldOff = .zero
        }
        network.send6(h6, h4, .udp(4_000, 53))
        #expect(network.send6(h6, h4, .udp(4_001, 53)).drops == [.hostQuotaExceeded])
        network.pass(.seconds(300))
        _ = try network.send6(h6, h4, .udp(4_001, 53)).only(to: .ipv4)
    }

    @Test
    func `a host has at most its quota of sessions, whoever opens them`() throws {
        var network = try Network { $0.limits.sessionsPerHost = 2 }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        _ = try network.send6(h6, h4, .udp(4_000, 54)).only(to: .ipv4)
        #expect(network.send6(h6, h4, .udp(4_000, 55)).drops == [.hostQuotaExceeded])
        let outcome = network.send4("203.0.113.1", t4, .udp(1, out.sourcePort))
        #expect(outcome.drops == [.hostQuotaExceeded])
        #expect(outcome.emitted.first?.packet.type == 3 && outcome.emitted.first?.packet.code == 13)
        #expect(network.sessions.count == 2)
    }

    @Test
    func `tables have limits, and refuse when they are full`() throws {
        var network = try Network {
            $0.limits.bindings = 2
            $0.limits.sessions = 3
        }
        _ = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        _ = try network.send6(h6, h4, .udp(4_001, 53)).only(to: .ipv4)
        let third = network.send6(h6, h4, .udp(4_002, 53))
        #expect(third.drops == [.bindingTableFull] && third.emitted.first?.packet.code == 1)
        _ = try network.send6(h6, h4, .udp(4_001, 54)).only(to: .ipv4)
        #expect(network.send6(h6, h4, .udp(4_001, 55)).drops == [.sessionTableFull])
        // Each protocol has its own.
        _ = try network.send6(h6, h4, .tcp(4_002, 53, .syn)).only(to: .ipv4)
    }

    @Test
    func `a refused session leaves no BIB entry behind`() throws {
        var network = try Network { $0.limits.sessions = 1 }
        network.send6(h6, h4, .udp(4_000, 53))
        #expect(network.send6("2001:db8::2", h4, .udp(4_000, 53)).drops == [.sessionTableFull])
        #expect(network.bindings.count == 1 && network.nat.hosts.count == 1)
    }

    // MARK: - REQ-8, hold-off

    @Test
    func `a port is not given to anybody else for two minutes after its mapping is gone`() throws {
        var network = try Network()
        // All ports but one of the range are taken: a new mapping can only get that one.
        for port in UInt16(1)...65_535 where port != 40_000 { network.nat[.udp].ports[0].take(port) }
        #expect(try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4).sourcePort == 40_000)
        network.pass(.seconds(300))
        #expect(network.bindings.isEmpty)
        network.pass(.seconds(120) - .nanoseconds(1))
        #expect(network.send6("2001:db8::2", h4, .udp(4_000, 53)).drops == [.portsExhausted])
        network.pass(.nanoseconds(1))
        #expect(try network.send6("2001:db8::2", h4, .udp(4_000, 53)).only(to: .ipv4).sourcePort == 40_000)
    }

    @Test
    func `during the hold-off nothing from the IPv4 side finds the mapping`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        network.pass(.seconds(310))
        #expect(network.send4(h4, t4, .udp(53, out.sourcePort)).drops == [.noBinding])
        let error = ipv4Packet(
            IPv4Address(h4)!, IPv4Address(t4)!, .icmpv4(3, 1, [0, 0, 0, 0] + out.octets))
        #expect(network.receive(error, from: .ipv4).drops == [.noSessionForICMPError])
    }

    @Test
    func `the same host and port gets the same mapping again during the hold-off`() throws {
        var network = try Network()
        let first = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        network.pass(.seconds(400))
        let second = try network.send6(h6, "203.0.113.1", .udp(4_000, 53)).only(to: .ipv4)
        #expect(first.from == second.from)
        network.pass(.seconds(300))
        network.pass(.seconds(119))
        let third = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        #expect(first.from == third.from, "the hold-off begins anew")
    }

    @Test
    func `TCP has no hold-off, since its sessions are tracked`() throws {
        var network = try Network()
        for port in UInt16(1)...65_535 where port != 40_000 { network.nat[.tcp].ports[0].take(port) }
        network.send6(h6, h4, .tcp(4_000, 53, .syn))
        network.pass(.seconds(240))
        #expect(try network.send6("2001:db8::2", h4, .tcp(4_000, 53, .syn)).only(to: .ipv4).sourcePort == 40_000)
    }

    @Test
    func `with address-dependent filtering there is none either`() throws {
        var network = try Network { $0.filtering = .addressDependent }
        for port in UInt16(1)...65_535 where port != 40_000 { network.nat[.udp].ports[0].take(port) }
        network.send6(h6, h4, .udp(4_000, 53))
        network.pass(.seconds(300))
        #expect(try network.send6("2001:db8::2", h4, .udp(4_000, 53)).only(to: .ipv4).sourcePort == 40_000)
    }
}
