// SPDX-License-Identifier: Apache-2.0
import Testing
import Translation
import Wire

/// RFC 7757 §3: the explicit address mapping algorithm.
@Suite struct RFC7757Section3Tests {
    static func mapping(_ ipv4: String, _ ipv6: String) throws -> ExplicitAddressMapping {
        let four = try #require(IPv4Prefix(ipv4))
        let six = try #require(IPv6Prefix(ipv6))
        return try #require(ExplicitAddressMapping(four, six))
    }

    /// The RFC's example table.
    static func table() throws -> ExplicitAddressMappingTable {
        try ExplicitAddressMappingTable([
            mapping("192.0.2.1", "2001:db8:aaaa::"),
            mapping("192.0.2.2/32", "2001:db8:bbbb::b/128"),
            mapping("192.0.2.16/28", "2001:db8:cccc::/124"),
            mapping("192.0.2.128/26", "2001:db8:dddd::/64"),
            mapping("192.0.2.192/29", "2001:db8:eeee:8::/62"),
            mapping("192.0.2.224/31", "64:ff9b::/127"),
        ])
    }

    @Test(arguments: [
        ("192.0.2.1", "2001:db8:aaaa::"), ("192.0.2.2", "2001:db8:bbbb::b"), ("192.0.2.16", "2001:db8:cccc::"),
        ("192.0.2.24", "2001:db8:cccc::8"), ("192.0.2.31", "2001:db8:cccc::f"),
        ("192.0.2.128", "2001:db8:dddd::"), ("192.0.2.152", "2001:db8:dddd:0:6000::"),
        ("192.0.2.183", "2001:db8:dddd:0:dc00::"), ("192.0.2.191", "2001:db8:dddd:0:fc00::"),
        ("192.0.2.193", "2001:db8:eeee:8:8000::"), ("192.0.2.199", "2001:db8:eeee:b:8000::"),
        ("192.0.2.224", "64:ff9b::"), ("192.0.2.225", "64:ff9b::1"),
    ])
    func `addresses stand for each other`(ipv4: String, ipv6: String) throws {
        let table = try Self.table()
        let ipv4 = try #require(IPv4Address(ipv4))
        let ipv6 = try #require(IPv6Address(ipv6))
        #expect(table.ipv6Address(of: ipv4) == ipv6)
        #expect(table.ipv4Address(of: ipv6) == ipv4)
    }

    @Test func `a longer IPv6 suffix is ignored on reading`() throws {
        let table = try Self.table()
        #expect(
            table.ipv4Address(of: IPv6Address("2001:db8:dddd:0:63ff:ffff:ffff:ffff")!) == IPv4Address(192, 0, 2, 152))
    }

    @Test func `what no mapping covers stands for nothing`() throws {
        let table = try Self.table()
        #expect(table.ipv6Address(of: IPv4Address(192, 0, 2, 3)) == nil)
        #expect(table.ipv4Address(of: IPv6Address("2001:db8:bbbb::a")!) == nil)
    }

    @Test func `the longest prefix decides in each direction for itself`() throws {
        let table = try ExplicitAddressMappingTable([
            Self.mapping("10.0.0.0/8", "2001:db8:1::/64"), Self.mapping("10.1.0.0/16", "2001:db8:2::/64"),
            Self.mapping("10.1.2.3/32", "2001:db8:1:0:102:300::/96"),
        ])
        #expect(table.ipv6Address(of: IPv4Address(10, 9, 9, 9)) == IPv6Address("2001:db8:1:0:909:900::"))
        #expect(table.ipv6Address(of: IPv4Address(10, 1, 9, 9)) == IPv6Address("2001:db8:2:0:909::"))
        #expect(table.ipv6Address(of: IPv4Address(10, 1, 2, 3)) == IPv6Address("2001:db8:1:0:102:300::"))
        #expect(table.ipv4Address(of: IPv6Address("2001:db8:1:0:102:300:0:7")!) == IPv4Address(10, 1, 2, 3))
        #expect(table.ipv4Address(of: IPv6Address("2001:db8:1:0:102:400::")!) == IPv4Address(10, 1, 2, 4))
    }

    @Test func `the whole address space can be mapped`() throws {
        let mapping = try Self.mapping("0.0.0.0/0", "::/0")
        let table = try ExplicitAddressMappingTable([mapping])
        #expect(table.ipv6Address(of: IPv4Address(bits: ~0)) == IPv6Address("ffff:ffff::"))
        #expect(table.ipv4Address(of: IPv6Address("ffff:ffff:1::")!) == IPv4Address(bits: ~0))
    }

    @Test func `an IPv6 suffix shorter than the IPv4 one is no mapping`() throws {
        #expect(ExplicitAddressMapping(IPv4Prefix("192.0.2.0/24")!, IPv6Prefix("2001:db8::/121")!) == nil)
        #expect(ExplicitAddressMapping(IPv4Prefix("192.0.2.0/24")!, IPv6Prefix("2001:db8::/120")!) != nil)
    }

    @Test func `the same prefix twice is a conflict`() throws {
        let one = try Self.mapping("192.0.2.0/24", "2001:db8::/120")
        let same4 = try Self.mapping("192.0.2.0/24", "2001:db8:1::/120")
        let same6 = try Self.mapping("198.51.100.0/24", "2001:db8::/120")
        #expect(throws: ExplicitAddressMappingTable.Conflict.duplicateIPv4Prefix(one.ipv4)) {
            try ExplicitAddressMappingTable([one, same4])
        }
        #expect(throws: ExplicitAddressMappingTable.Conflict.duplicateIPv6Prefix(one.ipv6)) {
            try ExplicitAddressMappingTable([one, same6])
        }
    }
}
