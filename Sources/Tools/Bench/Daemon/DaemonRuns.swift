// SPDX-License-Identifier: Apache-2.0
/// A run through a daemon, compared with one that starts its own simulator; and the attachment's share of it.
struct DaemonRuns {
    let ipv6check: String

    /// Milliseconds.
    private static let attachingAim = Aim.atMost(5)
    /// The daemon runs already: using it must not cost more than starting a simulator.
    private static let aim = Aim.atMost(1)

    /// Milliseconds per run, in one round.
    struct Sample {
        var own: Double
        var attached: Double
        var ownProcessor: Double
        /// Including the daemon's share.
        var attachedProcessor: Double
        var attaching: Double
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let daemon = try DaemonFixture(ipv6check: ipv6check)
        _ = try sample(daemon)
        var samples: [Sample] = []
        for _ in 0..<rounds { samples.append(try sample(daemon)) }
        return Self.measurements(samples)
    }

    private func sample(_ daemon: DaemonFixture) throws(BenchFailure) -> Sample {
        var (own, attached): ([RunCost], [RunCost]) = ([], [])
        let before = daemon.processorTime
        for _ in 0..<WallTime.runsInARound {
            own.append(try RunCost(of: [ipv6check, "--once", "--", "true"]))
            attached.append(try RunCost(of: [ipv6check] + daemon.simulator + ["--once", "--", "true"]))
        }
        let share = (daemon.processorTime - before) / Double(WallTime.runsInARound)
        return Sample(
            own: own.map(\.elapsed).median * 1e3, attached: attached.map(\.elapsed).median * 1e3,
            ownProcessor: own.map(\.processor).median * 1e3,
            attachedProcessor: (attached.map(\.processor).median + share) * 1e3,
            attaching: try AttachEnd.times(at: daemon.attachSocket, count: WallTime.runsInARound).median)
    }

    static func measurements(_ samples: [Sample]) -> [Measurement] {
        func measurement(_ name: String, _ value: KeyPath<Sample, Double>, aim: Aim? = nil) -> Measurement {
            Measurement(.daemon, name, "ms", samples.map { $0[keyPath: value] }, aim: aim)
        }
        let own = measurement("a simulator of its own", \.own)
        let ownProcessor = measurement("processor time, a simulator of its own", \.ownProcessor)
        return [
            own, measurement("through the daemon", \.attached).compared(with: own, aim: aim),
            ownProcessor,
            measurement("processor time, through the daemon", \.attachedProcessor).compared(with: ownProcessor),
            measurement("attaching", \.attaching, aim: attachingAim),
        ]
    }
}
