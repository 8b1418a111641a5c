// SPDX-License-Identifier: Apache-2.0
internal import CCertificates

/// The contents of a certificate to be signed (RFC 5280 §4.1).
struct CertificateForm {
    enum Role {
        /// An authority that signs servers' certificates.
        case authority
        case server(CertificateNames)
    }

    /// The owner's common name. The organization is always `ipv6check`.
    let subject: String
    let issuer: String
    /// In seconds since 1970.
    let validity: ClosedRange<Int64>
    let role: Role

    private static let organization = "ipv6check"

    /// The signed certificate in DER.
    func signed(for owner: PrivateKey, by issuerKey: PrivateKey) throws(CertificateError) -> [UInt8] {
        guard let certificate = unsafe ccertificates_make() else { throw .notMade }
        defer { unsafe ccertificates_free(certificate) }
        guard unsafe ccertificates_set_validity(certificate, validity.lowerBound, validity.upperBound),
            unsafe ccertificates_set_subject(certificate, Self.organization, subject),
            unsafe ccertificates_set_issuer(certificate, Self.organization, issuer),
            unsafe take(role, certificate)
        else { throw .notMade }
        return try unsafe CertificateError.octets(of: ccertificates_sign(certificate, owner.handle, issuerKey.handle))
    }

    private func take(_ role: Role, _ certificate: OpaquePointer) -> Bool {
        switch role {
        case .authority: return unsafe ccertificates_make_authority(certificate)
        case .server(let names):
            let encoded = names.encoded
            return unsafe ccertificates_make_server(certificate, encoded, encoded.count)
        }
    }
}
