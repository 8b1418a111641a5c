import Glibc

/// What a suite costs beside as many single runs: a gate must not be dearer than what it consists of.
struct SuiteCost {
    let ipv6check: String

    private static let cases = 200
    /// Of the cores, what a suite is to make use of.
    private static let share = 0.9

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let tests = (0..<Self.cases).map { "  - { name: t\($0), command: [\"true\"] }\n" }.joined()
        let file = try TemporaryFile("version: 1\ntests:\n" + tests)
        let suite = [ipv6check, "suite", file.path]
        let single = [ipv6check, "--quiet", "--", "true"]
        var suites: [RunCost] = []
        var singles: [RunCost] = []
        for _ in 0..<rounds {
            var sum = RunCost()
            for _ in 0..<Self.cases { sum += try RunCost(of: single) }
            singles.append(sum)
            suites.append(try RunCost(of: suite))
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
}
