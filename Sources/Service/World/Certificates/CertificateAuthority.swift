// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import FoundationEssentials

/// A certificate authority for one run. Its private key, like those of the servers, exists only in the memory of this
/// process: to trust the certificate is to trust no other with it, and nothing once the run is over.
///
/// For this reason the certificate carries no name constraints: a world may hold any name, and some clients cannot read them.
/// RFC 5280 §4.2.1 says what else it must carry, and strict verifiers (Python 3.13) ask for that.
package struct CertificateAuthority: Sendable {
    /// The certificate in PEM, for a client's bundle of trusted authorities.
    package let certificatePEM: String

    private let key: PrivateKey
    private let validity: ClosedRange<Int64>

    private static let day: Int64 = 86_400
    private static let name = "ipv6check test CA"
    private static let serverName = "ipv6check test server"

    package init() throws {
        try self.init(now: Date())
    }

    init(now: Date) throws {
        // A client's clock may be wrong by hours, and a daemon lives for months. Apple's systems accept 825 days at most, and
        // 398 of a public CA.
        let seconds = Int64(now.timeIntervalSince1970)
        validity = seconds - 2 * Self.day...seconds + 396 * Self.day
        key = try PrivateKey()
        let form = CertificateForm(subject: Self.name, issuer: Self.name, validity: validity, role: .authority)
        certificatePEM = PEM.text("CERTIFICATE", try form.signed(for: key, by: key))
    }

    /// A certificate in DER for a server that is known by all of `names`, and the key that belongs to it.
    /// - Parameter kind: what is wrong with it: only that it has expired, or is self-signed, is decided here.
    func issue(
        for names: CertificateNames, _ kind: WebSettings.Certificate = .ofHost
    ) throws -> (certificate: [UInt8], key: PrivateKey) {
        let serverKey = try PrivateKey()
        let isSelfSigned = kind == .selfSigned
        let end = kind == .expired ? validity.lowerBound + Self.day : validity.upperBound
        let form = CertificateForm(
            subject: Self.serverName, issuer: isSelfSigned ? Self.serverName : Self.name,
            validity: validity.lowerBound...end, role: .server(names))
        return (try form.signed(for: serverKey, by: isSelfSigned ? serverKey : key), serverKey)
    }

    /// A certificate and its key in one text, as servers read them from files.
    func issuePEM(for names: CertificateNames) throws -> [UInt8] {
        let (certificate, key) = try issue(for: names)
        return Array((PEM.text("CERTIFICATE", certificate) + PEM.text("PRIVATE KEY", try key.octets())).utf8)
    }
}
