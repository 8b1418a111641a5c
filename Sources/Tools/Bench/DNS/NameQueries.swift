// SPDX-License-Identifier: Apache-2.0
/// AAAA questions for names that have only A records, sent to our DNS64, Unbound, BIND and the least responder in turns.
struct NameQueries {
    let seconds: Int
    let sticks: Sticks

    /// Multiple of Unbound's rate.
    private static let uncachedAim = Aim.atLeast(1.2)
    /// Multiples of Unbound's time and of the least responder's: less is better.
    private static let processorAim = Aim.atMost(1)
    private static let leastAim = Aim.atMost(1.15)
    /// The share of the names that a server may look up twice, although its cache has room for all.
    private static let tolerance = 0.001
    /// Questions a second, few enough for every server: latency and loss mean something below saturation only.
    private static let calmRate = 5_000

    /// The results of one server in one round.
    struct Sample {
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
        try OwnNetwork.enter()
        let upstream = try Upstream()
        let questions = try TemporaryFile(
            (0..<OwnNameServer.names).map { "\(OwnNameServer.name($0)) AAAA\n" }.joined())
        var samples: [NameServer.Kind: [Sample]] = [:]
        var absences: [NameServer.Kind: String] = [:]
        for kind in NameServer.Kind.allCases { absences[kind] = NameServer.absence(of: kind, sticks) }
        for _ in 0..<rounds {
            for kind in NameServer.Kind.allCases where absences[kind] == nil {
                do throws(BenchFailure) {
                    samples[kind, default: []].append(try sample(kind, upstream, questions.path))
                } catch {
                    if kind == .ours { throw error }
                    absences[kind] = "\(error)"
                }
            }
        }
        return Self.measurements(samples, absences)
    }

    /// Measures a newly started server, whose cache is empty.
    private func sample(
        _ kind: NameServer.Kind, _ upstream: borrowing Upstream, _ questions: String
    ) throws(BenchFailure) -> Sample {
        let server = try NameServer(kind, upstream: upstream.port, sticks)
        // Each name once.
        let uncached = try DNSPerf.run(server.port, questions: questions, ["-n", "1", "-c", "4"])
        let asked = try upstream.queries()
        let used = server.processorTime
        let cached = try DNSPerf.run(server.port, questions: questions, ["-l", "\(seconds)", "-c", "4"])
        let processor = (server.processorTime - used) / cached.completed * 1e6
        // A server that knows no name is fast.
        if cached.found < 100 { throw BenchFailure("\(kind.rawValue) finds \(cached.found) % of the names") }
        // A server that asks again has too little room, and its cache is not what is measured.
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

    static func measurements(
        _ samples: [NameServer.Kind: [Sample]], _ absences: [NameServer.Kind: String]
    ) -> [Measurement] {
        /// The row of our server first, then those of the given kinds, with which it is compared.
        func rows(
            _ name: String, _ unit: String, _ value: KeyPath<Sample, Double>, own: Aim? = nil,
            beside kinds: [NameServer.Kind] = [.unbound, .bind], aims: [NameServer.Kind: Aim]? = nil
        ) -> [Measurement] {
            func measurement(_ kind: NameServer.Kind) -> Measurement {
                let name = "\(name), \(kind.rawValue)"
                if let absence = absences[kind] { return Measurement(.dns, name, unit, absence: absence) }
                return Measurement(
                    .dns, name, unit, (samples[kind] ?? []).map { $0[keyPath: value] }, aim: kind == .ours ? own : nil)
            }
            let peers = kinds.map { ($0, measurement($0)) }
            var ours = measurement(.ours)
            // Latency and memory have no aim, and a loss of 0 has no ratio.
            if let aims { for (kind, peer) in peers { ours = ours.compared(with: peer, aim: aims[kind]) } }
            return [ours] + peers.map(\.1)
        }
        return rows("uncached", "q/s", \.uncached, aims: [.unbound: uncachedAim])
            + rows("cached", "q/s", \.cached, aims: [:])
            + rows(
                "processor a cached answer", "µs", \.processor, beside: [.least, .unbound, .bind],
                aims: [.least: leastAim, .unbound: processorAim])
            + rows("median latency", "µs", \.median)
            + rows("99th percentile", "µs", \.slowest)
            + rows("lost at \(calmRate) q/s", "", \.lost, own: .atMost(0))
            + rows("memory", "MB", \.memory)
    }
}
