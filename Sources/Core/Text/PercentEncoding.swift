// SPDX-License-Identifier: Apache-2.0
/// Text as a part of a URI: everything except unreserved characters is percent-encoded (RFC 3986 §2.1, §2.3).
/// - Parameter kept: further ASCII characters that are not encoded.
package func percentEncoded(_ text: String, keeping kept: String = "") -> String {
    text.utf8.map { octet in
        switch octet {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: String(UnicodeScalar(octet))
        case _ where "-._~".utf8.contains(octet) || kept.utf8.contains(octet): String(UnicodeScalar(octet))
        default: "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
        }
    }.joined()
}
