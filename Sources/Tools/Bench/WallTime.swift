/// How long a whole run takes, beside the least that the kernel takes for one, and what it costs otherwise.
struct WallTime {
    let ipv6check: String
    /// `LeastRun`, in C.
    let leastRun: String

    /// A run takes so little that a round can have several.
    private static let runsInARound = 10
    /// It should cost nothing to put `ipv6check` before a command.
    private static let aim = Aim.atMost(2)
    /// Milliseconds.
    private static let versionAim = Aim.atMost(3)
    /// Megabytes.
    private static let residentAim = Aim.atMost(20)

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let commands = [
            ["true"], ["unshare", "-Urn", "true"], [leastRun, "true"], [ipv6check, "--", "true"],
            [ipv6check, "--version"],
        ]
        var costs = [[RunCost]](repeating: [], count: commands.count)
        for command in commands { _ = try RunCost(of: command) }
        for _ in 0..<rounds * Self.runsInARound {
            for (index, command) in commands.enumerated() { costs[index].append(try RunCost(of: command)) }
        }
        func elapsed(_ index: Int, _ name: String, aim: Aim? = nil) -> Measurement {
            Measurement(.run, name, "ms", costs[index].map { $0.elapsed * 1e3 }, aim: aim)
        }
        func processor(_ index: Int, _ name: String) -> Measurement {
            Measurement(.run, "processor time, \(name)", "ms", costs[index].map { $0.processor * 1e3 })
        }
        let least = elapsed(2, "LeastRun true")
        let leastProcessor = processor(2, "LeastRun true")
        return [
            elapsed(0, "true"), elapsed(1, "unshare -Urn true"), least,
            elapsed(3, "ipv6check -- true").compared(with: least, aim: Self.aim),
            leastProcessor, processor(3, "ipv6check -- true").compared(with: leastProcessor),
            Measurement(
                .run, "resident, ipv6check -- true", "MB", costs[3].map { $0.resident / 1e6 }, aim: Self.residentAim),
            elapsed(4, "ipv6check --version", aim: Self.versionAim), processor(4, "ipv6check --version"),
        ]
    }
}
