// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 6052 §3.1: "The Well-Known Prefix MUST NOT be used to represent non-global IPv4 addresses", which are those of RFC 6890's
/// registry.
@Suite struct RFC6052Section3_1Tests {
    /// The first and the last address of each block that is not global.
    @Test(arguments: [
        ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.8"), ("192.0.0.11", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"),
        ("192.168.0.0", "192.168.255.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "255.255.255.255"),
    ])
    func `a block of the registry is not global and its neighbours are`(first: String, last: String) throws {
        let first = try #require(IPv4Address(first))
        let last = try #require(IPv4Address(last))
        #expect(!first.isGlobal)
        #expect(!last.isGlobal)
        if first.bits > 0 { #expect(IPv4Address(bits: first.bits - 1).isGlobal) }
        if last.bits < .max { #expect(IPv4Address(bits: last.bits + 1).isGlobal) }
    }

    static func translator(_ prefix: String, exempt: [IPv4Prefix] = []) throws -> StatelessTranslator {
        let hosts = try #require(
            ExplicitAddressMapping(IPv4Prefix("8.8.8.0/24")!, IPv6Prefix("2001:db8:8::/120")!))
        let addresses = StatelessAddresses(
            mappings: try ExplicitAddressMappingTable([hosts]), prefix: try Pref64(prefix), exemptIPv4: exempt)
        return StatelessTranslator(addresses, seed: 0)
    }

    @Test func `the well-known prefix does not carry non global addresses`() throws {
        var translator = try Self.translator("64:ff9b::/96")
        let there = IPv6Datagram(source: IPv6Address("2001:db8:8::1")!, destination: IPv6Address("64:ff9b::10.0.0.1")!)
        var packet = PacketBuffer(there.packet(17, udp(1, 2, [])))
        #expect(
            translator.translate(&packet) == .dropped(.nonGlobalIPv4, answer: .ipv6(.administrativelyProhibited)))
        let back = IPv4Datagram(source: IPv4Address(10, 0, 0, 1), destination: IPv4Address(8, 8, 8, 1))
        packet = PacketBuffer(back.packet(17, udp(1, 2, [])))
        #expect(
            translator.translate(&packet)
                == .dropped(.nonGlobalIPv4, answer: .ipv4(.communicationAdministrativelyProhibited)))
    }

    @Test func `exempt addresses other prefixes and global addresses pass`() throws {
        for (prefix, destination, exempt) in [
            ("64:ff9b::/96", "64:ff9b::198.51.100.10", [IPv4Prefix("198.51.100.0/24")!]),
            ("64:ff9b:1::/96", "64:ff9b:1::10.0.0.1", []), ("64:ff9b::/96", "64:ff9b::1.1.1.1", []),
        ] {
            var translator = try Self.translator(prefix, exempt: exempt)
            let six = IPv6Datagram(source: IPv6Address("2001:db8:8::1")!, destination: IPv6Address(destination)!)
            var packet = PacketBuffer(six.packet(17, udp(1, 2, [])))
            #expect(translator.translate(&packet) == .translated)
        }
    }
}
