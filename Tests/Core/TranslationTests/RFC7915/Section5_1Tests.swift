// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 7915 §5.1: translating IPv6 headers into IPv4 headers.
@Suite struct RFC7915Section5_1Tests {
    /// The expected header for a packet of 1260 octets or less: identification from the generator, DF clear.
    static func small(_ change: (inout IPv4Datagram) -> Void = { _ in }) -> IPv4Datagram {
        var test = IPv4Datagram(identification: 0x1234, ttl: 63)
        change(&test)
        return test
    }

    @Test func `golden UDP packet`() throws {
        // IP6 2001:db8:1c0:2:21::.5000 > 2001:db8:1c6:3364:2::.53: UDP, length 4
        let packet = hex(
            """
            60000000 000c 11 40 20010db801c000020021000000000000 20010db801c633640002000000000000
            1388 0035 000c bbfa de ad be ef
            """)
        #expect(packet == IPv6Datagram().packet(17, udp(5000, 53, [0xde, 0xad, 0xbe, 0xef])))
        // IP 192.0.2.33.5000 > 198.51.100.2.53: UDP, length 4
        let expected = hex(
            """
            4500 0020 1234 0000 3f 11 7d42 c0000221 c6336402
            1388 0035 000c 6224 de ad be ef
            """)
        #expect(try translate6(packet) == .packet(expected))
    }

