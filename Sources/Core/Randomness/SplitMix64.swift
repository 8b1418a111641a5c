// SPDX-License-Identifier: Apache-2.0
/// Random numbers from a seed alone, so that the same input gives the same output (Steele, Lea and Flood: Fast Splittable
/// Pseudorandom Number Generators, 2014). Nothing that it makes is a secret.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}
