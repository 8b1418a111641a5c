// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DNSWire

@Suite("Octets as text (RFC 4648)") struct RFC4648Tests {
    @Test(arguments: [
        ("", "", ""), ("f", "Zg==", "CO"), ("fo", "Zm8=", "CPNG"), ("foo", "Zm9v", "CPNMU"),
        ("foob", "Zm9vYg==", "CPNMUOG"), ("fooba", "Zm9vYmE=", "CPNMUOJ1"), ("foobar", "Zm9vYmFy", "CPNMUOJ1E8"),
    ]) func `§10, the last without its padding`(text: String, base64: String, base32Hex: String) {
        let octets = Array(text.utf8)
        let base64URL = base64.filter { $0 != "=" }
        for (encoding, encoded) in [
            (BitEncoding.base64, base64), (.base32Hex, base32Hex), (.base64URL, base64URL),
        ] {
            #expect(encoding.encode(octets) == encoded)
            #expect(encoding.decode(encoded.utf8) == octets)
        }
    }

    /// The two queries of RFC 8484 §4.1.1, of which the second tells base64url from base64.
    @Test(arguments: [
        ("www.example.com", "AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB"),
        (
            "a.62characterlabel-makes-base64url-distinct-from-standard-base64.example.com",
            "AAABAAABAAAAAAAAAWE-NjJjaGFyYWN0ZXJsYWJlbC1tYWtlcy1iYXNlNjR1cmwtZGlzdGluY3QtZnJvbS1zdGFuZGFyZC1iYXNlNjQHZXhhbXBsZQNjb20AAAEAAQ"
        ),
    ]) func `§5, as DNS over HTTPS writes its messages`(name: String, encoded: String) throws {
        let question = Question(name: try DomainName(name), type: .a)
        let query = Message(id: 0, flags: .recursionDesired, questions: [question]).encoded()
        #expect(BitEncoding.base64URL.encode(query) == encoded)
        #expect(BitEncoding.base64URL.decode(encoded.utf8) == query)
    }

    @Test(arguments: ["A", "AAA=", "AA+/", "AB", "AA A", "AA\u{0}"])
    func `what is no base64url is refused`(text: String) {
        #expect(BitEncoding.base64URL.decode(text.utf8) == nil)
    }
}
