// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// Datagrams through the NAT64, compared with tayga and the least translator on the same machine: offered and received rates, and the
/// processor time.
struct DatagramRates {
    let seconds: Int
    let translators: Translators

    private static let port: UInt16 = 5_201

    struct Sample {
        /// Thousands of datagrams a second.
        var offered: Double
        var received: Double
        /// The translator's share of one processor, in percent.
        var share: Double
    }

    /// One sample a round.
    struct Samples {
        var ours: [Sample] = []
        var peers: [Translators.Peer: [Sample]] = [:]
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var results: [Measurement] = []
        for stream in DatagramStream.all {
            var samples = Samples()
            for _ in 0..<rounds {
                for peer in stream.peers {
                    guard let way = translators.way(of: peer) else { continue }
                    samples.peers[peer, default: []].append(try sample(stream, way))
                }
                samples.ours.append(try sample(stream, translators.ours))
            }
            results += Self.measurements(stream, samples, translators.absences)
        }
        return results
    }

    private func sample(_ stream: DatagramStream, _ way: any Way) throws(BenchFailure) -> Sample {
        // Dotted decimals at the end of an IPv6 address are for people only.
        let written = way.address(of: SimulatedFixture.ipv4Host)
        let address = IPv6Address(written).map { "\($0)" } ?? written
        let receiver = try DatagramEnd.receive(at: Self.port, seconds: seconds + 10)
        let before = way.processorTime
        let said = try way.run(
            DatagramEnd.send(to: address, Self.port, stream, seconds: seconds), within: .seconds(seconds + 20)
        ).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        let spent = way.processorTime - before
        let line = receiver.readLine().split(whereSeparator: \.isWhitespace)
        receiver.end()
        guard said.count == 2, let received = line.first.flatMap({ Double($0) }) else {
            throw BenchFailure("sender and receiver say: \(said), \(line)")
        }
        return Sample(
            offered: said[0] / said[1] / 1000, received: received / said[1] / 1000, share: spent / said[1] * 100)
    }

    static func measurements(
        _ stream: DatagramStream, _ samples: Samples, _ absences: [Translators.Peer: String]
    ) -> [Measurement] {
        func name(_ what: String, _ who: String) -> String { "\(stream.name), \(what), \(who)" }
        /// The rates that each offered and received, and its share of a processor.
        func rows(_ who: String, _ samples: [Sample], share: Aim? = nil) -> [Measurement] {
            [
                Measurement(.datagrams, name("offered", who), "kpps", samples.map(\.offered)),
                Measurement(.datagrams, name("received", who), "kpps", samples.map(\.received)),
                Measurement(.datagrams, name("of a processor", who), "%", samples.map(\.share), aim: share),
            ]
        }
        let ours = rows("NAT64", samples.ours, share: stream.share)
        var (received, share) = (ours[1], ours[2])
        var others: [Measurement] = []
        for peer in stream.peers {
            if let absence = absences[peer] {
                let missing = Measurement(.datagrams, name("received", peer.rawValue), "kpps", absence: absence)
                others.append(missing)
                received = received.compared(with: missing, aim: peer == .tayga ? stream.advantage : nil)
                continue
            }
            let rows = rows(peer.rawValue, samples.peers[peer] ?? [])
            others += rows
            received = received.compared(with: rows[1], aim: peer == .tayga ? stream.advantage : nil)
            share = share.compared(with: rows[2])
        }
        return others + [ours[0], received.compared(with: ours[0], aim: stream.arrival), share]
    }
}
