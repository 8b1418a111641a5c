// SPDX-License-Identifier: Apache-2.0
import Randomness

/// Random numbers from a seed alone, so that the same input gives the same output (xoshiro256**, initialised by SplitMix64).
///
/// Used for ports (RFC 6056) and hash keys; none of them is a cryptographic secret that outlives the process.
package struct SeededRandom: RandomNumberGenerator {
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    package init(seed: UInt64) {
        var splitMix = SplitMix64(seed: seed)
        s0 = splitMix.next()
        s1 = splitMix.next()
        s2 = splitMix.next()
        s3 = splitMix.next()
    }

    package mutating func next() -> UInt64 {
        func rotated(_ x: UInt64, by k: UInt64) -> UInt64 { x << k | x >> (64 - k) }
        let result = rotated(s1 &* 5, by: 7) &* 9
        let t = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = rotated(s3, by: 45)
        return result
    }

    /// A number below `bound`, which is at least 1. The bias of the multiplication is below bound / 2⁶⁴.
    mutating func below(_ bound: Int) -> Int {
        precondition(bound > 0)
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }
}
