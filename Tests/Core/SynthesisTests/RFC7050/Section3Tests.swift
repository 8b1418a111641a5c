// SPDX-License-Identifier: Apache-2.0
import CSynthesis
import Glibc
import TestSupport
import Testing

/// The node's use of the AAAA records of ipv4only.arpa.
@Suite("RFC 7050 §3")
struct RFC7050Section3Tests {
    /// The prefixes found in these addresses, as text.
    private func prefixes(_ addresses: [String]) -> [String] {
        var answer = ipv4only_answer()
        answer.count = addresses.count
        unsafe withUnsafeMutableBytes(of: &answer.addresses) { bytes in
            for (index, text) in addresses.enumerated() {
                var address = in6_addr()
                precondition(unsafe inet_pton(AF_INET6, text, &address) == 1)
                unsafe bytes.storeBytes(of: address, toByteOffset: index * 16, as: in6_addr.self)
            }
        }
        var list = pref64_list()
        unsafe ipv4only_prefixes(&answer, &list)
        return unsafe withUnsafeBytes(of: &list.items) { bytes in
            unsafe bytes.bindMemory(to: pref64.self).prefix(Int(list.count)).map {
                "\(RFC6052Section2_2Tests.text($0.address))/\($0.length)"
            }
        }
    }

    @Test(arguments: [
        "2001:db8::/32", "2001:db8:100::/40", "2001:db8:122::/48", "2001:db8:122:300::/56", "2001:db8:122:344::/64",
        "2001:db8:122:344::/96", "64:ff9b::/96",
    ])
    func `Each of the six formats is recognised, by either address`(text: String) throws {
        var prefix = try #require(RFC6052Section2_2Tests.prefix(text))
        for wellKnown: UInt32 in [0xc000_00aa, 0xc000_00ab] {
            let address = unsafe pref64_embed(&prefix, in_addr(s_addr: wellKnown.bigEndian))
            #expect(prefixes([RFC6052Section2_2Tests.text(address)]) == [text])
        }
    }

    @Test
    func `All addresses are looked through; each prefix is kept once, in the order of the answer`() {
        #expect(
            prefixes([
                "2001:db8:122:344::c000:aa", "64:ff9b::c000:aa", "2001:db8:122:344::c000:ab", "64:ff9b::c000:ab",
                "2001:db8::1",
            ]) == ["2001:db8:122:344::/96", "64:ff9b::/96"])
    }

    @Test
    func `A prefix that contains 192.0.0.170 itself is told by the other address`() {
        // Under 2001:db8:c000:aa::/64 the /32 format would fit as well: bits 32 to 63 are 192.0.0.170.
        let first = "2001:db8:c000:aa:c0:0:aa00:0"
        let second = "2001:db8:c000:aa:c0:0:ab00:0"
        #expect(prefixes([first, second]) == ["2001:db8:c000:aa::/64"])
        // One address alone leaves it open, and a guess would send the client's packets elsewhere.
        #expect(prefixes([first]) == [])
    }

    @Test
    func `Octet 8 is zero in every format`() {
        #expect(prefixes(["2001:db8:122:344:1c0:0:aa00:0"]) == [])
        #expect(prefixes(["2001:db8:122:344:100::c000:aa"]) == [])
    }

    @Test(arguments: [
        "::c000:aa", "::ffff:192.0.0.170", "fe80::c000:aa", "ff02::c000:aa", "2001:db8::1", "64:ff9b::c000:a9",
    ])
    func `Addresses that no NAT64 would have betray nothing`(address: String) {
        #expect(prefixes([address]) == [])
    }
}
