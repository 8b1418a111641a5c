/// AAAA questions for names that have only A records, asked of our DNS64, of Unbound and of BIND in turns.
struct NameQueries {
    let seconds: Int

    /// Times Unbound's.
    private static let cachedAim = 1.5
    private static let uncachedAim = 1.0
    /// Questions a second that all of them can answer: latency, and loss, mean something below saturation only.
    private static let calmRate = 5_000

    /// Of one server in one round.
    private struct Sample {
        var uncached: Double
        var cached: Double
        var median: Double
        var slowest: Double
        var lost: Double
        var memory: Double
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let port = try NameServer.freePort()
        let upstream = try NameServer.upstream(at: port)
        let questions = try TemporaryFile(
            (0..<OwnNameServer.names).map { "\(OwnNameServer.name($0)) AAAA\n" }.joined())
        var samples: [NameServer.Kind: [Sample]] = [:]
        for _ in 0..<rounds {
            for kind in NameServer.Kind.allCases {
                samples[kind, default: []].append(try sample(kind, upstream: port, questions.path))
            }
        }
        upstream.end()
        return measurements("uncached", "q/s", samples, \.uncached, aim: Self.uncachedAim)
            + measurements("cached", "q/s", samples, \.cached, aim: Self.cachedAim)
            + measurements("median latency", "µs", samples, \.median)
            + measurements("99th percentile", "µs", samples, \.slowest)
            + measurements("lost at \(Self.calmRate) q/s", "", samples, \.lost, own: .atMost(0))
            + measurements("memory", "MB", samples, \.memory)
    }

    /// With a server of its own: its cache is empty at the start.
    private func sample(_ kind: NameServer.Kind, upstream: UInt16, _ questions: String) throws(BenchFailure) -> Sample {
        let server = try NameServer(kind, upstream: upstream)
        // Each name once.
        let uncached = try DNSPerf.run(server.port, questions: questions, ["-n", "1", "-c", "4"])
        let cached = try DNSPerf.run(server.port, questions: questions, ["-l", "\(seconds)", "-c", "4"])
        let calm = try DNSPerf.run(
            server.port, questions: questions, ["-l", "\(seconds)", "-c", "4", "-Q", "\(Self.calmRate)"],
            eachLatency: true)
        return Sample(
            uncached: uncached.perSecond, cached: cached.perSecond, median: calm.percentile(50),
            slowest: calm.percentile(99), lost: calm.lost, memory: server.residentMemory / 1e6)
    }

    private func measurements(
        _ name: String, _ unit: String, _ samples: [NameServer.Kind: [Sample]], _ value: KeyPath<Sample, Double>,
        aim: Double? = nil, own: Aim? = nil
    ) -> [Measurement] {
        func measurement(_ kind: NameServer.Kind) -> Measurement {
            Measurement(
                .dns, "\(name), \(kind.rawValue)", unit, (samples[kind] ?? []).map { $0[keyPath: value] },
                aim: kind == .ours ? own : nil)
        }
        let (unbound, bind) = (measurement(.unbound), measurement(.bind))
        let ours = measurement(.ours)
        // Latency and memory are not what is aimed at, and a loss of nothing has no ratio.
        guard let aim else { return [ours, unbound, bind] }
        return [ours.compared(with: unbound, aim: .atLeast(aim)).compared(with: bind), unbound, bind]
    }
}
