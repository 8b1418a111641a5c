// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Wire

/// The cost of a command from its start to its end, including all processes that it waits for.
struct RunCost {
    /// Processor time and elapsed time, in seconds.
    var processor = 0.0
    var elapsed = 0.0
    /// Resident octets of the largest process.
    var resident = 0.0

    init() {}

    /// Runs the command, which must succeed.
    init(of command: [String]) throws(BenchFailure) {
        let start = MonotonicClock.now()
        var process = try ChildProcess(command)
        let status = process.wait()
        elapsed = Double((MonotonicClock.now() - start).wholeNanoseconds) / 1e9
        if status != 0 { throw BenchFailure("\(command.joined(separator: " ")): exit code \(status)") }
        let usage = process.usage
        processor = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }.reduce(0, +)
        resident = Double(usage.ru_maxrss) * 1024
    }

    /// Parses a `description`.
    init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map { Double($0) }
        guard words.count == 3, let processor = words[0], let elapsed = words[1], let resident = words[2] else {
            return nil
        }
        (self.processor, self.elapsed, self.resident) = (processor, elapsed, resident)
    }

    static func += (sum: inout RunCost, cost: RunCost) {
        sum.processor += cost.processor
        sum.elapsed += cost.elapsed
        sum.resident = max(sum.resident, cost.resident)
    }
}

extension RunCost: CustomStringConvertible {
    var description: String { "\(processor) \(elapsed) \(resident)" }
}
