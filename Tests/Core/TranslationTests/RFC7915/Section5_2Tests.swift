// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 7915 §5.2: translating ICMPv6 headers into ICMPv4 headers.
@Suite struct RFC7915Section5_2Tests {
    static let original = udp(1, 2, payload(40))

    /// The type, code and rest of what an error becomes, or nil if it is dropped as having no counterpart. Everything else in
    /// the packet is checked here.
    static func translated(
        _ type: UInt8, _ code: UInt8, rest: UInt32 = 0, options: TranslationOptions = TranslationOptions()
    ) throws -> [UInt32]? {
        let packet = IPv6Datagram().packet(58, icmp(type, code, rest: rest, quoted6.packet(17, original)))
        switch try translateError6(packet, options: options) {
        case .packet(let translated):
            let type = translated[20]
            let code = translated[21]
            let rest = translated.span.uint32(at: 24)
            let expected = translatedError4.packet(1, icmp(type, code, rest: rest, quoted4.packet(17, original)))
            #expect(translated == expected)
            return [UInt32(type), UInt32(code), rest]
        case .dropped(.icmpErrorNotTranslated, answer: nil):
            return nil
        case let other:
            Issue.record("unexpected: \(other)")
            return nil
        }
    }

    @Test func `neighbour discovery multicast listeners and all other messages are dropped`() throws {
        for type: UInt8 in 130...255 {
            #expect(
                try translate6(IPv6Datagram().packet(58, icmp(type, 0, payload(40))))
                    == .dropped(.icmpTypeNotTranslated))
        }
    }

    @Test func `destination unreachable`() throws {
        let table: [UInt8: [UInt32]] = [0: [3, 1, 0], 1: [3, 10, 0], 2: [3, 1, 0], 3: [3, 1, 0], 4: [3, 3, 0]]
        for code: UInt8 in 0...255 { #expect(try Self.translated(1, code) == table[code]) }
    }

    @Test func `time exceeded keeps its code`() throws {
        for code: UInt8 in 0...1 { #expect(try Self.translated(3, code) == [11, UInt32(code), 0]) }
    }

    @Test func `pointers follow figure 6`() throws {
        var table: [UInt32: UInt32] = [0: 0, 1: 1, 4: 2, 5: 2, 6: 9, 7: 8]
        for pointer: UInt32 in 8...23 { table[pointer] = 12 }
        for pointer: UInt32 in 24...39 { table[pointer] = 16 }
        for pointer: UInt32 in 0...100 {
            #expect(try Self.translated(4, 0, rest: pointer) == table[pointer].map { [12, 0, $0 << 24] })
        }
        #expect(try Self.translated(4, 0, rest: .max) == nil)
    }

    @Test func `unrecognized next header is protocol unreachable`() throws {
        #expect(try Self.translated(4, 1, rest: 6) == [3, 2, 0])
    }

    @Test func `other errors are dropped`() throws {
        #expect(try Self.translated(4, 2) == nil)
        for type: UInt8 in [0] + Array(5...127) { #expect(try Self.translated(type, 0) == nil) }
    }

    /// The MTU that the router said, the next hops' MTUs, and what fragmentation needed says.
    @Test(
        arguments: [
            (1320, 1500, 1500, 1300), (1500, 1500, 1500, 1480), (9000, 1500, 9000, 1480), (9000, 9000, 1500, 1500),
            (1280, 1500, 1500, 1260), (1000, 1500, 1500, 980), (0, 1500, 1500, 68), (.max, 1500, 1400, 1400),
        ] as [(UInt32, Int, Int, UInt32)])
    func `the MTU is adjusted`(said: UInt32, ipv6: Int, ipv4: Int, expected: UInt32) throws {
        let options = TranslationOptions(ipv6MTU: ipv6, ipv4MTU: ipv4)
        #expect(try Self.translated(2, 0, rest: said, options: options) == [3, 4, expected])
    }

    /// The MTU in Fragmentation Needed for a Packet Too Big about a fragment that has `octets` octets.
    private static func mtu(
        afterPacketTooBig said: Int, aboutFragmentOf octets: Int, options: TranslationOptions = TranslationOptions()
    ) throws -> Int? {
        var fragment = quoted6
        fragment.extensions = [IPv6Datagram.fragment(offset: 0, more: true, identification: 99)]
        let quote = fragment.raw(6, tcp(1, 2, payload(octets - 40))).prefix(1232)
        let error = IPv6Datagram().packet(58, icmp(2, 0, rest: UInt32(said), Array(quote)))
        guard case .packet(let translated) = try translateError6(error, options: options) else { return nil }
        #expect(translated[20] == 3 && translated[21] == 4)
        return Int(translated.span.uint32(at: 24))
    }

    @Test(
        arguments: [
            (1280, 1500, 1500, 1252), (1320, 1500, 1500, 1292), (1500, 1500, 1500, 1472), (9000, 1500, 9000, 1472),
            (9000, 9000, 1500, 1500), (0, 1500, 1500, 68),
        ])
    func `the MTU is adjusted for the fragment header of the packet in error`(
        said: Int, ipv6: Int, ipv4: Int, expected: Int
    ) throws {
        let options = TranslationOptions(ipv6MTU: ipv6, ipv4MTU: ipv4)
        #expect(try Self.mtu(afterPacketTooBig: said, aboutFragmentOf: 1468, options: options) == expected)
    }

    /// A link behind the next hop has `mtu`, and the sender cuts what it sends to what it was told last.
    @Test(arguments: 1280...1500) func `a sender of fragments with DF learns an MTU with which they arrive`(mtu: Int)
        throws
    {
        let (growth, units) = (28, 8)
        var size = 20 + (1500 - 20) / units * units
        for _ in 0..<2 where size + growth > mtu {
            let told = try #require(try Self.mtu(afterPacketTooBig: mtu, aboutFragmentOf: size))
            size = 20 + (told - 20) / units * units
        }
        #expect(size + growth <= mtu)
    }
}
