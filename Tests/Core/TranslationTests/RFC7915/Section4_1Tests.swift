// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 7915 §4.1: translating IPv4 headers into IPv6 headers.
@Suite struct RFC7915Section4_1Tests {
    static let expected = IPv6Datagram(hopLimit: 63)
    /// lowest-ipv6-mtu out of the way.
    static let roomy = TranslationOptions(lowestIPv6MTU: 1500)

    @Test func `golden TCP packet`() throws {
        // IP 192.0.2.33.80 > 198.51.100.2.40000: Flags [.], seq 1000:1003, ack 2000, win 4096, length 3
        let packet = hex(
            """
            4510 002b 0000 4000 40 06 4e66 c0000221 c6336402
            0050 9c40 000003e8 000007d0 5010 1000 fb29 0000 01 08 0f
            """)
        // IP6 (class 0x10) 2001:db8:1c0:2:21::.80 > 2001:db8:1c6:3364:2::.40000: Flags [.], seq 1000:1003, ack 2000, win 4096,
        // length 3
        let expected = hex(
            """
            61000000 0017 06 3f 20010db801c000020021000000000000 20010db801c633640002000000000000
            0050 9c40 000003e8 000007d0 5010 1000 5500 0000 01 08 0f
            """)
        #expect(try translate4(packet) == .packet(expected))
    }

    @Test(arguments: [0, 1, 2, 3, 7, 8, 100, 1219, 1220])
    func `every transport is translated with its checksum`(length: Int) throws {
        let data = payload(length)
        for four in [IPv4Datagram(), IPv4Datagram(dontFragment: true)] {
            let six = Self.expected
            #expect(try translate4(four.packet(17, udp(1, 2, data))) == .packet(six.packet(17, udp(1, 2, data))))
            #expect(try translate4(four.packet(6, tcp(1, 2, data))) == .packet(six.packet(6, tcp(1, 2, data))))
        }
    }

