// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Testing

@Suite("Random numbers, many at a time") struct SystemRandomnessTests {
    @Test func `none comes twice, also of two generators, and each bit is set in half of them`() {
        var (one, other) = (SystemRandomness(), SystemRandomness())
        let numbers = (0..<4096).map { _ in one.next() } + (0..<4096).map { _ in other.next() }
        #expect(Set(numbers).count == numbers.count)
        for bit in 0..<64 {
            let set = numbers.count { $0 >> UInt64(bit) & 1 == 1 }
            // Ten times the standard deviation.
            #expect(abs(set - numbers.count / 2) < 450)
        }
    }
}
