// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import World

/// The examples of RFC 3174 §7.3.
@Suite("SHA-1 of key stores") struct SHA1Tests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
    ])
    func `does not tell what comes before from what follows`(text: String, digest: String) {
        for count in 0...text.utf8.count {
            let (prefix, rest) = (Array(text.utf8.prefix(count)), Array(text.utf8.dropFirst(count)))
            let octets = SHA1.digest(of: rest, after: prefix)
            #expect(octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
        }
    }
}
