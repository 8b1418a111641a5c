// SPDX-License-Identifier: Apache-2.0
import CSynthesis
import Glibc
import TestSupport
import Testing

/// IPv4-embedded IPv6 addresses.
@Suite("RFC 6052 §2.2")
struct RFC6052Section2_2Tests {
    static func prefix(_ text: String) -> pref64? {
        var prefix = pref64()
        return unsafe pref64_parse(text, &prefix) ? prefix : nil
    }

    static func text(_ address: in6_addr) -> String {
        var address = address
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = unsafe inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count))
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// 192.0.2.33, as in the RFC's table.
    static let ipv4 = in_addr(s_addr: UInt32(0xc000_0221).bigEndian)

    @Test(arguments: [
        ("2001:db8::/32", "2001:db8:c000:221::"), ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
        ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"), ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100:0"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::c000:221"), ("64:ff9b::/96", "64:ff9b::c000:221"),
    ])
    func `The table of §2.4 comes out, both ways`(text: String, expected: String) throws {
        var prefix = try #require(Self.prefix(text))
        var address = unsafe pref64_embed(&prefix, Self.ipv4)
        #expect(Self.text(address) == expected)
        #expect(unsafe pref64_extract(&address, prefix.length).s_addr == Self.ipv4.s_addr)
    }

    @Test(arguments: [
        "", "/", "/96", "64:ff9b::", "64:ff9b::/", "64:ff9b::/9", "64:ff9b::/960", "64:ff9b::/97", "64:ff9b::/128",
        "64:ff9b::/24", "64:ff9b::/+9", "64:ff9b::/ 9", "64:ff9b::/0x", "192.0.2.0/24", "64:ff9b::1/96",
        "2001:db8::1/64", "2001:db8:0:0:100::/96", "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96x", "fe80::/64",
        "ff0e::/96", "64:ff9b::%lo/96", "2001:db8:122:344::/64 ",
        "1111:2222:3333:4444:5555:6666:255.255.255.255111/96",
    ])
    func `What cannot be a Pref64 is refused`(text: String) {
        #expect(Self.prefix(text) == nil)
    }

    @Test
    func `A list keeps its order, each prefix once, eight at most, and counts what is wrong`() {
        var list = pref64_list()
        #expect(unsafe pref64_list_parse("64:ff9b::/96,nonsense,,2001:db8::/32,64:ff9b::/96", &list) == 2)
        #expect(list.count == 2)
        #expect(list.items.0.length == 96 && list.items.1.length == 32)
        let many = (0..<20).map { "2001:db8:\($0)::/48" }.joined(separator: ",")
        #expect(unsafe pref64_list_parse(many, &list) == 0)
        #expect(list.count == UInt8(PREF64_MAX))
    }
}
