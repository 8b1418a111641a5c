// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.5.3, ICMP Query Session Handling.
@Suite struct RFC6146Section3_5_3Tests {
    @Test
    func `an echo request goes out with an identifier of ours, and the reply comes back with the host's`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .echoRequest6(77, payload: [1, 2, 3])).only(to: .ipv4)
        #expect(out.transport == 1 && out.type == 8 && out.code == 0)
        #expect(out.source == t4 && out.destination == h4)
        #expect(out.upper.suffix(5) == [0, 1, 1, 2, 3])

        let back = try network.send4(h4, t4, .echoReply4(out.identifier, payload: [1, 2, 3])).only(to: .ipv6)
        #expect(back.transport == 58 && back.type == 129 && back.identifier == 77)
        #expect(back.source == "64:ff9b::c633:6401" && back.destination == h6)
        #expect(network.sessions.count == 1 && network.bindings.count == 1)
        #expect(network.sessions.first?.remote.port == 0)
    }

    @Test
    func `the mapping of an identifier does not depend on the destination`() throws {
        var network = try Network()
        let first = try network.send6(h6, h4, .echoRequest6(77)).only(to: .ipv4)
        let second = try network.send6(h6, "203.0.113.5", .echoRequest6(77)).only(to: .ipv4)
        #expect(first.identifier == second.identifier)
        #expect(network.bindings.count == 1 && network.sessions.count == 2)
    }

    @Test
    func `two hosts with one identifier are told apart`() throws {
        var network = try Network()
        let first = try network.send6("2001:db8::1", h4, .echoRequest6(77)).only(to: .ipv4)
        let second = try network.send6("2001:db8::2", h4, .echoRequest6(77)).only(to: .ipv4)
        #expect(first.identifier != second.identifier)
        let back = try network.send4(h4, t4, .echoReply4(second.identifier)).only(to: .ipv6)
        #expect(back.destination == "2001:db8::2" && back.identifier == 77)
    }

    @Test
    func `a query from the IPv4 side reaches a mapped identifier, and its reply goes back`() throws {
        var network = try Network {
            $0.staticBindings = [
                StaticBinding(
                    .icmp, TransportAddress6(IPv6Address(h6)!, 5), TransportAddress4(IPv4Address(t4)!, 500))
            ]
        }
        let ping = try network.send4(h4, t4, .echoRequest4(500)).only(to: .ipv6)
        #expect(ping.type == 128 && ping.identifier == 5 && ping.destination == h6)
        let reply = try network.send6(h6, h4, .echoReply6(5)).only(to: .ipv4)
        #expect(reply.type == 0 && reply.identifier == 500 && reply.source == t4)
    }

    @Test
    func `a query to an identifier that nobody uses is dropped`() throws {
        var network = try Network()
        let outcome = network.send4(h4, t4, .echoRequest4(500))
        #expect(outcome.drops == [.noBinding])
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `a session lives for sixty seconds`() throws {
        var network = try Network()
        network.send6(h6, h4, .echoRequest6(77))
        network.pass(.seconds(60) - .nanoseconds(1))
        #expect(network.sessions.count == 1)
        network.send6(h6, h4, .echoRequest6(77))
        network.pass(.seconds(60) - .nanoseconds(1))
        #expect(network.sessions.count == 1)
        network.pass(.nanoseconds(1))
        #expect(network.sessions.isEmpty && network.bindings.isEmpty)
    }

    @Test
    func `address-dependent filtering holds for queries, too`() throws {
        var network = try Network { $0.filtering = .addressDependent }
        let out = try network.send6(h6, h4, .echoRequest6(77)).only(to: .ipv4)
        #expect(network.send4("203.0.113.8", t4, .echoRequest4(out.identifier)).drops == [.filtered])
        _ = try network.send4(h4, t4, .echoRequest4(out.identifier)).only(to: .ipv6)
    }

    @Test(arguments: [9, 10, 13, 14, 15, 16, 17, 18] as [UInt8])
    func `other ICMPv4 messages are dropped in silence`(type: UInt8) throws {
        var network = try Network()
        let outcome = network.send4(h4, t4, .icmpv4(type, 0, [0, 0, 0, 0]))
        #expect(outcome.drops == [.icmpTypeNotTranslated] && outcome.emitted.isEmpty)
    }

    @Test(arguments: [130, 131, 132, 133, 134, 135, 136, 137, 143, 200] as [UInt8])
    func `other ICMPv6 messages are dropped in silence`(type: UInt8) throws {
        var network = try Network()
        let outcome = network.send6(h6, h4, .icmpv6(type, 0, [0, 0, 0, 0]))
        #expect(outcome.drops == [.icmpTypeNotTranslated] && outcome.emitted.isEmpty)
    }
}
