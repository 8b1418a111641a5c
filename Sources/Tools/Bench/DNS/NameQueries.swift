/// AAAA questions for names that have only A records, asked of our DNS64, of Unbound and of BIND in turns.
struct NameQueries {
    let seconds: Int

    /// Times Unbound's.
    private static let uncachedAim = 1.0
    /// Times Unbound's: less is better.
    private static let processorAim = 1.0
    /// Of the questions that a server that has room for all names may ask again, having been asked for all of them.
    private static let tolerance = 0.001
    /// Questions a second that all of them can answer: latency, and loss, mean something below saturation only.
    private static let calmRate = 5_000

    /// Of one server in one round.
    private struct Sample {
        var uncached: Double
        var cached: Double
        /// Microseconds of the server's own processor time, the kernel's work for it included, for a cached answer.
        var processor: Double
        var median: Double
        var slowest: Double
        var lost: Double
        var memory: Double
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let upstream = try Upstream()
        let questions = try TemporaryFile(
            (0..<OwnNameServer.names).map { "\(OwnNameServer.name($0)) AAAA\n" }.joined())
        var samples: [NameServer.Kind: [Sample]] = [:]
        for _ in 0..<rounds {
            for kind in NameServer.Kind.allCases {
                samples[kind, default: []].append(try sample(kind, upstream, questions.path))
            }
        }
        return measurements("uncached", "q/s", samples, \.uncached, aim: .atLeast(Self.uncachedAim))
            + measurements("cached", "q/s", samples, \.cached, isCompared: true)
            + measurements("processor a cached answer", "µs", samples, \.processor, aim: .atMost(Self.processorAim))
            + measurements("median latency", "µs", samples, \.median)
            + measurements("99th percentile", "µs", samples, \.slowest)
            + measurements("lost at \(Self.calmRate) q/s", "", samples, \.lost, own: .atMost(0))
            + measurements("memory", "MB", samples, \.memory)
    }

    /// With a server of its own: its cache is empty at the start.
    private func sample(
        _ kind: NameServer.Kind, _ upstream: borrowing Upstream, _ questions: String
    ) throws(BenchFailure) -> Sample {
        let server = try NameServer(kind, upstream: upstream.port)
        // Each name once.
        let uncached = try DNSPerf.run(server.port, questions: questions, ["-n", "1", "-c", "4"])
        let asked = try upstream.queries()
        let used = server.processorTime
        let cached = try DNSPerf.run(server.port, questions: questions, ["-l", "\(seconds)", "-c", "4"])
        let processor = (server.processorTime - used) / cached.completed * 1e6
        // Otherwise it is not the cache that is measured, and a server that was given too little room looks slow.
        let again = try upstream.queries() - asked
        if Double(again) > Self.tolerance * Double(OwnNameServer.names) {
            throw BenchFailure(
                "\(kind.rawValue) asked its upstream again, \(again) times: its cache has no room for all names")
        }
        let calm = try DNSPerf.run(
            server.port, questions: questions, ["-l", "\(seconds)", "-c", "4", "-Q", "\(Self.calmRate)"],
            eachLatency: true)
        return Sample(
            uncached: uncached.perSecond, cached: cached.perSecond, processor: processor, median: calm.percentile(50),
            slowest: calm.percentile(99), lost: calm.lost, memory: server.residentMemory / 1e6)
    }

    private func measurements(
        _ name: String, _ unit: String, _ samples: [NameServer.Kind: [Sample]], _ value: KeyPath<Sample, Double>,
        isCompared: Bool = false, aim: Aim? = nil, own: Aim? = nil
    ) -> [Measurement] {
        func measurement(_ kind: NameServer.Kind) -> Measurement {
            Measurement(
                .dns, "\(name), \(kind.rawValue)", unit, (samples[kind] ?? []).map { $0[keyPath: value] },
                aim: kind == .ours ? own : nil)
        }
        let (unbound, bind) = (measurement(.unbound), measurement(.bind))
        let ours = measurement(.ours)
        // Latency and memory are not what is aimed at, and a loss of nothing has no ratio.
        guard isCompared || aim != nil else { return [ours, unbound, bind] }
        return [ours.compared(with: unbound, aim: aim).compared(with: bind), unbound, bind]
    }
}
