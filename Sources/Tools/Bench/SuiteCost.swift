// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The cost of a suite, compared with as many single runs: a suite must not cost more.
struct SuiteCost {
    let ipv6check: String

    private static let cases = 200
    /// The share of the processors' time that a suite should use, in percent.
    private static let share = Aim.atLeast(90)

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let tests = (0..<Self.cases).map { "  - { name: t\($0), command: [\"true\"] }\n" }.joined()
        let file = try TemporaryFile("version: 1\ntests:\n" + tests)
        let suite = [ipv6check, "suite", file.path]
        let single = [ipv6check, "--once", "--quiet", "--", "true"]
        var suites: [RunCost] = []
        var idle: [Double] = []
        var singles: [RunCost] = []
        for _ in 0..<rounds {
            var sum = RunCost()
            for _ in 0..<Self.cases { sum += try RunCost(of: single) }
            singles.append(sum)
            let before = MachineDescription.idleTime
            suites.append(try RunCost(of: suite))
            idle.append(MachineDescription.idleTime - before)
        }
        return Self.measurements(
            singles: singles, suites: suites, idle: idle, processors: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// - Parameter idle: idle seconds of all processors during each suite.
    static func measurements(
        singles: [RunCost], suites: [RunCost], idle: [Double], processors: Int
    ) -> [Measurement] {
        let single = Measurement(.suite, "processor time, single runs", "s", singles.map(\.processor))
        return [
            single,
            Measurement(.suite, "processor time, a suite", "s", suites.map(\.processor))
                .compared(with: single, aim: .atMost(1)),
            Measurement(.suite, "elapsed, a suite", "s", suites.map(\.elapsed)),
            Measurement(
                .suite, "of the processors, kept busy by a suite", "%",
                suites.map { $0.processor / ($0.elapsed * Double(processors)) * 100 }, aim: share),
            Measurement(
                .suite, "of the processors, busy meanwhile", "%",
                zip(suites, idle).map { (1 - $1 / ($0.elapsed * Double(processors))) * 100 }),
        ]
    }
}
