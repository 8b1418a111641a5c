// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// Packets that stand for a train of segments, and packets whose checksum is for the kernel to finish.
@Suite struct SuperPacketTests {
    static let options: [UInt8] = [1, 1, 8, 10] + payload(8)
    static let six = IPv6Datagram()
    static let four = IPv4Datagram(dontFragment: true)

    static func six(_ upperLayer: UInt8, _ transport: [UInt8]) -> [UInt8] {
        let pseudoHeader = pseudoHeader(six.source, six.destination, upperLayer, transport.count)
        return six.raw(upperLayer, partial(transport, field: upperLayer == 6 ? 16 : 6, pseudoHeader: pseudoHeader))
    }

    static func four(_ upperLayer: UInt8, _ transport: [UInt8], _ header: IPv4Datagram = four) -> [UInt8] {
        let pseudoHeader = pseudoHeader(four.source, four.destination, upperLayer, transport.count)
        return header.raw(upperLayer, partial(transport, field: upperLayer == 6 ? 16 : 6, pseudoHeader: pseudoHeader))
    }

    static let tuple4 = Tuple4(
        source: outgoing4.source, sourcePort: 1, destination: outgoing4.destination, destinationPort: 2)
    static let tuple6 = Tuple6(
        source: outgoing6.source, sourcePort: 1, destination: outgoing6.destination, destinationPort: 2)

    /// Translates and checks the packet and what is left to the kernel.
    static func expect(
        six packet: [UInt8], _ offload: Offload, becomes expected: [UInt8], _ expectedOffload: Offload
    ) throws {
        var buffer = PacketBuffer(packet, offload: offload)
        var translator = HeaderTranslator(seed: 0x1234)
        #expect(translator.translate(&buffer, try IPv6Layout(buffer.bytes), to: tuple4) == .translated)
        #expect(buffer.octets == expected)
        #expect(buffer.offload == expectedOffload)
    }

    static func expect(
        four packet: [UInt8], _ offload: Offload, becomes expected: [UInt8], _ expectedOffload: Offload
    ) throws {
        var buffer = PacketBuffer(packet, offload: offload)
        var translator = HeaderTranslator(seed: 0x1234)
        #expect(translator.translate(&buffer, try IPv4Layout(buffer.bytes), to: tuple6) == .translated)
        #expect(buffer.octets == expected)
        #expect(buffer.offload == expectedOffload)
    }

    // MARK: - Whole

    @Test(arguments: [1, 1428, 1429, 20_000, 65_000])
    func `a TCP super-packet is one header rewrite`(length: Int) throws {
        let transport = tcp(1, 2, flags: 0x99, options: Self.options, payload(length))
        var six = Offload.segments(.tcpIPv6, size: 1428, ipHeader: 40, transportHeader: 32)
        six.hasECN = true
        var four = Offload.segments(.tcpIPv4, size: 1428, ipHeader: 20, transportHeader: 32)
        four.hasECN = true
        let header = IPv4Datagram(identification: length == 1 ? 0x1234 : 0, dontFragment: length > 1, ttl: 63)
        try Self.expect(six: Self.six(6, transport), six, becomes: Self.four(6, transport, header), four)
        var back = IPv6Datagram(hopLimit: 63).header(6, transport.count)
        back += Self.six(6, transport)[40...]
        try Self.expect(four: Self.four(6, transport), four, becomes: back, six)
    }

    @Test func `a UDP super-packet is one header rewrite`() throws {
        let transport = udp(1, 2, payload(10_000))
        let six = Offload.segments(.udp, size: 1400, ipHeader: 40, transportHeader: 8)
        let four = Offload.segments(.udp, size: 1400, ipHeader: 20, transportHeader: 8)
        let header = IPv4Datagram(dontFragment: true, ttl: 63)
        try Self.expect(six: Self.six(17, transport), six, becomes: Self.four(17, transport, header), four)
        let back = IPv6Datagram(hopLimit: 63).header(17, transport.count) + Self.six(17, transport)[40...]
        try Self.expect(four: Self.four(17, transport), four, becomes: back, six)
    }

