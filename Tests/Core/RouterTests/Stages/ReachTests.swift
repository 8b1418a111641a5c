// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Translation
import Wire

@testable import Router

/// The hosts that a client reaches, and the errors for all others.
@Suite struct ReachTests {
    @Test func `a hermetic world has no public addresses but its own`() {
        #expect(Place.reach.contains(Place.host4) && Place.reach.contains(Place.host6))
        #expect(!Place.reach.contains(IPv4Address(8, 8, 8, 8)))
        #expect(!Place.reach.contains(IPv6Address("2600::1")!))
    }

    @Test func `what is let through can change while the router works`() throws {
        var test = try RouterUnderTest(Place.plain())
        let packet = Datagram.ipv4(to: IPv4Address(8, 8, 8, 8))
        #expect(test.receive(packet, from: .client).drops == [.noRoute])
        test.router.change(to: AllowedDestinations(hasIPv6: false))
        #expect(test.receive(packet, from: .client).drops.isEmpty)
        test.router.change(to: AllowedDestinations(own: [.ipv4(IPv4Address(8, 8, 8, 8))]))
        #expect(test.receive(packet, from: .client).drops == [.noRoute])
    }

    @Test func `what comes for somebody else than the client is late`() throws {
        var test = try RouterUnderTest(Place.plain())
        let others = [
            Datagram.ipv6(from: Place.host6, to: IPv6Address("2e00:2:0:1::c0:200")!).contents,
            Datagram.ipv4(from: Place.host4, to: IPv4Address(192, 0, 2, 101)).contents,
        ]
        for octets in others {
            let outcome = test.receive(PacketBuffer(octets), from: .world)
            #expect(outcome.drops == [.addressUnreachable] && outcome.sent.isEmpty)
        }
    }

    /// Destination behind the NAT64; the drop; the code of the ICMPv6 error (destination unreachable).
    @Test(
        arguments: [
            ("64:ff9b::a00:1", .nonGlobalIPv4, 1), ("64:ff9b::808:808", .noRoute, 0), ("2600::1", .noRoute, 0),
        ] as [(String, DropReason, UInt8)])
    func `the client is told why there is no way`(_ destination: String, _ reason: DropReason, _ code: UInt8) throws {
        var test = try RouterUnderTest(Place.nat64())
        let outcome = test.receive(Datagram.ipv6(to: IPv6Address(destination)!), from: .client)
        #expect(outcome.drops == [reason])
        let answer = try #require(outcome.sent.first)
        #expect(outcome.sent.count == 1 && answer.link == .client)
        let layout = try IPv6Layout(answer.octets.span)
        #expect(layout.source == Place.router6 && layout.destination == Place.client6)
        #expect(layout.transport.kind == .icmpError)
        #expect(answer.octets[40] == ICMPv6Type.destinationUnreachable && answer.octets[41] == code)
    }

    /// An exemption in a world does not create a host.
    @Test func `to an address that is exempt from RFC 6052 §3.1 and that no host has, there is no route`() throws {
        let exempt = IPv4Prefix("10.0.0.0/24")!
        var test = try RouterUnderTest(Place.nat64(exemptIPv4: [exempt]))
        for (destination, reason) in [("64:ff9b::a00:1", DropReason.noRoute), ("64:ff9b::a01:1", .nonGlobalIPv4)] {
            let outcome = test.receive(Datagram.ipv6(to: IPv6Address(destination)!), from: .client)
            #expect(outcome.drops == [reason])
        }
    }

    @Test func `a client without IPv4 has no way for it`() throws {
        var test = try RouterUnderTest(Place.nat64())
        let outcome = test.receive(Datagram.ipv4(), from: .client)
        #expect(outcome.drops == [.noRoute])
    }

    @Test func `a client without IPv6 has no way for it, and the link's own affairs are no news`() throws {
        var test = try RouterUnderTest(Place.ipv4Only())
        #expect(test.receive(Datagram.ipv6(to: Place.host6), from: .client).drops == [.noRoute])
        #expect(test.receive(Datagram.ipv6(to: Place.router6), from: .client).drops == [.noRoute])
        #expect(test.receive(Datagram.ipv6(from: Place.host6, to: Place.client6), from: .world).sent.isEmpty)
        let report = Datagram.ipv6(from: .unspecified, to: IPv6Address("ff02::16")!)
        #expect(test.receive(report, from: .client).drops == [.illegalDestination])
        #expect(test.receive(Datagram.ipv4(), from: .client).sent.count == 1)
    }

    @Test func `where nothing translates, an address under a Pref64 has no route`() throws {
        var test = try RouterUnderTest(Place.strict())
        let outcome = test.receive(Datagram.ipv6(to: Place.synthesised), from: .client)
        #expect(outcome.drops == [.noRoute] && outcome.sent.count == 1)
        let octets = try #require(outcome.sent.first).octets
        #expect(octets[40] == ICMPv6Type.destinationUnreachable && octets[41] == 0, "RFC 4443 §3.1")
    }
}
