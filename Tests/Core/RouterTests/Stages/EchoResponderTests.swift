// SPDX-License-Identifier: Apache-2.0
import NAT64
import TestPackets
import Testing
import Translation
import Wire

@testable import Router

/// Pings to the translator's own IPv4 address, which is one of its pool's as well.
@Suite struct EchoResponderTests {
    private static func translator(_ bindings: [StaticBinding] = []) throws -> RouterUnderTest {
        var errors = Place.errors
        errors.ipv4Source = Place.pool
        var nat64 = NAT64Configuration(prefixes: [.wellKnown], pool: [Place.pool], errors: errors)
        nat64.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!]
        nat64.staticBindings = bindings
        var configuration = RouterConfiguration(.stateful(nat64), errors: errors)
        configuration.hasOneFamilyPerLink = true
        configuration.answersPings = true
        return try RouterUnderTest(configuration)
    }

    private static func ping(_ identifier: UInt16) -> PacketBuffer {
        PacketBuffer(
            IPv4Datagram(source: Place.host4, destination: Place.pool).packet(.echoRequest4(identifier)))
    }

    @Test func `a ping with an identifier that nobody has is answered`() throws {
        var test = try Self.translator()
        let sent = test.receive(Self.ping(500), from: .world).sent
        #expect(sent.map(\.link) == [.world])
        #expect(try #require(sent.first).octets[20] == ICMPv4Type.echoReply)
    }

    @Test func `a ping whose identifier is in the BIB is the host's (RFC 6146 §3.5.3)`() throws {
        var test = try Self.translator([
            StaticBinding(.icmp, TransportAddress6(Place.client6, 5), TransportAddress4(Place.pool, 500))
        ])
        let sent = test.receive(Self.ping(500), from: .world).sent
        #expect(sent.map(\.link) == [.client])
        let octets = try #require(sent.first).octets
        #expect(try IPv6Layout(octets.span).destination == Place.client6 && octets[40] == ICMPv6Type.echoRequest)
        #expect(test.receive(Self.ping(501), from: .world).sent.map(\.link) == [.world])
    }

    @Test func `an entry that a host has made counts until it expires`() throws {
        var test = try Self.translator()
        let request = IPv6Datagram(source: Place.client6, destination: Place.synthesised).packet(.echoRequest6(77))
        let seen = try #require(test.receive(PacketBuffer(request), from: .client).sent.first).octets
        let identifier = UInt16(seen[24]) << 8 | UInt16(seen[25])
        #expect(test.receive(Self.ping(identifier), from: .world).sent.map(\.link) == [.client])
        test.now = test.now + .seconds(61)
        let late = test.receive(Self.ping(identifier), from: .world)
        #expect(late.sent.map(\.link) == [.world] && late.drops.isEmpty)
    }
}
