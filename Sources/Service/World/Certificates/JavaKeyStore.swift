// SPDX-License-Identifier: Apache-2.0
/// A file of certificates in Java's own format, JKS (sun.security.provider.JavaKeyStore in OpenJDK):
///
///     +--------------+-------------+-----------+---------+-   -+---------+
///     | magic (32)   | version (32)| count (32)| entry   | ... | digest  |
///     +--------------+-------------+-----------+---------+-   -+---------+
///     entry of a trusted certificate:
///     | tag 2 (32) | alias (16 + n) | time (64) | type (16 + n) | length (32) | DER |
///
/// Later JDKs may use PKCS #12 instead (`PKCS12Store`). The digest is SHA-1 over the password in UTF-16, the words
/// "Mighty Aphrodite" and all octets before the digest.
package enum JavaKeyStore {
    private static let magic: [UInt8] = [0xfe, 0xed, 0xfe, 0xed]
    private static let countOffset = 8
    private static let headerLength = 12
    /// The password of every JDK's cacerts.
    private static let password = "changeit"

    /// The key store with one more trusted certificate; `nil` if it has another format, is damaged, or has another password.
    /// - Parameter certificate: in PEM.
    package static func extended(_ store: [UInt8], by certificate: String) -> [UInt8]? {
        if store.first == 0x30, let der = PEM.octets(certificate) { return PKCS12Store.extended(store, by: der) }
        guard store.count >= headerLength + SHA1.length, store.starts(with: magic),
            let version = number(store, at: magic.count), version == 1 || version == 2,
            let count = number(store, at: countOffset), count < UInt32.max, let der = PEM.octets(certificate)
        else { return nil }
        var entry = octets(UInt32(2)) + text("ipv6check-test-ca") + octets(UInt64(0))
        // Version 1 has no type.
        if version == 2 { entry += text("X.509") }
        entry += octets(UInt32(der.count)) + der
        // A store has about 40 pages of memory, and each copy would cost every run as many page faults.
        var body: [UInt8] = []
        body.reserveCapacity(store.count + entry.count)
        body += store[..<(store.count - SHA1.length)]
        guard digest(body) == Array(store.suffix(SHA1.length)) else { return nil }
        body.replaceSubrange(countOffset..<headerLength, with: octets(count + 1))
        body += entry
        body += digest(body)
        return body
    }

    private static func digest(_ body: [UInt8]) -> [UInt8] {
        SHA1.digest(of: body, after: password.utf16.flatMap { octets($0) } + Array("Mighty Aphrodite".utf8))
    }

    private static func number(_ octets: [UInt8], at offset: Int) -> UInt32? {
        octets[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func octets(_ number: some FixedWidthInteger) -> [UInt8] {
        (0..<number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func text(_ text: String) -> [UInt8] { octets(UInt16(text.utf8.count)) + Array(text.utf8) }
}
