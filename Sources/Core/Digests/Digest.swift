internal import CDigests

/// The digests that formats ask for (FIPS 180-4).
package enum Digest {
    /// 20 octets. NSEC3 (RFC 5155 §11) and Java's key stores know no other; nothing is protected by it.
    /// - Parameter prefix: what comes before; a large array need not be copied behind it.
    package static func sha1(_ octets: [UInt8], after prefix: [UInt8] = []) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: cdigests_sha1_length) { digest, count in
            unsafe cdigests_sha1(prefix, prefix.count, octets, octets.count, digest.baseAddress)
            count = digest.count
        }
    }

    /// 32 octets.
    package static func sha256(_ octets: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: cdigests_sha256_length) { digest, count in
            unsafe cdigests_sha256(octets, octets.count, digest.baseAddress)
            count = digest.count
        }
    }
}
