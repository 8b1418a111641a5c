// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 7915 §4.2: translating ICMPv4 headers into ICMPv6 headers.
@Suite struct RFC7915Section4_2Tests {
    static let original = udp(1, 2, payload(40))

    /// The type, code and rest of what an error becomes, or nil if it is dropped as having no counterpart. Everything else in
    /// the packet is checked here.
    static func translated(
        _ type: UInt8, _ code: UInt8, rest: UInt32 = 0, options: TranslationOptions = TranslationOptions(),
        quotedLength: Int? = nil
    ) throws -> [UInt32]? {
        var quoted = quoted4
        quoted.totalLength = quotedLength
        let packet = IPv4Datagram().packet(1, icmp(type, code, rest: rest, quoted.packet(17, original)))
        switch try translateError4(packet, options: options) {
        case .packet(let translated):
            let type = translated[40]
            let code = translated[41]
            let rest = translated.span.uint32(at: 44)
            var quoted = quoted6
            quoted.payloadLength = quotedLength.map { $0 - 20 }
            let expected = translatedError6.packet(58, icmp(type, code, rest: rest, quoted.packet(17, original)))
            #expect(translated == expected)
            return [UInt32(type), UInt32(code), rest]
        case .dropped(.icmpErrorNotTranslated, answer: nil):
            return nil
        case let other:
            Issue.record("unexpected: \(other)")
            return nil
        }
    }

    @Test(arguments: [(8, 128), (0, 129)] as [(UInt8, UInt8)])
    func `echo is translated`(four: UInt8, six: UInt8) throws {
        let packet = IPv4Datagram().packet(1, echo(four, identifier: 7, payload(33)))
        #expect(
            try translate4(packet)
                == .packet(IPv6Datagram(hopLimit: 63).packet(58, echo(six, identifier: 7, payload(33)))))
    }

    @Test func `all other queries are dropped`() throws {
        for type: UInt8 in 0...255 where ![0, 3, 4, 5, 8, 11, 12].contains(type) {
            #expect(
                try translate4(IPv4Datagram().packet(1, icmp(type, 0, payload(40)))) == .dropped(.icmpTypeNotTranslated)
            )
        }
    }

    @Test func `destination unreachable`() throws {
        let table: [UInt8: [UInt32]] = [
            0: [1, 0, 0], 1: [1, 0, 0], 2: [4, 1, 6], 3: [1, 4, 0], 4: [2, 0, 1280], 5: [1, 0, 0], 6: [1, 0, 0],
            7: [1, 0, 0], 8: [1, 0, 0], 9: [1, 1, 0], 10: [1, 1, 0], 11: [1, 0, 0], 12: [1, 0, 0], 13: [1, 1, 0],
            15: [1, 1, 0],
        ]
        for code: UInt8 in 0...255 { #expect(try Self.translated(3, code, rest: code == 4 ? 576 : 0) == table[code]) }
    }

    @Test func `time exceeded keeps its code`() throws {
        for code: UInt8 in 0...1 { #expect(try Self.translated(11, code) == [3, UInt32(code), 0]) }
    }

    @Test(arguments: [0, 2] as [UInt8])
    func `pointers follow figure 3`(code: UInt8) throws {
        let table: [UInt32: UInt32] = [
            0: 0, 1: 1, 2: 4, 3: 4, 8: 7, 9: 6, 12: 8, 13: 8, 14: 8, 15: 8, 16: 24, 17: 24, 18: 24, 19: 24,
        ]
        for pointer: UInt32 in 0...255 {
            #expect(try Self.translated(12, code, rest: pointer << 24) == table[pointer].map { [4, 0, $0] })
        }
    }

    @Test func `other errors are dropped`() throws {
        #expect(try Self.translated(12, 1) == nil)
        #expect(try Self.translated(12, 3) == nil)
        #expect(try Self.translated(4, 0) == nil)
        #expect(try Self.translated(5, 0) == nil)
    }

    /// The MTU that the router said, the next hops' MTUs, and what the packet too big says.
    @Test(arguments: [
        (1300, 1500, 1500, 1320), (1500, 1500, 1500, 1500), (9000, 1500, 9000, 1500), (9000, 9000, 1500, 1520),
        (1261, 1500, 1500, 1281), (1260, 1500, 1500, 1280), (1259, 1500, 1500, 1280), (68, 1500, 1500, 1280),
    ])
    func `the MTU is adjusted`(said: UInt32, ipv6: Int, ipv4: Int, expected: UInt32) throws {
        let options = TranslationOptions(ipv6MTU: ipv6, ipv4MTU: ipv4)
        #expect(try Self.translated(3, 4, rest: said, options: options) == [2, 0, expected])
    }

    /// The quoted packet's total length, and the packet too big's MTU: the plateau below it and 20 octets.
    @Test(arguments: [(1500, 1512), (1492, 1280), (2002, 1512), (2003, 2022), (4353, 4372), (65_535, 9000), (68, 1280)])
    func `a router that does not say its MTU means a plateau`(length: Int, expected: UInt32) throws {
        let options = TranslationOptions(ipv6MTU: 9000, ipv4MTU: 9000)
        #expect(try Self.translated(3, 4, options: options, quotedLength: length) == [2, 0, expected])
    }

    @Test func `without plateaus the MTU is the smallest`() throws {
        let options = TranslationOptions(ipv6MTU: 9000, ipv4MTU: 9000, usesPlateaus: false)
        #expect(try Self.translated(3, 4, options: options, quotedLength: 4353) == [2, 0, 1280])
    }
}
