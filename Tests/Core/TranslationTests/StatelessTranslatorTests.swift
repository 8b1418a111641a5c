// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// Stateless translation as a whole: explicit mappings for the hosts, a Pref64 for the others.
@Suite struct StatelessTranslatorTests {
    static let host6 = IPv6Address("2001:db8:3::8")!
    static let host4 = IPv4Address(1, 0, 0, 8)
    static let server6 = IPv6Address("64:ff9b::8.8.8.8")!
    static let server4 = IPv4Address(8, 8, 8, 8)

    static func translator(errorSources: ErrorSources = ErrorSources()) throws -> StatelessTranslator {
        let mapping = try #require(
            ExplicitAddressMapping(IPv4Prefix("1.0.0.0/24")!, IPv6Prefix("2001:db8:3::/120")!))
        let addresses = StatelessAddresses(
            mappings: try ExplicitAddressMappingTable([mapping]), prefix: .wellKnown, errorSources: errorSources)
        return StatelessTranslator(addresses, seed: 0)
    }

    static func translate(
        _ packet: [UInt8], errorSources: ErrorSources = ErrorSources()
    ) throws -> Result {
        var translator = try translator(errorSources: errorSources)
        var buffer = PacketBuffer(packet)
        let outcome = translator.translate(&buffer)
        return result(of: outcome, buffer, original: packet)
    }

    static let six = IPv6Datagram(source: host6, destination: server6)
    static let four = IPv4Datagram(source: server4, destination: host4)

    @Test func `any protocol goes both ways`() throws {
        let four = IPv4Datagram(source: Self.host4, destination: Self.server4, ttl: 63)
        let six = IPv6Datagram(source: Self.server6, destination: Self.host6, hopLimit: 63)
        for (number, transport) in [
            (6, tcp(1, 2, payload(5))), (17, udp(1, 2, payload(5))), (132, payload(12)), (253, payload(3)),
        ] as [(UInt8, [UInt8])] {
            #expect(try Self.translate(Self.six.packet(number, transport)) == .packet(four.packet(number, transport)))
            #expect(try Self.translate(Self.four.packet(number, transport)) == .packet(six.packet(number, transport)))
        }
        #expect(
            try Self.translate(Self.six.packet(58, echo(128, identifier: 3, [])))
                == .packet(four.packet(1, echo(8, identifier: 3, []))))
    }

    @Test func `errors go both ways`() throws {
        let sent4 = IPv4Datagram(source: Self.host4, destination: Self.server4).packet(17, udp(1, 2, [3]))
        let sent6 = IPv6Datagram(source: Self.host6, destination: Self.server6).packet(17, udp(1, 2, [3]))
        #expect(
            try Self.translate(Self.four.packet(1, icmp(3, 3, sent4)))
                == .packet(
                    IPv6Datagram(source: Self.server6, destination: Self.host6, hopLimit: 63)
                        .packet(58, icmp(1, 4, sent6))))
        let got4 = IPv4Datagram(source: Self.server4, destination: Self.host4).packet(17, udp(1, 2, [3]))
        let got6 = IPv6Datagram(source: Self.server6, destination: Self.host6).packet(17, udp(1, 2, [3]))
        #expect(
            try Self.translate(Self.six.packet(58, icmp(1, 4, got6)))
                == .packet(
                    IPv4Datagram(source: Self.host4, destination: Self.server4, ttl: 63).packet(1, icmp(3, 3, got4))))
    }

    @Test func `addresses without a counterpart are refused`() throws {
        let elsewhere = IPv6Address("2001:db8:9::1")!
        let refused = Result.dropped(.noAddressMapping, answer: .ipv6(.administrativelyProhibited))
        #expect(
            try Self.translate(IPv6Datagram(source: elsewhere, destination: Self.server6).packet(17, udp(1, 2, [])))
                == refused)
        #expect(
            try Self.translate(IPv6Datagram(source: Self.host6, destination: elsewhere).packet(17, udp(1, 2, [])))
                == refused)
        var translator = try Self.translator()
        translator.addresses.prefix = nil
        var buffer = PacketBuffer(Self.four.packet(17, udp(1, 2, [])))
        #expect(
            translator.translate(&buffer)
                == .dropped(.noAddressMapping, answer: .ipv4(.communicationAdministrativelyProhibited)))
    }

    @Test(arguments: ["::", "::1", "ff02::1", "fe80::1"])
    func `illegal IPv6 sources are dropped silently`(source: String) throws {
        let packet = IPv6Datagram(source: IPv6Address(source)!, destination: Self.server6).packet(17, udp(1, 2, []))
        #expect(try Self.translate(packet) == .dropped(.illegalSource))
    }

    @Test(arguments: ["224.0.0.1", "255.255.255.255"])
    func `multicast and broadcast are not translated`(destination: String) throws {
        let packet = IPv4Datagram(source: Self.server4, destination: IPv4Address(destination)!).packet(
            17, udp(1, 2, []))
        #expect(try Self.translate(packet) == .dropped(.illegalDestination))
    }

    @Test func `what is not a packet is dropped`() throws {
        #expect(try Self.translate([]) == .dropped(.truncated))
        #expect(try Self.translate([0x50]) == .dropped(.truncated))
        #expect(try Self.translate(Array(repeating: 0x50, count: 40)) == .dropped(.notIP))
        var wrong = Self.four.packet(17, udp(1, 2, []))
        wrong[8] ^= 1
        #expect(try Self.translate(wrong) == .dropped(.wrongIPv4HeaderChecksum))
        #expect(try Self.translate(Self.six.raw(58, icmp(1, 4, payload(30)))) == .dropped(.malformedICMPError))
        #expect(try Self.translate(Self.four.packet(1, icmp(3, 3, payload(20)))) == .dropped(.malformedICMPError))
    }
}
