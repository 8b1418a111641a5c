// SPDX-License-Identifier: Apache-2.0
/// A file of certificates as PKCS #12 (RFC 7292) without a password, which JDK 18 and later may use for cacerts:
///
///     PFX  SEQUENCE { version 3, ContentInfo data { AuthenticatedSafe: SEQUENCE OF ContentInfo } }, and no MAC
///
/// An added certificate is a further ContentInfo with one SafeBag. Java trusts a certificate that has an attribute of Oracle's
/// (sun.security.pkcs12.PKCS12KeyStore in OpenJDK).
package enum PKCS12Store {
    /// The store with one more trusted certificate; `nil` if it has another format, or has a MAC, whose password is unknown.
    /// - Parameter certificate: in DER.
    package static func extended(_ store: [UInt8], by certificate: [UInt8]) -> [UInt8]? {
        guard let file = DER.contents(of: store[...], 0x30), file.rest.isEmpty,
            let version = DER.contents(of: file.value, 0x02), version.value == [3],
            let info = DER.contents(of: version.rest, 0x30), info.rest.isEmpty,
            let type = DER.contents(of: info.value, 0x06), Array(type.value) == data,
            let tagged = DER.contents(of: type.rest, 0xa0), let octets = DER.contents(of: tagged.value, 0x04),
            let safes = DER.contents(of: octets.value, 0x30)
        else { return nil }
        let more = Array(safes.value) + contentInfo(DER.element(0x30, bag(certificate)))
        return DER.element(0x30, DER.element(0x02, [3]) + contentInfo(DER.element(0x30, more)))
    }

    // MARK: Objects (RFC 7292 appendix D, RFC 2985 §5.5.1)

    private static let data: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]
    private static let certificateBag: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x0a, 0x01, 0x03]
    private static let x509Certificate: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x16, 0x01]
    private static let friendlyName: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x14]
    /// Oracle's 2.16.840.1.113894.746875.1.1.
    private static let trustedKeyUsage: [UInt8] = [
        0x60, 0x86, 0x48, 0x01, 0x86, 0xf9, 0x66, 0xad, 0xca, 0x7b, 0x01, 0x01,
    ]
    private static let anyExtendedKeyUsage: [UInt8] = [0x55, 0x1d, 0x25, 0x00]

    private static func contentInfo(_ contents: [UInt8]) -> [UInt8] {
        DER.element(0x30, DER.element(0x06, data) + DER.element(0xa0, DER.element(0x04, contents)))
    }

    private static func bag(_ certificate: [UInt8]) -> [UInt8] {
        let value = DER.element(
            0x30, DER.element(0x06, x509Certificate) + DER.element(0xa0, DER.element(0x04, certificate)))
        // A BMPString: UTF-16.
        let name = "ipv6check-test-ca".utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let attributes =
            attribute(trustedKeyUsage, DER.element(0x06, anyExtendedKeyUsage))
            + attribute(friendlyName, DER.element(0x1e, name))
        return DER.element(
            0x30, DER.element(0x06, certificateBag) + DER.element(0xa0, value) + DER.element(0x31, attributes))
    }

    private static func attribute(_ type: [UInt8], _ value: [UInt8]) -> [UInt8] {
        DER.element(0x30, DER.element(0x06, type) + DER.element(0x31, value))
    }
}
