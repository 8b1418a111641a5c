import Testing
import Translation
import Wire

/// RFC 7915 §5.1: translating IPv6 headers into IPv4 headers.
@Suite struct RFC7915Section5_1Tests {
    /// What the header becomes for a packet of 1260 octets or less: identification from the generator, DF clear.
    static func small(_ change: (inout IPv4Test) -> Void = { _ in }) -> IPv4Test {
        var test = IPv4Test(identification: 0x1234, ttl: 63)
        change(&test)
        return test
    }

    @Test func goldenUDPPacket() throws {
        // IP6 2001:db8:1c0:2:21::.5000 > 2001:db8:1c6:3364:2::.53: UDP, length 4
        let packet = hex(
            """
            60000000 000c 11 40 20010db801c000020021000000000000 20010db801c633640002000000000000
            1388 0035 000c bbfa de ad be ef
            """)
        #expect(packet == IPv6Test().packet(17, udp(5000, 53, [0xde, 0xad, 0xbe, 0xef])))
        // IP 192.0.2.33.5000 > 198.51.100.2.53: UDP, length 4
        let expected = hex(
            """
            4500 0020 1234 0000 3f 11 7d42 c0000221 c6336402
            1388 0035 000c 6224 de ad be ef
            """)
        #expect(try translate6(packet) == .packet(expected))
    }

    @Test(arguments: [0, 1, 2, 3, 7, 8, 100, 1219, 1220])
    func everyTransportIsTranslatedWithItsChecksum(length: Int) throws {
        let data = payload(length)
        let six = IPv6Test()
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

    @Test func portsAndIdentifiersAreTheOutgoingTuples() throws {
        let data = payload(50)
        let six = IPv6Test()
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
}
