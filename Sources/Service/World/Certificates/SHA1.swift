// SPDX-License-Identifier: Apache-2.0
internal import CCertificates

/// The digest in Java's key stores (FIPS 180-4). No security depends on it.
enum SHA1 {
    static let length = Int(ccertificates_sha1_length)

    /// - Parameter prefix: hashed before `octets`. A separate parameter, so that a large array need not be copied behind it.
    static func digest(of octets: [UInt8], after prefix: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: length) { digest, count in
            unsafe ccertificates_sha1(prefix, prefix.count, octets, octets.count, digest.baseAddress)
            count = digest.count
        }
    }
}
