// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Router

/// Captures of both links.
@Suite struct CaptureTests {
    private final class Log: PacketTap, @unchecked Sendable {
        var families: [IPFamily?] = []
        func record(_ packet: borrowing PacketBuffer) { families.append(packet.family) }
    }

    @Test func `a translated packet is seen on both links`() throws {
        let log = Log()
        var test = try RouterUnderTest(Place.nat64(), tap: log)
        let out = test.receive(Datagram.ipv6(to: Place.synthesised), from: .client).sent[0]
        #expect(log.families == [.ipv6, .ipv4])
        let port = UInt16(out.octets[20]) << 8 | UInt16(out.octets[21])
        _ = test.receive(Datagram.ipv4(from: Place.host4, to: Place.pool, ports: (9, port)), from: .world)
        #expect(log.families == [.ipv6, .ipv4, .ipv4, .ipv6])
    }

    @Test func `a forwarded packet is seen once, on the client's link`() throws {
        let log = Log()
        var test = try RouterUnderTest(Place.plain(), tap: log)
        _ = test.receive(Datagram.ipv6(), from: .client)
        _ = test.receive(Datagram.ipv4(from: Place.host4, to: Place.client4), from: .world)
        #expect(log.families == [.ipv6, .ipv4])
    }
}
