import ArgumentParser

/// A time on the command line: a number of seconds, or one with the unit `ms`, `s`, `m` or `h`.
struct TimeLimit: ExpressibleByArgument {
    var duration: Duration

    init?(argument: String) {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        guard let unit = units.first(where: { argument.hasSuffix($0.suffix) }),
            let number = Double(argument.dropLast(unit.suffix.count)), number.isFinite, number > 0,
            number * unit.seconds <= 30 * 24 * 3600
        else { return nil }
        duration = .seconds(number * unit.seconds)
    }
}
