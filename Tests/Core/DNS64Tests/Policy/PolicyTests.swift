// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Testing
import Translation
import Wire

@Suite("Policies")
struct PolicyTests {
    @Test(arguments: [(32, 72), (40, 80), (48, 88), (56, 96), (64, 104), (96, 128)])
    func `a suffix has room behind the IPv4 address and octet u only (RFC 6052 §2.2)`(length: Int, reserved: Int) throws
    {
        let prefix = try Pref64(#require(IPv6Prefix(IPv6Address("2001:db8::")!, length: length)))
        var clause = SynthesisPolicy.Clause(prefix: prefix)
        let tooLong = IPv6Address(bits: 1 << UInt128(128 - reserved))
        #expect(throws: SynthesisPolicy.Clause.SuffixError.overlap(tooLong, reservedBits: reserved)) {
            try clause.append(suffix: tooLong)
        }
        #expect(clause.suffix == .unspecified)
        guard reserved < 128 else { return }
        let longest = IPv6Address(bits: tooLong.bits - 1)
        try clause.append(suffix: longest)
        #expect(clause.suffix == longest)
    }

    @Test
    func `in an address match list the first that fits decides, and none keeps out`() throws {
        let list = try #require(AddressMatchList(["!10.1.0.0/16", "10.0.0.0/8", "2001:db8::/32", "192.0.2.1"]))
        func contains(_ text: String) -> Bool {
            IPAddress(text).map(list.contains) ?? false
        }
        #expect(contains("10.2.0.1") && contains("2001:db8::1") && contains("192.0.2.1"))
        #expect(!contains("10.1.0.1") && !contains("192.0.2.2") && !contains("2001:db9::1"))
        #expect(AddressMatchList.any.contains(.ipv4(IPv4Address(1, 2, 3, 4))))
        #expect(!AddressMatchList.none.contains(.ipv4(IPv4Address(1, 2, 3, 4))))
        #expect(AddressMatchList(["10.0.0.1/8"]) == nil && AddressMatchList(["everyone"]) == nil)
    }

    @Test
    func `a set of names holds what is below them`() throws {
        let set = NameSet.below([try DomainName("shop.test")])
        #expect(try set.contains(DomainName("shop.test")) && set.contains(DomainName("a.SHOP.test")))
        #expect(try !set.contains(DomainName("test")) && !NameSet.none.contains(DomainName("a.test")))
        #expect(try NameSet.all.contains(DomainName("test")))
    }
}