    @Test(arguments: [0, 1, 2, 3, 7, 8, 100, 1219, 1220])
    func `every transport is translated with its checksum`(length: Int) throws {
        let data = payload(length)
        let six = IPv6Datagram()
        let four = Self.small()
        #expect(try translate6(six.packet(17, udp(1, 2, data))) == .packet(four.packet(17, udp(1, 2, data))))
        #expect(try translate6(six.packet(6, tcp(1, 2, data))) == .packet(four.packet(6, tcp(1, 2, data))))
        #expect(
            try translate6(six.packet(58, echo(128, identifier: 9, data)))
                == .packet(four.packet(1, echo(8, identifier: 9, data))))
        #expect(
            try translate6(six.packet(58, echo(129, identifier: 9, data)))
                == .packet(four.packet(1, echo(0, identifier: 9, data))))
    }

    @Test func `ports and identifiers are the outgoing tuple's`() throws {
        let data = payload(50)
        let six = IPv6Datagram()
        let four = Self.small()
        #expect(
            try translate6(six.packet(17, udp(1, 2, data)), ports: (40_000, 443))
                == .packet(four.packet(17, udp(40_000, 443, data))))
        #expect(
            try translate6(six.packet(6, tcp(1, 2, data)), ports: (40_000, 443))
                == .packet(four.packet(6, tcp(40_000, 443, data))))
        #expect(
            try translate6(six.packet(58, echo(128, identifier: 9, data)), ports: (777, 777))
                == .packet(four.packet(1, echo(8, identifier: 777, data))))
    }

    @Test func `the TOS octet is the traffic class unless zeroed`() throws {
        let packet = IPv6Datagram(trafficClass: 0xb9, flowLabel: 0xabcde).packet(17, udp(1, 2, []))
        #expect(try translate6(packet) == .packet(Self.small { $0.tos = 0xb9 }.packet(17, udp(1, 2, []))))
        #expect(
            try translate6(packet, options: TranslationOptions(zeroesTOS: true))
                == .packet(Self.small().packet(17, udp(1, 2, []))))
    }

    @Test func `a hop limit that runs out is answered`() throws {
        for hopLimit: UInt8 in 0...1 {
            #expect(
                try translate6(IPv6Datagram(hopLimit: hopLimit).packet(17, udp(1, 2, [])))
                    == .dropped(.hopLimitExceeded, answer: .ipv6(.hopLimitExceeded)))
        }
        #expect(
            try translate6(IPv6Datagram(hopLimit: 2).packet(17, udp(1, 2, [])))
                == .packet(Self.small { $0.ttl = 1 }.packet(17, udp(1, 2, []))))
    }

    @Test func `other protocols are forwarded as they are`() throws {
        // 59 is No Next Header: nothing follows, and that is no reason to stumble.
        for number: UInt8 in [2, 33, 47, 50, 51, 59, 132, 136, 253] {
            #expect(
                try translate6(IPv6Datagram().raw(number, payload(13)))
                    == .packet(Self.small().raw(number, payload(13))))
            #expect(try translate6(IPv6Datagram().raw(number, [])) == .packet(Self.small().raw(number, [])))
        }
    }

    @Test func `ICMP of the other family is not let through`() throws {
        #expect(try translate6(IPv6Datagram().packet(1, icmp(8, 0, payload(8)))) == .dropped(.foreignProtocol))
        let later = IPv6Datagram(extensions: [IPv6Datagram.fragment(offset: 80, more: false, identification: 1)])
        #expect(try translate6(later.raw(1, payload(8))) == .dropped(.foreignProtocol))
        let quoted = quoted6.raw(1, payload(8))
        #expect(try translateError6(IPv6Datagram().packet(58, icmp(1, 4, quoted))) == .dropped(.foreignProtocol))
    }

    @Test func `UDP without a checksum is dropped`() throws {
        #expect(try translate6(IPv6Datagram().raw(17, udp(1, 2, [1]))) == .dropped(.udpWithoutChecksum))
    }

    @Test func `a checksum that comes out as zero is sent as its other form`() throws {
        // Two octets of data that bring the IPv4 sum to 0xffff.
        let four = Self.small()
        for word: UInt16 in 0...UInt16.max {
            let packet = four.packet(17, udp(1, 2, bigEndian(word)))
            guard packet[26] == 0xff && packet[27] == 0xff else { continue }
            #expect(try translate6(IPv6Datagram().packet(17, udp(1, 2, bigEndian(word)))) == .packet(packet))
            return
        }
        Issue.record("no such word")
    }

    // MARK: - Extension headers

    static let hopByHop: (number: UInt8, octets: [UInt8]) = (0, [0, 0, 1, 4, 0, 0, 0, 0])
    static let destination: (number: UInt8, octets: [UInt8]) = (60, [0, 1] + Array(repeating: 0, count: 14))
    static func routing(segmentsLeft: UInt8) -> (number: UInt8, octets: [UInt8]) {
        (43, [0, 2, 0, segmentsLeft, 0, 0, 0, 0] + bigEndian(IPv6Address.loopback))
    }

    @Test func `hop-by-hop destination and used up routing headers are skipped`() throws {
        for chain in [
            [Self.hopByHop], [Self.destination], [Self.routing(segmentsLeft: 0)],
            [Self.hopByHop, Self.destination, Self.routing(segmentsLeft: 0), Self.destination],
        ] {
            let packet = IPv6Datagram(extensions: chain)
            #expect(
                try translate6(packet.packet(6, tcp(1, 2, [5]))) == .packet(Self.small().packet(6, tcp(1, 2, [5]))))
            #expect(
                try translate6(packet.packet(58, echo(128, identifier: 1, [5])))
                    == .packet(Self.small().packet(1, echo(8, identifier: 1, [5]))))
        }
    }

    @Test func `segments left are answered with a pointer to them`() throws {
        let first = IPv6Datagram(extensions: [Self.routing(segmentsLeft: 1)]).packet(6, tcp(1, 2, []))
        #expect(try translate6(first) == .dropped(.sourceRoute, answer: .ipv6(.erroneousHeader(at: 43))))
        let later = IPv6Datagram(extensions: [Self.destination, Self.routing(segmentsLeft: 1)]).packet(6, tcp(1, 2, []))
        #expect(try translate6(later) == .dropped(.sourceRoute, answer: .ipv6(.erroneousHeader(at: 59))))
    }

    // MARK: - Size

    @Test func `DF is clear up to 1260 octets and set beyond`() throws {
        let small = Self.small().packet(6, tcp(1, 2, payload(1220)))
        #expect(try translate6(IPv6Datagram().packet(6, tcp(1, 2, payload(1220)))) == .packet(small))
        let large = IPv4Datagram(dontFragment: true, ttl: 63).packet(6, tcp(1, 2, payload(1221)))
        #expect(try translate6(IPv6Datagram().packet(6, tcp(1, 2, payload(1221)))) == .packet(large))
    }

    @Test func `packets that may be fragmented have different identifications`() throws {
        var translator = HeaderTranslator(seed: 0)
        var seen: Set<UInt16> = []
        for _ in 0..<100 {
            var buffer = PacketBuffer(IPv6Datagram().packet(17, udp(0, 0, [])))
            let outcome = translator.translate(&buffer, try IPv6Layout(buffer.bytes), to: outgoing4)
            #expect(outcome == .translated)
            seen.insert(buffer.bytes.uint16(at: IPv4Header.identification))
        }
        #expect(seen.count == 100)
    }

    @Test func `a packet that does not fit is answered with the MTU that would`() throws {
        let options = TranslationOptions(ipv4MTU: 1400)
        let tooBig = Result.dropped(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1420)))
        #expect(try translate6(IPv6Datagram().packet(6, tcp(1, 2, payload(1361))), options: options) == tooBig)
        let fragment = IPv6Datagram(extensions: [IPv6Datagram.fragment(offset: 0, more: true, identification: 1234)])
        #expect(try translate6(fragment.packet(6, tcp(1, 2, payload(1361))), options: options) == tooBig)
        #expect(
            try translate6(IPv6Datagram().packet(6, tcp(1, 2, payload(1360))), options: options)
                == .packet(IPv4Datagram(dontFragment: true, ttl: 63).packet(6, tcp(1, 2, payload(1360)))))
    }

    @Test func `an MTU below 1280 is never asked for`() throws {
        let options = TranslationOptions(ipv4MTU: 576)
        #expect(
            try translate6(IPv6Datagram().packet(6, tcp(1, 2, payload(1221))), options: options)
                == .dropped(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1280))))
    }

    @Test func `a packet of 1280 octets is fragmented for a smaller IPv4 link`() throws {
        let transport = udp(1, 2, payload(1232))
        let whole = Array(Self.small().packet(17, transport)[20...])
        guard
            case .pieces(let pieces) = try translate6(
                IPv6Datagram().packet(17, transport), options: TranslationOptions(ipv4MTU: 576))
        else {
            Issue.record("1260 octets are more than 576")
            return
        }
        let sizes = [552, 552, 136]
        var expected: [[UInt8]] = []
        var offset = 0
        for size in sizes {
            var four = Self.small()
            four.fragmentOffset = offset
            four.moreFragments = offset + size < whole.count
            expected.append(four.raw(17, Array(whole[offset..<offset + size])))
            offset += size
        }
        #expect(pieces == expected)
    }
}

