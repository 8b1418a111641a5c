// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Router

@Suite struct AllowedEntryTests {
    @Test func `reads prefixes addresses and names`() throws {
        #expect(try AllowedEntry("10.1.2.0/24") == .prefix(IPv4Prefix("10.1.2.0/24")!))
        #expect(try AllowedEntry("10.1.2.3") == .prefix(IPv4Prefix("10.1.2.3/32")!))
        #expect(try AllowedEntry("db") == .name("db"))
        #expect(try AllowedEntry("my_app-1.example.com") == .name("my_app-1.example.com"))
    }

    @Test(arguments: [
        "", ".", "a..b", "10.1.2.3/33", "10.1.2.3/24", "10.1.2", "300.1.2.3", "a b", "a;b", "fd00::1", "a.123", "-f\n",
        "a$(id)", String(repeating: "a", count: 64), String(repeating: "a.", count: 130) + "a",
    ])
    func `says what is neither`(text: String) {
        #expect(throws: AllowedEntry.Invalid.neitherPrefixNorName(text)) { try AllowedEntry(text) }
    }

    @Test func `says what can never be allowed`() {
        func refusal(_ text: String) -> String {
            do throws(AllowedEntry.Invalid) {
                return "\(try AllowedEntry(text)) is allowed"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            refusal("127.0.0.1")
                == "127.0.0.1/32 can never be allowed: no router forwards packets to a loopback address (RFC 1122 §3.2.1.3), and 127.0.0.0/8 is full of them"
        )
        #expect(refusal("0.0.0.0/0").hasPrefix("0.0.0.0/0 can never be allowed: "))
        #expect(refusal("169.254.169.254").contains("a link-local address (RFC 3927)"))
        #expect(refusal("169.254.0.0/16").contains("a link-local address (RFC 3927)"))
        #expect(
            refusal("168.63.129.16")
                == "168.63.129.16/32 can never be allowed: 168.63.129.16 is for Azure's platform services")
        #expect(refusal("100.100.100.200").hasSuffix("is for Alibaba Cloud's metadata service"))
        #expect(refusal("192.88.99.1") == "192.88.99.1/32 is allowed")
        #expect(refusal("100.64.0.0/10") == "100.64.0.0/10 is allowed")
    }
}