    @Test func `a partial checksum stays partial`() throws {
        for upperLayer: UInt8 in [6, 17] {
            let transport = upperLayer == 6 ? tcp(1, 2, payload(99)) : udp(1, 2, payload(99))
            var six = Offload()
            six.hasPartialChecksum = true
            six.checksumStart = 40
            six.checksumOffset = upperLayer == 6 ? 16 : 6
            var four = six
            four.checksumStart = 20
            let header = IPv4Datagram(identification: 0x1234, ttl: 63)
            try Self.expect(
                six: Self.six(upperLayer, transport), six, becomes: Self.four(upperLayer, transport, header), four)
            let back =
                IPv6Datagram(hopLimit: 63).header(upperLayer, transport.count) + Self.six(upperLayer, transport)[40...]
            try Self.expect(four: Self.four(upperLayer, transport), four, becomes: back, six)
        }
    }

    @Test func `a partial ICMP checksum is completed`() throws {
        let transport = echo(128, identifier: 1, payload(9))
        let pseudoHeader = pseudoHeader(Self.six.source, Self.six.destination, 58, transport.count)
        var offload = Offload()
        offload.hasPartialChecksum = true
        offload.checksumStart = 40
        offload.checksumOffset = 2
        let packet = Self.six.raw(58, partial(transport, field: 2, pseudoHeader: pseudoHeader))
        #expect(
            try translate6(packet, offload: offload)
                == .packet(IPv4Datagram(identification: 0x1234, ttl: 63).packet(1, echo(8, identifier: 1, payload(9)))))
    }

    // MARK: - In pieces

    @Test func `what IPv4 cannot hold is segmented`() throws {
        let data = payload(65_535 - 32 - 10)
        let transport = tcp(1, 2, sequence: 0xffff_f000, flags: 0x99, options: Self.options, data)
        let offload = Offload.segments(.tcpIPv6, size: 1428, ipHeader: 40, transportHeader: 32)
        let segments = slowSegments(
            sequence: 0xffff_f000, flags: 0x99, options: Self.options, data, size: 1428)
        let expected = segments.map { IPv4Datagram(dontFragment: true, ttl: 63).packet(6, $0) }
        // The pieces' identifications count on from zero, which with DF set means nothing.
        guard case .pieces(var pieces) = try translate6(Self.six(6, transport), offload: offload) else {
            Issue.record("65,545 octets are more than 65,535")
            return
        }
        #expect(pieces.count == expected.count)
        for index in pieces.indices { pieces[index].replaceSubrange(4..<6, with: [0, 0]) }
        #expect(pieces.map { Array($0[12...]) } == expected.map { Array($0[12...]) })
        #expect(pieces.map { Array($0[..<10]) } == expected.map { Array($0[..<10]) })
    }

    @Test func `segments that may be fragmented have identifications of their own`() throws {
        let data = payload(65_535 - 20 - 10)
        let offload = Offload.segments(.tcpIPv6, size: 1000, ipHeader: 40, transportHeader: 20)
        let expected = slowSegments(sequence: 1000, flags: 0x18, options: [], data, size: 1000).enumerated().map {
            IPv4Datagram(identification: 0x1234 + UInt16($0), ttl: 63).packet(6, $1)
        }
        #expect(try translate6(Self.six(6, tcp(1, 2, flags: 0x18, data)), offload: offload) == .pieces(expected))
    }

    @Test func `the size of a segment is what counts`() throws {
        let transport = tcp(1, 2, payload(20_000))
        let large = Offload.segments(.tcpIPv6, size: 1441, ipHeader: 40, transportHeader: 20)
        let options = TranslationOptions(ipv4MTU: 1480)
        #expect(
            try translate6(Self.six(6, transport), options: options, offload: large)
                == .dropped(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1500))))
        let fitting = Offload.segments(.tcpIPv6, size: 1440, ipHeader: 40, transportHeader: 20)
        guard case .packet = try translate6(Self.six(6, transport), options: options, offload: fitting) else {
            Issue.record("1480 octets are not more than 1480")
            return
        }
        let four = Offload.segments(.tcpIPv4, size: 1460, ipHeader: 20, transportHeader: 20)
        #expect(
            try translate4(Self.four(6, transport), offload: four)
                == .dropped(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: 1480))))
    }

    @Test func `segments without DF that do not fit are fragmented one by one`() throws {
        let four = IPv4Datagram(identification: 500)
        let data = payload(3000)
        let offload = Offload.segments(.udp, size: 1400, ipHeader: 20, transportHeader: 8)
        var expected: [[UInt8]] = []
        for (index, datagram) in slowDatagrams(data, size: 1400).enumerated() {
            let whole = Array(IPv6Datagram(hopLimit: 63).packet(17, datagram)[40...])
            if whole.count <= 1240 {
                expected.append(IPv6Datagram(hopLimit: 63).raw(17, whole))
                continue
            }
            for (offset, more) in [(0, true), (1232, false)] {
                let fragment = IPv6Datagram.fragment(offset: offset, more: more, identification: 500 + UInt32(index))
                expected.append(
                    IPv6Datagram(hopLimit: 63, extensions: [fragment]).raw(
                        17, Array(whole[offset..<min(offset + 1232, whole.count)])))
            }
        }
        #expect(try translate4(Self.four(17, udp(1, 2, data), four), offload: offload) == .pieces(expected))
    }

    @Test(arguments: [68, 84, 100, 576])
    func `segments are fragmented for the smallest IPv4 links`(mtu: Int) throws {
        let data = payload(2500)
        let offload = Offload.segments(.tcpIPv6, size: 1000, ipHeader: 40, transportHeader: 32)
        let transport = tcp(1, 2, flags: 0x10, options: Self.options, data)
        guard
            case .pieces(let pieces) = try translate6(
                Self.six(6, transport), options: TranslationOptions(ipv4MTU: mtu), offload: offload)
        else {
            Issue.record("1052 octets are more than \(mtu)")
            return
        }
        // Put together again by identification, they are the segments.
        var datagrams: [UInt16: [UInt8]] = [:]
        for piece in pieces {
            #expect(piece.count <= mtu)
            let layout = try IPv4Layout(piece.span)
            let identification = UInt16(layout.fragment.identification)
            #expect(datagrams[identification, default: []].count == layout.fragment.offset)
            datagrams[identification, default: []] += piece[20...]
        }
        let segments = slowSegments(sequence: 1000, flags: 0x10, options: Self.options, data, size: 1000)
        #expect(datagrams.count == segments.count)
        for (index, segment) in segments.enumerated() {
            let whole = IPv4Datagram(ttl: 63).packet(6, segment)[20...]
            #expect(datagrams[0x1234 + UInt16(index)] == Array(whole))
        }
    }

    // MARK: - Refused

    @Test func `an offload that does not fit the packet is refused`() throws {
        let transport = tcp(1, 2, payload(3000))
        var wrong: [Offload] = [
            .segments(.tcpIPv4, size: 1000, ipHeader: 40, transportHeader: 20),
            .segments(.udp, size: 1000, ipHeader: 40, transportHeader: 20),
            .segments(.tcpIPv6, size: 0, ipHeader: 40, transportHeader: 20),
        ]
        var elsewhere = Offload.segments(.tcpIPv6, size: 1000, ipHeader: 40, transportHeader: 20)
        elsewhere.checksumStart = 41
        wrong.append(elsewhere)
        var outside = Offload()
        outside.hasPartialChecksum = true
        outside.checksumStart = .max
        outside.checksumOffset = .max
        wrong.append(outside)
        for offload in wrong {
            #expect(try translate6(Self.six(6, transport), offload: offload) == .dropped(.unsupportedOffload))
        }
    }

    @Test func `a fragment with a partial checksum is refused`() throws {
        var offload = Offload()
        offload.hasPartialChecksum = true
        offload.checksumStart = 20
        offload.checksumOffset = 6
        let packet = IPv4Datagram(moreFragments: true).packet(17, udp(1, 2, payload(8)))
        #expect(try translate4(packet, offload: offload) == .dropped(.unsupportedOffload))
    }
}
