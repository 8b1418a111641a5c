/// The same order in every run: Knuth's MMIX generator, whose upper half is good enough to shuffle.
struct KnuthGenerator: RandomNumberGenerator {
    private var state: UInt64 = 1

    private mutating func step() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 32
    }

    mutating func next() -> UInt64 { step() << 32 | step() }
}
