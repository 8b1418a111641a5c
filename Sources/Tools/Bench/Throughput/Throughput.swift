// SPDX-License-Identifier: Apache-2.0
/// TCP through the NAT64, compared with plain IPv6 forwarding on the same path, with tayga and with the least translator.
struct Throughput {
    let seconds: Int
    let translators: Translators

    private static let peers: [Translators.Peer] = [.tayga, .plain]
    /// Multiple of tayga's throughput.
    private static let aim = Aim.atLeast(5)
    /// Multiple of the least translator's throughput.
    private static let leastAim = Aim.atLeast(0.95)

    /// Gbit/s, one sample a round.
    struct Samples {
        var ours: [Double] = []
        var forwarded: [Double] = []
        var peers: [Translators.Peer: [Double]] = [:]
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let server = try IPerf.serve()
        var results: [Measurement] = []
        for load in IPerf.Load.allCases {
            var samples = Samples()
            for _ in 0..<rounds { try take(load, into: &samples) }
            results += Self.measurements(load, samples, translators.absences)
        }
        server.end()
        return results
    }

    private func take(_ load: IPerf.Load, into samples: inout Samples) throws(BenchFailure) {
        for peer in Self.peers {
            guard let way = translators.way(of: peer) else { continue }
            samples.peers[peer, default: []].append(
                try run(load, way, way.address(of: SimulatedFixture.ipv4Host)))
        }
        let ours = translators.ours
        samples.forwarded.append(try run(load, ours, SimulatedFixture.ipv6Host))
        samples.ours.append(try run(load, ours, ours.address(of: SimulatedFixture.ipv4Host)))
    }

    private func run(_ load: IPerf.Load, _ way: any Way, _ address: String) throws(BenchFailure) -> Double {
        try IPerf.gigabits(
            way.run(IPerf.command(to: address, load, seconds: seconds), within: .seconds(seconds + 20)))
    }

    static func measurements(
        _ load: IPerf.Load, _ samples: Samples, _ absences: [Translators.Peer: String]
    ) -> [Measurement] {
        func peer(_ peer: Translators.Peer) -> Measurement {
            let name = "\(load.rawValue), \(peer.rawValue)"
            if let absence = absences[peer] { return Measurement(.throughput, name, "Gbit/s", absence: absence) }
            return Measurement(.throughput, name, "Gbit/s", samples.peers[peer] ?? [])
        }
        let (tayga, least) = (peer(.tayga), peer(.plain))
        let forwarded = Measurement(.throughput, "\(load.rawValue), IPv6 forwarding", "Gbit/s", samples.forwarded)
        return [
            tayga, least, forwarded,
            Measurement(.throughput, "\(load.rawValue), NAT64", "Gbit/s", samples.ours)
                .compared(with: tayga, aim: aim).compared(with: least, aim: leastAim).compared(with: forwarded),
        ]
    }
}
