// SPDX-License-Identifier: Apache-2.0
internal import CCertificates

/// A private key on the curve P-256. It exists only in the memory of this process.
@safe final class PrivateKey: Sendable {
    // BoringSSL's key. It never changes, so many threads may read it.
    nonisolated(unsafe) let handle: OpaquePointer

    init() throws(CertificateError) {
        guard let handle = unsafe ccertificates_make_key() else { throw .notMade }
        unsafe self.handle = handle
    }

    deinit { unsafe ccertificates_free_key(handle) }

    /// The key as PKCS #8 (RFC 5958), in DER.
    func octets() throws(CertificateError) -> [UInt8] {
        try unsafe CertificateError.octets(of: ccertificates_private_key(handle))
    }
}

/// BoringSSL ran out of memory, or was given values that no certificate can have.
enum CertificateError: Error, CustomStringConvertible {
    case notMade

    var description: String { "BoringSSL cannot make a key or a certificate" }

    /// A copy of octets that BoringSSL has made, which are freed.
    static func octets(of made: ccertificates_octets) throws(CertificateError) -> [UInt8] {
        guard let start = unsafe made.start, unsafe made.count > 0 else { throw .notMade }
        defer { unsafe ccertificates_free_octets(made) }
        return unsafe Array(UnsafeBufferPointer(start: start, count: made.count))
    }
}
