// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

@Suite struct ForgettingTests {
    @Test func `what it has forgotten it knows no more, and it goes on from there`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        _ = try network.send4(h4, t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        network.send6(h6, h4, .tcp(4_000, 80, .syn))
        let opened = network.nat.counters.sessionsOpened
        #expect(network.sessions.count == 2)
        network.nat.forgetSessions()
        #expect(network.sessions.isEmpty && network.nat.counters.sessionsOpened == opened)
        #expect(network.send4(h4, t4, .udp(53, out.sourcePort)).drops == [.noBinding])
        #expect(network.send6(h6, h4, .tcp(4_000, 80, .ack)).drops == [.tcpWithoutSession])
        _ = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        #expect(network.sessions.count == 1)
        // Time-outs go on as ever.
        network.pass(.seconds(300))
        #expect(network.sessions.isEmpty)
    }

    @Test func `an entry that the administrator made stays`() throws {
        var network = try Network {
            $0.staticBindings = [
                StaticBinding(.tcp, TransportAddress6(IPv6Address(h6)!, 80), TransportAddress4(IPv4Address(t4)!, 80))
            ]
        }
        network.nat.forgetSessions()
        let inward = try network.send4(h4, t4, .tcp(4_000, 80, .syn)).only(to: .ipv6)
        #expect(inward.destinationPort == 80)
    }

    @Test func `quotas begin anew`() throws {
        var network = try Network { $0.limits.bindingsPerHost = 1 }
        network.send6(h6, h4, .udp(4_000, 53))
        network.nat.forgetSessions()
        _ = try network.send6(h6, h4, .udp(4_001, 53)).only(to: .ipv4)
    }
}
