import Glibc
import LinuxNet
import Wire

/// Datagrams through the NAT64, beside tayga on the same machine: what arrives of what is offered, and what that costs.
struct DatagramRates {
    let seconds: Int
    let translators: Translators

    private static let port: UInt16 = 5_201

    private struct Sample {
        /// Thousands a second.
        var offered: Double
        var received: Double
        /// Of one processor, the translator's own.
        var share: Double
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var results: [Measurement] = []
        for stream in DatagramStream.all {
            var samples: (ours: [Sample], tayga: [Sample]) = ([], [])
            for _ in 0..<rounds {
                samples.tayga.append(
                    try sample(clock: { ProcessClock.time(of: translators.tayga.translator) }) {
                        () throws(BenchFailure) in
                        try translators.tayga.run(command(to: TaygaPlace.address(of: SimulatedPlace.ipv4Host), stream))
                    })
                samples.ours.append(
                    try sample(clock: { ProcessClock.time(of: getpid()) }) { () throws(BenchFailure) in
                        try translators.simulated.run(
                            command(to: SimulatedPlace.address(of: SimulatedPlace.ipv4Host), stream),
                            within: .seconds(seconds + 20))
                    })
            }
            results += measurements(stream, ours: samples.ours, tayga: samples.tayga)
        }
        return results
    }

    private func command(to address: String, _ stream: DatagramStream) -> [String] {
        // Dotted decimals at the end of an address are for people.
        let address = IPv6Address(address).map { "\($0)" } ?? address
        return DatagramEnd.send(to: address, Self.port, stream, seconds: seconds)
    }

    private func sample(
        clock: () -> Double, send: () throws(BenchFailure) -> String
    ) throws(BenchFailure) -> Sample {
        let receiver = try DatagramEnd.receive(at: Self.port, seconds: seconds + 10)
        let before = clock()
        let said = try send().split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        let spent = clock() - before
        let line = receiver.readLine().split(whereSeparator: \.isWhitespace)
        receiver.end()
        guard said.count == 2, let received = line.first.flatMap({ Double($0) }) else {
            throw BenchFailure("sender and receiver say: \(said), \(line)")
        }
        return Sample(
            offered: said[0] / said[1] / 1000, received: received / said[1] / 1000, share: spent / said[1] * 100)
    }

    private func measurements(_ stream: DatagramStream, ours: [Sample], tayga: [Sample]) -> [Measurement] {
        func measurement(
            _ what: String, _ who: String, _ unit: String, _ values: [Double], aim: Aim? = nil
        ) -> Measurement {
            Measurement(.datagrams, "\(stream.name), \(what), \(who)", unit, values, aim: aim)
        }
        let offered = (
            ours: measurement("offered", "NAT64", "kpps", ours.map(\.offered)),
            tayga: measurement("offered", "tayga", "kpps", tayga.map(\.offered))
        )
        let received = (
            ours: measurement("received", "NAT64", "kpps", ours.map(\.received)),
            tayga: measurement("received", "tayga", "kpps", tayga.map(\.received))
        )
        let share = (
            ours: measurement("of a processor", "NAT64", "%", ours.map(\.share), aim: stream.share),
            tayga: measurement("of a processor", "tayga", "%", tayga.map(\.share))
        )
        return [
            offered.tayga, received.tayga, share.tayga, offered.ours,
            received.ours.compared(with: received.tayga, aim: stream.advantage)
                .compared(with: offered.ours, aim: stream.arrival),
            share.ours.compared(with: share.tayga),
        ]
    }
}
