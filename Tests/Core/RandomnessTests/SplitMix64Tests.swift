// SPDX-License-Identifier: Apache-2.0
import Randomness
import Testing

@Suite struct SplitMix64Tests {
    /// The first numbers of the authors' own program for this seed.
    @Test func `gives the numbers of the published generator`() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<5).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }
}
