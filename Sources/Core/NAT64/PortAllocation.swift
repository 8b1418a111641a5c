// SPDX-License-Identifier: Apache-2.0
/// The ports of one IPv4 address that are taken, for one protocol, and the choice of one for a new mapping (RFC 6146 §3.5.1.1).
///
/// Theory of operation. A bit for each port. Ports fall into four classes, by range and parity, each with a count of its free ports, so
/// that exhaustion is detected at once. Within a class the choice is random (RFC 7857 §9, RFC 6056): a random port, or the next free one
/// after it.
struct PortSet {
    private var taken: [UInt64]
    private var freeCount: InlineArray<4, Int>
    let keepsClass: Bool

    private static let wordCount = 65_536 / 64
    private static let evenPorts: UInt64 = 0x5555_5555_5555_5555
    /// 0–1023 and 1024–65535, in words.
    private static let lowWords = 0..<16
    private static let highWords = 16..<wordCount

    /// Ports of UDP and TCP keep range and parity; for an ICMP identifier any number will do.
    ///
    /// - Parameter range: the available ports; the others are taken for ever.
    init(for transport: TransportProtocol, in range: ClosedRange<UInt16> = 0...65_535) {
        taken = Array(repeating: 0, count: Self.wordCount)
        freeCount = [512, 512, 32_256, 32_256]
        keepsClass = transport != .icmp
        // Port 0 is reserved in UDP and TCP (RFC 6335 §6); as an identifier, 0 is fine.
        if keepsClass { take(0) }
        let outside = [0..<Int(range.lowerBound), Int(range.upperBound) + 1..<65_536].joined().lazy
        for port in outside.map(UInt16.init) where !isTaken(port) { take(port) }
    }

    private static func portClass(_ port: UInt16) -> Int { (port < 1024 ? 0 : 2) + Int(port & 1) }

    var isExhausted: Bool { freeCount[0] + freeCount[1] + freeCount[2] + freeCount[3] == 0 }

    func isTaken(_ port: UInt16) -> Bool { taken[Int(port) / 64] & 1 << UInt64(port % 64) != 0 }

    mutating func take(_ port: UInt16) {
        precondition(!isTaken(port), "a port has two owners")
        taken[Int(port) / 64] |= 1 << UInt64(port % 64)
        freeCount[Self.portClass(port)] -= 1
    }

    mutating func release(_ port: UInt16) {
        precondition(isTaken(port), "a free port is released")
        taken[Int(port) / 64] &= ~(1 << UInt64(port % 64))
        freeCount[Self.portClass(port)] += 1
    }

    /// A free port for a host's `port`: of its range and parity, else of its range, else of the other range, again with its parity if
    /// possible. `nil` if all are taken.
    func choose(for port: UInt16, keepingParity: Bool, using random: inout SeededRandom) -> UInt16? {
        if !keepsClass {
            return isExhausted ? nil : nextFree(in: 0..<Self.wordCount, among: ~0, using: &random)
        }
        let own = Self.portClass(port)
        let ranges = port < 1024 ? (Self.lowWords, Self.highWords) : (Self.highWords, Self.lowWords)
        for (words, range) in [(ranges.0, own & 2), (ranges.1, own & 2 ^ 2)] {
            let (same, other) = (freeCount[range | own & 1], freeCount[range | own & 1 ^ 1])
            if keepingParity && same > 0 {
                return nextFree(in: words, among: own & 1 == 0 ? Self.evenPorts : ~Self.evenPorts, using: &random)
            }
            if same + other > 0 { return nextFree(in: words, among: ~0, using: &random) }
        }
        return nil
    }

    private func nextFree(in words: Range<Int>, among candidates: UInt64, using random: inout SeededRandom) -> UInt16? {
        let start = words.lowerBound * 64 + random.below(words.count * 64)
        // The first word is checked twice: from the random port on and, after a whole turn, up to it.
        for step in 0...words.count {
            let word = words.lowerBound + (start / 64 - words.lowerBound + step) % words.count
            var free = ~taken[word] & candidates
            if step == 0 { free &= ~0 << UInt64(start % 64) }
            if free != 0 { return UInt16(truncatingIfNeeded: word * 64 + free.trailingZeroBitCount) }
        }
        return nil
    }
}
