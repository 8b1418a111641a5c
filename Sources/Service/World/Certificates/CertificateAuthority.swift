// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import FoundationEssentials

/// A certificate authority for one run. Its private key and those of the servers exist only in the memory of this
/// process, so a client that trusts the certificate trusts no other process, and nothing at all after the run.
///
/// The certificate therefore has no name constraints: a world may contain any name, and some clients cannot parse them.
/// It has the other extensions that RFC 5280 §4.2.1 requires, as strict verifiers (Python 3.13) check for them.
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
        // A client's clock may be wrong by hours, and a daemon lives for months. Apple's systems accept 825 days at most,
        // or 398 from a public CA.
        let seconds = Int64(now.timeIntervalSince1970)
        validity = seconds - 2 * Self.day...seconds + 396 * Self.day
        key = try PrivateKey()
        let form = CertificateForm(subject: Self.name, issuer: Self.name, validity: validity, role: .authority)
        certificatePEM = PEM.text("CERTIFICATE", try form.signed(for: key, by: key))
    }

    /// Issues a certificate in DER for a server with all of `names`, and returns it with its key.
    /// - Parameter kind: the certificate's fault, if any. Only `.expired` and `.selfSigned` have an effect here.
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

    /// A certificate and its key in one PEM text, as servers read them from files.
    func issuePEM(for names: CertificateNames) throws -> [UInt8] {
        let (certificate, key) = try issue(for: names)
        return Array((PEM.text("CERTIFICATE", certificate) + PEM.text("PRIVATE KEY", try key.octets())).utf8)
    }
}