/// RFC 7915 §5.1.1: IPv6 fragment processing.
@Suite struct RFC7915Section5_1_1Tests {
    @Test(arguments: [1239, 1240, 1400])
    func `a fragment keeps offset more fragments and half its identification`(length: Int) throws {
        for more in [true, false] {
            let six = IPv6Datagram(extensions: [
                IPv6Datagram.fragment(offset: 640, more: more, identification: 0x0102_0408)
            ])
            let four = IPv4Datagram(identification: 0x0408, moreFragments: more, fragmentOffset: 640, ttl: 63)
            #expect(try translate6(six.raw(6, payload(length))) == .packet(four.raw(6, payload(length))))
        }
    }

    @Test func `an atomic fragment is a whole packet with an identification`() throws {
        let six = IPv6Datagram(extensions: [IPv6Datagram.fragment(offset: 0, more: false, identification: 0x0102_0408)])
        let four = IPv4Datagram(identification: 0x0408, ttl: 63)
        #expect(try translate6(six.packet(17, udp(1, 2, [9]))) == .packet(four.packet(17, udp(1, 2, [9]))))
        #expect(
            try translate6(six.packet(58, echo(128, identifier: 1, [9])))
                == .packet(four.packet(1, echo(8, identifier: 1, [9]))))
        #expect(try translate6(six.raw(59, [])) == .packet(four.raw(59, [])))
    }

    @Test func `reassembled fragments have a right checksum`() throws {
        let whole = Array(IPv6Datagram().packet(17, udp(1, 2, payload(100)))[40...])
        let first = IPv6Datagram(extensions: [IPv6Datagram.fragment(offset: 0, more: true, identification: 5)])
        let second = IPv6Datagram(extensions: [IPv6Datagram.fragment(offset: 64, more: false, identification: 5)])
        guard case .packet(let one) = try translate6(first.raw(17, Array(whole[..<64]))),
            case .packet(let two) = try translate6(second.raw(17, Array(whole[64...])))
        else {
            Issue.record("dropped")
            return
        }
        let four = IPv4Datagram(identification: 5, ttl: 63)
        #expect(four.raw(17, Array(one[20...] + two[20...])) == four.packet(17, udp(1, 2, payload(100))))
    }

    @Test func `an extension header behind the fragment header is refused`() throws {
        let headers = [
            RFC7915Section5_1Tests.hopByHop, RFC7915Section5_1Tests.destination,
            RFC7915Section5_1Tests.routing(segmentsLeft: 0),
        ]
        for header in headers {
            for chain in [[], [header]] {
                for offset in [0, 80] {
                    let fragment = IPv6Datagram.fragment(offset: offset, more: true, identification: 1)
                    let packet = IPv6Datagram(extensions: chain + [fragment, header]).packet(6, tcp(1, 2, payload(24)))
                    #expect(
                        try translate6(packet)
                            == .dropped(.headerAfterFragment, answer: .ipv6(.administrativelyProhibited)))
                }
            }
        }
    }

    @Test func `fragmented ICMP is not translated`() throws {
        for offset in [0, 80] {
            let six = IPv6Datagram(extensions: [IPv6Datagram.fragment(offset: offset, more: true, identification: 1)])
            #expect(try translate6(six.packet(58, echo(128, identifier: 1, payload(64)))) == .dropped(.fragmentedICMP))
        }
    }
}
