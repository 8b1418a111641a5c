import Glibc
import LinuxNet
import Wire

/// Small datagrams through the NAT64, beside tayga on the same machine: what arrives of what is offered, and what that costs.
struct DatagramRates {
    let seconds: Int
    let translators: Translators

    /// Datagrams a second; 0 is as fast as the sender goes.
    private static let rates: [Double] = [50_000, 100_000, 150_000, 0]
    private static let port: UInt16 = 5_201
    /// Times tayga's, under a flood.
    private static let floodAim = 2.5

    private struct Sample {
        /// Thousands a second.
        var offered: Double
        var received: Double
        /// Of one processor, the translator's own.
        var share: Double
    }

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        var results: [Measurement] = []
        for rate in Self.rates {
            var samples: (ours: [Sample], tayga: [Sample]) = ([], [])
            for _ in 0..<rounds {
                samples.tayga.append(
                    try sample(clock: { ProcessClock.time(of: translators.tayga.translator) }) {
                        () throws(BenchFailure) in
                        try translators.tayga.run(command(to: TaygaPlace.address(of: SimulatedPlace.ipv4Host), rate))
                    })
                samples.ours.append(
                    try sample(clock: { ProcessClock.time(of: getpid()) }) { () throws(BenchFailure) in
                        try translators.simulated.run(
                            command(to: SimulatedPlace.address(of: SimulatedPlace.ipv4Host), rate),
                            within: .seconds(seconds + 20))
                    })
            }
            results += measurements(rate, ours: samples.ours, tayga: samples.tayga)
        }
        return results
    }

    private func command(to address: String, _ rate: Double) -> [String] {
        // Dotted decimals at the end of an address are for people.
        let address = IPv6Address(address).map { "\($0)" } ?? address
        return DatagramEnd.send(to: address, Self.port, rate: rate, seconds: seconds)
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

    private func measurements(_ rate: Double, ours: [Sample], tayga: [Sample]) -> [Measurement] {
        let name = rate == 0 ? "flood" : "\(Int(rate / 1000)) kpps"
        func measurement(_ what: String, _ who: String, _ unit: String, _ values: [Double]) -> Measurement {
            Measurement(.datagrams, "\(name), \(what), \(who)", unit, values)
        }
        let received = (
            ours: measurement("received", "NAT64", "kpps", ours.map(\.received)),
            tayga: measurement("received", "tayga", "kpps", tayga.map(\.received))
        )
        let share = (
            ours: measurement("of a processor", "NAT64", "%", ours.map(\.share)),
            tayga: measurement("of a processor", "tayga", "%", tayga.map(\.share))
        )
        return [
            measurement("offered", "tayga", "kpps", tayga.map(\.offered)), received.tayga, share.tayga,
            measurement("offered", "NAT64", "kpps", ours.map(\.offered)),
            received.ours.compared(with: received.tayga, aim: rate == 0 ? .atLeast(Self.floodAim) : nil),
            share.ours.compared(with: share.tayga),
        ]
    }
}
