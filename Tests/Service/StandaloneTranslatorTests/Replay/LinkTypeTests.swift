// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

@Suite struct `A capture of any link layer` {
    private static let ethernet = [UInt8](repeating: 0x02, count: 12)

    /// The octets before an IPv6 packet, and before an IPv4 packet.
    @Test(
        arguments: [
            // Ethernet; with a VLAN tag; Linux cooked, both versions; loopback of FreeBSD and of OpenBSD; raw.
            (1, ethernet + [0x86, 0xdd], ethernet + [0x08, 0x00]),
            (
                1, ethernet + [0x81, 0x00, 0, 7, 0x86, 0xdd],
                ethernet + [0x88, 0xa8, 0, 7, 0x81, 0x00, 0, 8, 0x08, 0x00]
            ),
            (
                113, [0, 4, 3, 4, 0, 0] + [UInt8](repeating: 0, count: 8) + [0x86, 0xdd],
                [0, 4, 3, 4, 0, 0] + [UInt8](repeating: 0, count: 8) + [0x08, 0x00]
            ),
            // LINKTYPE_LINUX_SLL2 is 276, more than an octet: see below.
            (0, [28, 0, 0, 0], [2, 0, 0, 0]), (108, [0, 0, 0, 24], [0, 0, 0, 2]), (101, [], []),
        ] as [(UInt8, [UInt8], [UInt8])])
    func `is translated as if it were raw`(linkType: UInt8, before6: [UInt8], before4: [UInt8]) throws {
        try expectSameAsRaw(before6, before4) { try replay($0, linkType: linkType) }
    }

    @Test func `is translated as if it were raw, of the any interface too`() throws {
        let rest: [UInt8] = [0, 0, 0, 0, 0, 2, 0, 1, 0, 6] + [UInt8](repeating: 2, count: 8)
        try expectSameAsRaw([0x86, 0xdd] + rest, [0x08, 0x00] + rest) { packets in
            let place = try Place()
            var file = pcap(packets, linkType: 0)
            // 276, little-endian.
            file.replaceSubrange(20..<24, with: [0x14, 0x01, 0, 0])
            try place.write(file, to: "in.pcap")
            return try replayed(place)
        }
    }

    private func expectSameAsRaw(
        _ before6: [UInt8], _ before4: [UInt8], _ replay: ([Captured]) throws -> Replayed
    ) throws {
        let request = Packets.ipv6(.udp(5000, 53))
        let stray = Packets.ipv4(.udp(53, 4))
        let raw = try StandaloneTranslatorTests.replay([Captured(1, request), Captured(2, stray)])
        let framed = try replay([Captured(1, before6 + request), Captured(2, before4 + stray)])
        #expect(framed.files == raw.files)
        #expect(framed.drops(2) == ["no-binding"])
    }

    @Test func `has frames that carry no IP, which are counted`() throws {
        let arp = Self.ethernet + [0x08, 0x06] + [UInt8](repeating: 0, count: 28)
        let result = try replay([Captured(1, arp)], linkType: 1)
        #expect(result.line(1)["description"] as? String == "no IP packet")
        #expect(result.drops(1) == ["not-ip"])
        #expect(result.summary.translator.drops.counters[.notIP] == 1)
    }
}
