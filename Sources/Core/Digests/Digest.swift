// SPDX-License-Identifier: Apache-2.0
internal import CDigests

/// The digests that formats ask for (FIPS 180-4).
package enum Digest {
    /// 20 octets. NSEC3 knows no other (RFC 5155 §11).
    package static func sha1(_ octets: [UInt8]) -> [UInt8] {
        var context = SHA1_CTX()
        unsafe SHA1Init(&context)
        unsafe SHA1Update(&context, octets, octets.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA1_DIGEST_LENGTH)) { digest, count in
            unsafe SHA1Final(digest.baseAddress, &context)
            count = digest.count
        }
    }

    /// 32 octets.
    package static func sha256(_ octets: [UInt8]) -> [UInt8] {
        var context = SHA2_CTX()
        unsafe SHA256Init(&context)
        unsafe SHA256Update(&context, octets, octets.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
            unsafe SHA256Final(digest.baseAddress, &context)
            count = digest.count
        }
    }
}
