/// Random numbers from a seed alone, so that the same input gives the same output (xoshiro256**, started by SplitMix64).
///
/// They choose ports (RFC 6056) and hash keys; nothing here is a cryptographic secret that outlives the process.
package struct SeededRandom: RandomNumberGenerator {
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    package init(seed: UInt64) {
        var state = seed
        func splitMix() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
            return z ^ z >> 31
        }
        s0 = splitMix()
        s1 = splitMix()
        s2 = splitMix()
        s3 = splitMix()
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
