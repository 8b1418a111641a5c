import LinuxNet
import Wire

/// How long a whole run takes, beside the least that a process and a namespace cost.
struct WallTime {
    let ipv6check: String

    /// A run takes so little that a round can have several.
    private static let runsInARound = 10
    /// Milliseconds. It should cost nothing to put `ipv6check` before a command.
    private static let aim = 25.0

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let commands = [["true"], ["unshare", "-Urn", "true"], [ipv6check, "--", "true"]]
        var samples = [[Double]](repeating: [], count: commands.count)
        for command in commands { _ = try milliseconds(command) }
        for _ in 0..<rounds * Self.runsInARound {
            for (index, command) in commands.enumerated() { samples[index].append(try milliseconds(command)) }
        }
        let process = Measurement(.run, "true", "ms", samples[0])
        let namespace = Measurement(.run, "unshare -Urn true", "ms", samples[1])
        let run = Measurement(.run, "ipv6check -- true", "ms", samples[2], aim: .atMost(Self.aim))
        return [process, namespace, run.compared(with: namespace)]
    }

    private func milliseconds(_ command: [String]) throws(BenchFailure) -> Double {
        let start = MonotonicClock.now()
        var process = try ChildProcess(command)
        let status = process.wait()
        let duration = MonotonicClock.now() - start
        if status != 0 { throw BenchFailure("\(command.joined(separator: " ")): exit code \(status)") }
        return Double(duration.wholeNanoseconds) / 1e6
    }
}
