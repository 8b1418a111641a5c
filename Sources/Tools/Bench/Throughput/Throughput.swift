/// TCP through the NAT64, beside plain IPv6 forwarding on the same way and beside tayga.
struct Throughput {
    let seconds: Int
    let translators: Translators

    /// Times tayga's.
    private static let aim = 5.0

    func measure(rounds: Int) throws(BenchFailure) -> [Measurement] {
        let server = try IPerf.serve()
        var results: [Measurement] = []
        for direction in IPerf.Direction.allCases {
            results += try measure(direction, rounds: rounds)
        }
        server.end()
        return results
    }

    private func measure(
        _ direction: IPerf.Direction, rounds: Int
    ) throws(BenchFailure) -> [Measurement] {
        var samples: (tayga: [Double], forwarded: [Double], translated: [Double]) = ([], [], [])
        for _ in 0..<rounds {
            let host = SimulatedPlace.ipv4Host
            samples.tayga.append(
                try IPerf.gigabits(translators.tayga.run(command(to: TaygaPlace.address(of: host), direction))))
            samples.forwarded.append(
                try IPerf.gigabits(run(on: translators.simulated, command(to: SimulatedPlace.ipv6Host, direction))))
            samples.translated.append(
                try IPerf.gigabits(
                    run(on: translators.simulated, command(to: SimulatedPlace.address(of: host), direction))))
        }
        let tayga = Measurement(.throughput, "\(direction), tayga", "Gbit/s", samples.tayga)
        let forwarded = Measurement(.throughput, "\(direction), IPv6 forwarding", "Gbit/s", samples.forwarded)
        let translated = Measurement(.throughput, "\(direction), NAT64", "Gbit/s", samples.translated)
        return [
            tayga, forwarded,
            translated.compared(with: tayga, aim: .atLeast(Self.aim)).compared(with: forwarded),
        ]
    }

    private func command(to address: String, _ direction: IPerf.Direction) -> [String] {
        IPerf.command(to: address, direction, seconds: seconds)
    }

    private func run(on place: SimulatedPlace, _ command: [String]) throws(BenchFailure) -> String {
        try place.run(command, within: .seconds(seconds + 20))
    }
}
