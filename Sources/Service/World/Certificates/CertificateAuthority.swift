import ConfigurationText
import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// A certificate authority for one run. Its private key, like those of the servers, exists only in the memory of this
/// process: to trust the certificate is to trust no other with it, and nothing once the run is over.
///
/// For this reason the certificate carries no name constraints: a world may hold any name, and some clients cannot read them.
package struct CertificateAuthority: Sendable {
    /// The certificate in PEM, for a client's bundle of trusted authorities.
    package let certificatePEM: String

    let certificate: Certificate
    private let key: Certificate.PrivateKey
    private let validity: ClosedRange<Date>

    private static let day: TimeInterval = 86_400

    package init() throws {
        try self.init(now: Date())
    }

    init(now: Date) throws {
        // A client's clock may be wrong by hours; a run does not last for days.
        validity = now.addingTimeInterval(-2 * Self.day)...now.addingTimeInterval(7 * Self.day)
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        self.key = key
        let name = try DistinguishedName {
            OrganizationName("ipv6check")
            CommonName("ipv6check test CA")
        }
        // RFC 5280 §4.2.1: what a CA's certificate must carry, and what strict verifiers (Python 3.13) ask for.
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: validity.lowerBound, notValidAfter: validity.upperBound, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key.publicKey)
            },
            issuerPrivateKey: key)
        certificatePEM = try certificate.serializeAsPEM().pemString + "\n"
    }

    /// A certificate for a server that is known by all of `names`, and the key that belongs to it.
    /// - Parameter kind: what is wrong with it: only that it has expired, or is self-signed, is decided here.
    func issue(
        for names: CertificateNames, _ kind: WebSettings.Certificate = .ofHost
    ) throws -> (certificate: Certificate, key: P256.Signing.PrivateKey) {
        let serverKey = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(serverKey.publicKey)
        let subject = try DistinguishedName {
            OrganizationName("ipv6check")
            CommonName("ipv6check test server")
        }
        let isSelfSigned = kind == .selfSigned
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: validity.lowerBound,
            notValidAfter: kind == .expired
                ? validity.lowerBound.addingTimeInterval(Self.day) : validity.upperBound,
            issuer: isSelfSigned ? subject : self.certificate.subject, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.generalNames)
                SubjectKeyIdentifier(hash: publicKey)
                try AuthorityKeyIdentifier(
                    keyIdentifier: isSelfSigned
                        ? SubjectKeyIdentifier(hash: publicKey).keyIdentifier
                        : self.certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
            },
            issuerPrivateKey: isSelfSigned ? Certificate.PrivateKey(serverKey) : key)
        return (certificate, serverKey)
    }

    /// A certificate and its key in one text, as servers read them from files.
    func issuePEM(for names: CertificateNames) throws -> [UInt8] {
        let (certificate, key) = try issue(for: names)
        return Array("\(try certificate.serializeAsPEM().pemString)\n\(key.pemRepresentation)\n".utf8)
    }
}
