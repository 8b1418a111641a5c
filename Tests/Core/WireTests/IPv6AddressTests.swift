// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Wire

@Suite("IPv6 addresses as text") struct IPv6AddressTests {
    /// RFC 5952 §4.1 to §4.3 and §5, and the ends of a run of zeros.
    @Test(arguments: [
        ("2001:0db8::0001", "2001:db8::1"), ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:DB8::AaAa", "2001:db8::aaaa"),
        ("::ffff:c000:221", "::ffff:192.0.2.33"), ("0:0:0:0:0:0:0:0", "::"), ("::1", "::1"),
        ("fe80:0:0:0:0:0:0:0", "fe80::"), ("1:0:0:2:3:4:5:6", "1::2:3:4:5:6"),
        ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
        ("0:1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"), ("1:2:3:4:5:6:7:0", "1:2:3:4:5:6:7:0"),
    ])
    func `are written in one form`(text: String, form: String) throws {
        #expect(try #require(IPv6Address(text)).description == form)
    }

    /// But for those that it writes as IPv4 addresses where RFC 5952 §5 does not ask for that.
    @Test func `are written as inet_ntop writes them, wherever they have zeros`() throws {
        for (pattern, group) in (UInt8.min...UInt8.max).lazy.map({ ($0, [1, 0x20, 0x300, 0xffff][Int($0) % 4]) })
        where pattern >> 2 != 0 {
            var bits: UInt128 = 0
            for place in (0..<8).reversed() { bits = bits << 16 | (pattern >> place & 1 == 0 ? 0 : UInt128(group)) }
            let address = IPv6Address(bits: bits)
            if bits >> 32 == 0xffff { continue }
            #expect(address.description == written(address))
            #expect(IPv6Address(address.description) == address)
        }
    }

    private func written(_ address: IPv6Address) -> String {
        var octets = (0..<16).map(address.octet)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = unsafe inet_ntop(AF_INET6, &octets, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
