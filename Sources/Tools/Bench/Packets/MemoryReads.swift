// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Randomness
import Wire

/// The machine's latency for uncached reads of memory, for which a packet among many sessions waits.
struct MemoryReads {
    /// A line of the processor's caches, in words.
    private static let line = 16
    private static let reads = 1_000_000

    /// The first word of each line contains the number of the next line to read, in a random order of all lines.
    private let memory: [UInt32]

    init(octets: Int) {
        // The same order in every run.
        var random = SplitMix64(seed: 1)
        let count = max(1, octets / (Self.line * MemoryLayout<UInt32>.stride))
        let order = (0..<count).shuffled(using: &random)
        var memory = [UInt32](repeating: 0, count: count * Self.line)
        for (place, line) in order.enumerated() {
            memory[line * Self.line] = UInt32(order[(place + 1) % count])
        }
        self.memory = memory
    }

    /// Nanoseconds per read; each depends on the one before it.
    func measure() -> Double {
        var line = 0
        let start = ThreadClock.now()
        for _ in 0..<Self.reads { line = Int(memory[line * Self.line]) }
        let duration = ThreadClock.now() - start
        precondition(line * Self.line < memory.count)
        return Double(duration.wholeNanoseconds) / Double(Self.reads)
    }
}
