// SPDX-License-Identifier: Apache-2.0
import Testing
import Translation
import Wire

/// RFC 6052 §2.4: the text representations, which are the test vectors of §2.2 and §2.3.
@Suite struct RFC6052Section2_4Tests {
    static let address = IPv4Address(192, 0, 2, 33)
    static let table = [
        ("2001:db8::/32", "2001:db8:c000:221::"),
        ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"),
        ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
        ("64:ff9b::/96", "64:ff9b::192.0.2.33"),
    ]

    @Test(arguments: table)
    func `the address is embedded and extracted`(prefix: String, embedded: String) throws {
        let prefix = try Pref64(prefix)
        let embedded = try #require(IPv6Address(embedded))
        #expect(prefix.embed(Self.address) == embedded)
        #expect(prefix.extract(embedded) == Self.address)
        #expect(prefix.contains(embedded))
    }

    @Test(arguments: table)
    func `every bit of the address has its place`(prefix: String, embedded: String) throws {
        let prefix = try Pref64(prefix)
        for bit in 0..<32 {
            let address = IPv4Address(bits: 1 << UInt32(bit))
            #expect(prefix.extract(prefix.embed(address)) == address)
            #expect(prefix.embed(address).octet(8) == 0, "octet u is zero on writing")
        }
        #expect(prefix.extract(prefix.embed(IPv4Address(bits: ~0))) == IPv4Address(bits: ~0))
    }

    @Test(arguments: table)
    func `the suffix is zero on writing and ignored on reading`(prefix: String, embedded: String) throws {
        let prefix = try Pref64(prefix)
        let embedded = prefix.embed(IPv4Address(bits: ~0))
        let used = prefix.prefix.length == 96 ? 128 : prefix.prefix.length + 40
        let suffix: UInt128 = used >= 128 ? 0 : ~0 >> UInt128(used)
        #expect(embedded.bits & suffix == 0)
        #expect(prefix.extract(IPv6Address(bits: embedded.bits | suffix)) == IPv4Address(bits: ~0))
    }

    @Test func `an address outside the prefix stands for nothing`() throws {
        #expect(Pref64.wellKnown.extract(IPv6Address("64:ff9b:1::192.0.2.33")!) == nil)
        #expect(Pref64.wellKnown.extract(IPv6Address("64:ff9b::1:c000:221")!) == nil)
    }
}