    @Test func `ports and identifiers are the outgoing tuple's`() throws {
        let data = payload(50)
        let four = IPv4Datagram()
        let six = Self.expected
        #expect(
            try translate4(four.packet(17, udp(1, 2, data)), ports: (443, 5000))
                == .packet(six.packet(17, udp(443, 5000, data))))
        #expect(
            try translate4(four.packet(6, tcp(1, 2, data)), ports: (443, 5000))
                == .packet(six.packet(6, tcp(443, 5000, data))))
        #expect(
            try translate4(four.packet(1, echo(0, identifier: 9, data)), ports: (77, 77))
                == .packet(six.packet(58, echo(129, identifier: 77, data))))
    }

    @Test func `the traffic class is the TOS octet unless zeroed`() throws {
        let packet = IPv4Datagram(tos: 0xb9).packet(17, udp(1, 2, []))
        #expect(
            try translate4(packet) == .packet(IPv6Datagram(trafficClass: 0xb9, hopLimit: 63).packet(17, udp(1, 2, []))))
        #expect(
            try translate4(packet, options: TranslationOptions(zeroesTrafficClass: true))
                == .packet(Self.expected.packet(17, udp(1, 2, []))))
    }

    @Test func `a TTL that runs out is answered`() throws {
        for ttl: UInt8 in 0...1 {
            #expect(
                try translate4(IPv4Datagram(ttl: ttl).packet(17, udp(1, 2, [])))
                    == .dropped(.hopLimitExceeded, answer: .ipv4(.ttlExceeded)))
        }
        #expect(
            try translate4(IPv4Datagram(ttl: 2).packet(17, udp(1, 2, [])))
                == .packet(IPv6Datagram(hopLimit: 1).packet(17, udp(1, 2, []))))
    }

    @Test func `options are left behind`() throws {
        // Security, record route, timestamp, no operation and end of options; expired source routes.
        let lists: [[UInt8]] = [
            [130, 11] + payload(9) + [0],
            [7, 11, 8, 198, 51, 100, 2, 0, 0, 0, 0, 0],
            [68, 20, 13, 1, 198, 51, 100, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [1, 1, 1, 1],
            [131, 11, 12, 198, 51, 100, 2, 198, 51, 100, 1, 0],
            [137, 11, 12, 198, 51, 100, 2, 198, 51, 100, 1, 0],
            // Nonsense: a length beyond the header, a length of zero, an option without a length.
            [131, 200, 4, 0], [131, 0, 4, 0], [1, 1, 1, 131],
        ]
        for options in lists {
            #expect(
                try translate4(IPv4Datagram(options: options).packet(6, tcp(1, 2, [1])))
                    == .packet(Self.expected.packet(6, tcp(1, 2, [1]))))
        }
    }

    @Test(arguments: [131, 137] as [UInt8])
    func `an unexpired source route is refused`(option: UInt8) throws {
        let options: [UInt8] = [1, option, 11, 4, 198, 51, 100, 2, 198, 51, 100, 1]
        #expect(
            try translate4(IPv4Datagram(options: options).packet(6, tcp(1, 2, [])))
                == .dropped(.sourceRoute, answer: .ipv4(.sourceRouteFailed)))
    }

    @Test func `illegal sources are dropped`() throws {
        for text in ["0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"] {
            #expect(
                try translate4(IPv4Datagram(source: IPv4Address(text)!).packet(17, udp(1, 2, [])))
                    == .dropped(.illegalSource))
        }
    }

    @Test func `other protocols are forwarded as they are`() throws {
        for number: UInt8 in [2, 33, 47, 50, 51, 59, 132, 136, 253] {
            #expect(
                try translate4(IPv4Datagram().raw(number, payload(13)))
                    == .packet(Self.expected.raw(number, payload(13))))
            #expect(try translate4(IPv4Datagram().raw(number, [])) == .packet(Self.expected.raw(number, [])))
        }
    }

    @Test(arguments: [0, 43, 44, 58, 60] as [UInt8])
    func `ICMPv6 and extension headers do not come from IPv4`(number: UInt8) throws {
        #expect(try translate4(IPv4Datagram().raw(number, payload(40))) == .dropped(.foreignProtocol))
        #expect(try translate4(IPv4Datagram(fragmentOffset: 80).raw(number, payload(40))) == .dropped(.foreignProtocol))
        let quoted = quoted4.raw(number, payload(40))
        #expect(try translateError4(IPv4Datagram().packet(1, icmp(3, 3, quoted))) == .dropped(.foreignProtocol))
    }

    // MARK: - Size

    @Test func `a packet that fits has no fragment header`() throws {
        for dontFragment in [true, false] {
            let packet = IPv4Datagram(identification: 1234, dontFragment: dontFragment).packet(
                6, tcp(1, 2, payload(1220)))
            #expect(
                try translate4(packet, options: TranslationOptions(ipv6MTU: 1280))
                    == .packet(Self.expected.packet(6, tcp(1, 2, payload(1220)))))
        }
    }

    @Test func `a packet with DF that does not fit is refused`() throws {
        let options = TranslationOptions(ipv6MTU: 1280)
        let whole = IPv4Datagram(dontFragment: true).packet(6, tcp(1, 2, payload(1221)))
        #expect(
            try translate4(whole, options: options)
                == .dropped(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: 1260))))
    }

    @Test func `a fragment with DF that does not fit hears at once of an MTU with room for its fragment header`() throws
    {
        let fragment = IPv4Datagram(identification: 1234, dontFragment: true, moreFragments: true)
        let options = TranslationOptions(ipv6MTU: 1280)
        // The second one would fit without that header.
        for octets in [1224, 1216] {
            #expect(
                try translate4(fragment.raw(6, tcp(1, 2, payload(octets))), options: options)
                    == .dropped(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: 1252))))
        }
        #expect(
            try translate4(fragment.raw(6, tcp(1, 2, payload(1448))))
                == .dropped(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: 1472))))
        guard case .packet = try translate4(fragment.raw(6, tcp(1, 2, payload(1212))), options: options) else {
            Issue.record("1252 octets fit")
            return
        }
    }

    @Test(arguments: [TranslationOptions(ipv6MTU: 1280, lowestIPv6MTU: 1500), TranslationOptions()])
    func `a packet without DF beyond the lowest MTU is fragmented`(options: TranslationOptions) throws {
        let transport = tcp(1, 2, payload(1221))
        let packet = IPv4Datagram(identification: 1234).packet(6, transport)
        let whole = Array(Self.expected.packet(6, transport)[40...])
        let first = IPv6Datagram(
            hopLimit: 63, extensions: [IPv6Datagram.fragment(offset: 0, more: true, identification: 1234)])
        let second = IPv6Datagram(
            hopLimit: 63, extensions: [IPv6Datagram.fragment(offset: 1232, more: false, identification: 1234)])
        #expect(
            try translate4(packet, options: options)
                == .pieces([first.raw(6, Array(whole[..<1232])), second.raw(6, Array(whole[1232...]))]))
    }

    @Test func `the threshold is configurable`() throws {
        let packet = IPv4Datagram().packet(6, tcp(1, 2, payload(1440)))
        #expect(
            try translate4(packet, options: Self.roomy) == .packet(Self.expected.packet(6, tcp(1, 2, payload(1440)))))
        guard case .pieces(let pieces) = try translate4(packet, options: TranslationOptions(lowestIPv6MTU: 1400)) else {
            Issue.record("1500 octets are more than 1400")
            return
        }
        #expect(pieces.map(\.count) == [1400, 156])
        var options = TranslationOptions(ipv6MTU: 100, ipv4MTU: 1, lowestIPv6MTU: 1279)
        #expect(options == TranslationOptions(ipv6MTU: 1280, ipv4MTU: 68, lowestIPv6MTU: 1280))
        options.lowestIPv6MTU = 0
        #expect(options.lowestIPv6MTU == 1280)
    }

    @Test func `a fragmented echo that we cut keeps a checksum over all of it`() throws {
        let transport = echo(8, identifier: 3, payload(3000))
        let whole = Array(Self.expected.packet(58, echo(128, identifier: 3, payload(3000)))[40...])
        guard case .pieces(let pieces) = try translate4(IPv4Datagram(identification: 9).packet(1, transport)) else {
            Issue.record("3048 octets are more than 1280")
            return
        }
        #expect(pieces.flatMap { $0[48...] } == whole)
        #expect(pieces.allSatisfy { $0[6] == 44 && $0[40] == 58 })
    }

    // MARK: - Fragments

    @Test func `a fragment gets a fragment header whatever its DF`() throws {
        for dontFragment in [true, false] {
            for (offset, more) in [(0, true), (80, true), (80, false), (65_528, false)] {
                let four = IPv4Datagram(
                    identification: 0xabcd, dontFragment: dontFragment, moreFragments: more, fragmentOffset: offset)
                let length = offset == 65_528 ? 7 : 64
                let content = offset == 0 ? tcp(1, 2, payload(length)) : payload(length)
                let six = IPv6Datagram(
                    hopLimit: 63,
                    extensions: [IPv6Datagram.fragment(offset: offset, more: more, identification: 0xabcd)])
                guard case .packet(var translated) = try translate4(four.raw(6, content)) else {
                    Issue.record("dropped")
                    continue
                }
                // The checksum of a first fragment changes by the addresses alone; its bytes are checked by reassembly.
                var expected = six.raw(6, content)
                if offset == 0 {
                    expected.replaceSubrange(64..<66, with: [0, 0])
                    translated.replaceSubrange(64..<66, with: [0, 0])
                }
                #expect(translated == expected)
            }
        }
    }

    @Test func `reassembled fragments have a right checksum`() throws {
        let four = IPv4Datagram(identification: 77)
        let whole = Array(four.packet(17, udp(1, 2, payload(100)))[20...])
        var first = four
        first.moreFragments = true
        var second = four
        second.fragmentOffset = 64
        guard case .packet(let one) = try translate4(first.raw(17, Array(whole[..<64]))),
            case .packet(let two) = try translate4(second.raw(17, Array(whole[64...])))
        else {
            Issue.record("dropped")
            return
        }
        #expect(
            Self.expected.raw(17, Array(one[48...] + two[48...])) == Self.expected.packet(17, udp(1, 2, payload(100))))
    }

    @Test func `a large fragment is fragmented further`() throws {
        let four = IPv4Datagram(identification: 4321, moreFragments: true, fragmentOffset: 2000)
        func six(_ offset: Int) -> IPv6Datagram {
            IPv6Datagram(
                hopLimit: 63, extensions: [IPv6Datagram.fragment(offset: offset, more: true, identification: 4321)])
        }
        let content = payload(1248)
        #expect(
            try translate4(four.raw(6, content))
                == .pieces([six(2000).raw(6, Array(content[..<1232])), six(3232).raw(6, Array(content[1232...]))]))
    }

    @Test func `fragmented ICMP is not translated`() throws {
        let first = IPv4Datagram(moreFragments: true).packet(1, echo(8, identifier: 1, payload(64)))
        #expect(try translate4(first) == .dropped(.fragmentedICMP))
        let later = IPv4Datagram(fragmentOffset: 80).raw(1, payload(64))
        #expect(try translate4(later) == .dropped(.fragmentedICMP))
    }

    @Test func `padding behind the packet is cut off`() throws {
        let packet = IPv4Datagram().packet(17, udp(1, 2, [1, 2]))
        var buffer = PacketBuffer(packet + [0, 0, 0, 0, 0])
        let layout = try IPv4Layout(buffer.bytes)
        var tuple = outgoing6
        tuple.sourcePort = 1
        tuple.destinationPort = 2
        var translator = HeaderTranslator(seed: 0)
        #expect(translator.translate(&buffer, layout, to: tuple) == .translated)
        #expect(buffer.octets == Self.expected.packet(17, udp(1, 2, [1, 2])))
    }
}
