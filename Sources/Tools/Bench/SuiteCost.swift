import Glibc
import LinuxNet
import Wire

/// What a suite costs beside as many single runs: a gate must not be dearer than what it consists of.
struct SuiteCost {
    let ipv6check: String

    private static let cases = 200
    /// Of the cores, what a suite is to make use of.
    private static let share = 0.9

    private struct Cost {
        /// Seconds of processors, and of the clock.
        var processor = 0.0
        var elapsed = 0.0
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let tests = (0..<Self.cases).map { "  - { name: t\($0), command: [\"true\"] }\n" }.joined()
        let file = try TemporaryFile("version: 1\ntests:\n" + tests)
        let suite = [ipv6check, "suite", file.path]
        let single = [ipv6check, "--quiet", "--", "true"]
        var suites: [Cost] = []
        var singles: [Cost] = []
        for _ in 0..<rounds {
            var sum = Cost()
            for _ in 0..<Self.cases { try Self.add(single, to: &sum) }
            singles.append(sum)
            var cost = Cost()
            try Self.add(suite, to: &cost)
            suites.append(cost)
        }
        let cores = Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let processor = Measurement(.suite, "processor time, single runs", "s", singles.map(\.processor))
        let ideal = Measurement(
            .suite, "processor time, single runs / (0.9 × cores)", "s",
            singles.map { $0.processor / (Self.share * cores) })
        return [
            processor,
            Measurement(.suite, "processor time, a suite", "s", suites.map(\.processor))
                .compared(with: processor, aim: .atMost(1)),
            ideal,
            Measurement(.suite, "elapsed, a suite", "s", suites.map(\.elapsed)).compared(with: ideal, aim: .atMost(1)),
        ]
    }

    private static func add(_ command: [String], to cost: inout Cost) throws(BenchFailure) {
        let start = (processor, MonotonicClock.now())
        var process = try ChildProcess(command)
        let status = process.wait()
        cost.elapsed += Double((MonotonicClock.now() - start.1).wholeNanoseconds) / 1e9
        cost.processor += processor - start.0
        if status != 0 { throw BenchFailure("\(command.joined(separator: " ")): exit code \(status)") }
    }

    /// Seconds that processes have had which ended and were waited for, their own children included.
    private static var processor: Double {
        var usage = rusage()
        _ = unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }.reduce(0, +)
    }
}
