// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 7757 §4: hairpinning, with the addresses of appendix B and of Jool's conformance tests.
@Suite struct RFC7757Section4Tests {
    static func translator(options: TranslationOptions = TranslationOptions()) throws -> StatelessTranslator {
        let mapping = try #require(
            ExplicitAddressMapping(IPv4Prefix("1.0.0.0/24")!, IPv6Prefix("2001:db8:3::/120")!))
        let addresses = StatelessAddresses(
            mappings: try ExplicitAddressMappingTable([mapping]), prefix: try Pref64("2001:db8:100::/40"))
        return StatelessTranslator(addresses, options: options, seed: 0)
    }

    static func translate(
        _ packet: [UInt8], options: TranslationOptions = TranslationOptions()
    ) throws -> (outcome: TranslationOutcome, packet: [UInt8]) {
        var translator = try translator(options: options)
        var buffer = PacketBuffer(packet)
        let outcome = translator.translate(&buffer)
        return (outcome, buffer.octets)
    }

    static let eight = IPv6Address("2001:db8:3::8")!
    static let nine = IPv6Address("2001:db8:3::9")!
    static let convertedEight = IPv6Address("2001:db8:101:0:8::")!
    static let convertedNine = IPv6Address("2001:db8:101:0:9::")!

    @Test func `mapped hosts reach each other under the Pref64`() throws {
        for length in [0, 4, 1300, 1452] {
            let there = IPv6Datagram(source: Self.eight, destination: Self.convertedNine)
            let arrived = IPv6Datagram(source: Self.convertedEight, destination: Self.nine, hopLimit: 63)
            let (outcome, packet) = try Self.translate(there.packet(17, udp(1, 2, payload(length))))
            #expect(outcome == .translated)
            #expect(packet == arrived.packet(17, udp(1, 2, payload(length))))
        }
    }

    @Test func `an error comes back to the sender`() throws {
        // The packet that 2001:db8:3::9 received, and sends an error about; and that packet as 2001:db8:3::8 had sent it.
        let got = IPv6Datagram(source: Self.convertedEight, destination: Self.nine, hopLimit: 5).packet(
            17, udp(1, 2, [7]))
        let sent = IPv6Datagram(source: Self.eight, destination: Self.convertedNine, hopLimit: 5).packet(
            17, udp(1, 2, [7]))
        let error = IPv6Datagram(source: Self.nine, destination: Self.convertedEight).packet(58, icmp(1, 4, got))
        let arrived = IPv6Datagram(source: Self.convertedNine, destination: Self.eight, hopLimit: 63)
        let (outcome, packet) = try Self.translate(error)
        #expect(outcome == .translated)
        #expect(packet == arrived.packet(58, icmp(1, 4, sent)))
    }

    @Test func `the IPv4 MTU does not matter`() throws {
        let there = IPv6Datagram(source: Self.eight, destination: Self.convertedNine)
        let (outcome, _) = try Self.translate(
            there.packet(6, tcp(1, 2, payload(1440))), options: TranslationOptions(ipv4MTU: 576))
        #expect(outcome == .translated)
    }

    @Test func `a packet too big for the IPv6 side is answered in IPv6`() throws {
        let there = IPv6Datagram(source: Self.eight, destination: Self.convertedNine)
        let (outcome, _) = try Self.translate(
            there.packet(6, tcp(1, 2, payload(1440))), options: TranslationOptions(ipv6MTU: 1400))
        #expect(outcome == .dropped(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1400))))
    }

    @Test func `a destination that is mapped itself is no hairpin`() throws {
        let six = IPv6Datagram(source: Self.eight, destination: Self.nine)
        let (outcome, packet) = try Self.translate(six.packet(17, udp(1, 2, [])))
        #expect(outcome == .translated)
        #expect(
            packet
                == IPv4Datagram(source: IPv4Address(1, 0, 0, 8), destination: IPv4Address(1, 0, 0, 9), ttl: 63)
                .packet(17, udp(1, 2, [])))
    }
}
