// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 7915 §4.3 and §5.3: the packet that an ICMP error quotes.
@Suite struct RFC7915Section4_3Tests {
    // MARK: - IPv4 to IPv6

    static func four(_ quoted: [UInt8]) -> [UInt8] { IPv4Datagram().packet(1, icmp(3, 3, quoted)) }
    static func six(_ quoted: [UInt8]) -> [UInt8] { translatedError6.packet(58, icmp(1, 4, quoted)) }

    @Test func `every quoted transport is translated with its checksum`() throws {
        let data = payload(400)
        #expect(
            try translateError4(Self.four(quoted4.packet(17, udp(1, 2, data))))
                == .packet(Self.six(quoted6.packet(17, udp(1, 2, data)))))
        #expect(
            try translateError4(Self.four(quoted4.packet(6, tcp(1, 2, data))))
                == .packet(Self.six(quoted6.packet(6, tcp(1, 2, data)))))
        var inner = outgoingQuoted6
        inner.sourcePort = 5
        inner.destinationPort = 5
        #expect(
            try translateError4(Self.four(quoted4.packet(1, echo(8, identifier: 5, data))), inner: inner)
                == .packet(Self.six(quoted6.packet(58, echo(128, identifier: 5, data)))))
        #expect(
            try translateError4(Self.four(quoted4.raw(132, data))) == .packet(Self.six(quoted6.raw(132, data))))
    }

    @Test func `the quoted packet gets the inner tuple's ports`() throws {
        var inner = outgoingQuoted6
        inner.sourcePort = 5000
        #expect(
            try translateError4(Self.four(quoted4.packet(17, udp(9, 2, [1]))), inner: inner)
                == .packet(Self.six(quoted6.packet(17, udp(5000, 2, [1])))))
        #expect(
            try translateError4(Self.four(quoted4.packet(6, tcp(9, 2, [1]))), inner: inner)
                == .packet(Self.six(quoted6.packet(6, tcp(5000, 2, [1])))))
        inner.sourcePort = 70
        #expect(
            try translateError4(Self.four(quoted4.packet(1, echo(8, identifier: 9, [1]))), inner: inner)
                == .packet(Self.six(quoted6.packet(58, echo(128, identifier: 70, [1])))))
    }

    @Test func `a quote that ends anywhere behind eight octets is enough`() throws {
        let whole4 = quoted4.packet(6, tcp(1, 2, payload(20)))
        let whole6 = quoted6.packet(6, tcp(1, 2, payload(20)))
        for length in 8...40 {
            var six = Array(whole6[..<(40 + length)])
            // Half a checksum cannot be updated.
            if length == 17 { six[56] = whole4[36] }
            #expect(try translateError4(Self.four(Array(whole4[..<(20 + length)]))) == .packet(Self.six(six)))
        }
        for length in 0..<28 {
            #expect(throws: WireError.self) { try translateError4(Self.four(Array(whole4[..<length]))) }
        }
    }

    @Test func `a quoted fragment keeps its place`() throws {
        var four = quoted4
        four.identification = 99
        four.fragmentOffset = 160
        four.moreFragments = true
        var six = quoted6
        six.extensions = [IPv6Datagram.fragment(offset: 160, more: true, identification: 99)]
        #expect(
            try translateError4(Self.four(four.raw(17, payload(64)))) == .packet(Self.six(six.raw(17, payload(64)))))
        #expect(
            try translateError6(IPv6Datagram().packet(58, icmp(1, 4, six.raw(17, payload(64)))))
                == .packet(translatedError4.packet(1, icmp(3, 3, four.raw(17, payload(64))))))
    }

    @Test func `quoted options are left behind`() throws {
        var four = quoted4
        four.options = [1, 1, 1, 0]
        #expect(
            try translateError4(Self.four(four.packet(17, udp(1, 2, payload(9)))))
                == .packet(Self.six(quoted6.packet(17, udp(1, 2, payload(9))))))
    }

    @Test func `an error of more than 1280 octets is cut`() throws {
        for length in [1224, 1444] {
            let quoted = quoted6.packet(17, udp(1, 2, payload(length)))
            #expect(
                try translateError4(Self.four(quoted4.packet(17, udp(1, 2, payload(length)))))
                    == .packet(Self.six(Array(quoted[..<1232]))))
        }
    }

    @Test func `an illegal source is no reason to drop an error`() throws {
        for source in [IPv4Address(127, 0, 0, 1), IPv4Address(0, 0, 0, 0)] {
            let packet = IPv4Datagram(source: source).packet(1, icmp(3, 3, quoted4.packet(17, udp(1, 2, []))))
            #expect(try translateError4(packet) == .packet(Self.six(quoted6.packet(17, udp(1, 2, [])))))
        }
    }

    @Test func `a wrong checksum is not made right`() throws {
        var four = Self.four(quoted4.packet(17, udp(1, 2, [])))
        four[four.count - 1] ^= 1
        #expect(try translateError4(four) == .dropped(.wrongICMPChecksum))
        var six = IPv6Datagram().packet(58, icmp(1, 4, quoted6.packet(17, udp(1, 2, []))))
        six[six.count - 1] ^= 1
        #expect(try translateError6(six) == .dropped(.wrongICMPChecksum))
    }

    @Test func `an error about an error is dropped`() throws {
        let four = quoted4.packet(1, icmp(3, 3, quoted4.packet(17, udp(1, 2, []))))
        #expect(try translateError4(Self.four(four)) == .dropped(.icmpErrorAboutICMPError))
        let six = quoted6.packet(58, icmp(1, 4, quoted6.packet(17, udp(1, 2, []))))
        #expect(
            try translateError6(IPv6Datagram().packet(58, icmp(1, 4, six))) == .dropped(.icmpErrorAboutICMPError))
    }

    @Test func `a quoted message without a counterpart is dropped`() throws {
        #expect(
            try translateError4(Self.four(quoted4.packet(1, icmp(13, 0, payload(12)))))
                == .dropped(.icmpErrorNotTranslated))
        let six = quoted6.packet(58, icmp(135, 0, payload(16)))
        #expect(
            try translateError6(IPv6Datagram().packet(58, icmp(1, 4, six))) == .dropped(.icmpErrorNotTranslated))
    }

    @Test func `a fragmented error is not translated`() throws {
        let packet = IPv4Datagram(moreFragments: true).packet(1, icmp(3, 3, quoted4.packet(17, udp(1, 2, payload(28)))))
        #expect(try translateError4(packet) == .dropped(.fragmentedICMP))
    }

    // MARK: - IPv6 to IPv4

    @Test func `every transport is translated back`() throws {
        let data = payload(304)
        func six(_ quoted: [UInt8]) -> [UInt8] { IPv6Datagram().packet(58, icmp(1, 4, quoted)) }
        func four(_ quoted: [UInt8]) -> [UInt8] { translatedError4.packet(1, icmp(3, 3, quoted)) }
        #expect(
            try translateError6(six(quoted6.packet(17, udp(1, 2, data))))
                == .packet(four(quoted4.packet(17, udp(1, 2, data)))))
        #expect(
            try translateError6(six(quoted6.packet(6, tcp(1, 2, data))))
                == .packet(four(quoted4.packet(6, tcp(1, 2, data)))))
        var inner = outgoingQuoted4
        inner.sourcePort = 6
        #expect(
            try translateError6(six(quoted6.packet(58, echo(129, identifier: 5, data))), inner: inner)
                == .packet(four(quoted4.packet(1, echo(0, identifier: 6, data)))))
    }

    @Test func `an error of more than 576 octets is cut`() throws {
        let six = quoted6.packet(17, udp(1, 2, payload(604)))
        let four = quoted4.packet(17, udp(1, 2, payload(604)))
        #expect(
            try translateError6(IPv6Datagram().packet(58, icmp(1, 4, six)))
                == .packet(translatedError4.packet(1, icmp(3, 3, Array(four[..<548])))))
    }

    @Test func `a quoted packet of more than 1260 octets has DF`() throws {
        let six = quoted6.packet(17, udp(1, 2, payload(1300)))
        var four = quoted4
        four.dontFragment = true
        #expect(
            try translateError6(IPv6Datagram().packet(58, icmp(2, 0, rest: 1300, Array(six[..<1232]))))
                == .packet(
                    translatedError4.packet(
                        1, icmp(3, 4, rest: 1280, Array(four.packet(17, udp(1, 2, payload(1300)))[..<548])))))
    }
}
