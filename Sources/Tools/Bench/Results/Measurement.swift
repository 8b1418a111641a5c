// SPDX-License-Identifier: Apache-2.0
/// A quantity measured once in each round, and its comparisons.
struct Measurement {
    let part: Part
    let name: String
    let unit: String
    /// One sample a round.
    let samples: [Double]
    /// The aim for the median.
    let aim: Aim?
    /// Why there are no samples, if a peer is absent. A comparison with that peer has no ratio and meets no aim.
    private(set) var absence: String?
    private(set) var comparisons: [Comparison] = []

    /// The ratio to another measurement of the same round. Noise that lasts longer than a round affects both, so that the ratio is more
    /// reliable than either number.
    struct Comparison {
        let peer: String
        let ratios: [Double]
        /// The aim for the median of the ratios.
        let aim: Aim?
    }

    init(_ part: Part, _ name: String, _ unit: String, _ samples: [Double], aim: Aim? = nil) {
        self.part = part
        self.name = name
        self.unit = unit
        self.samples = samples
        self.aim = aim
    }

    init(_ part: Part, _ name: String, _ unit: String, absence: String) {
        self.init(part, name, unit, [])
        self.absence = absence
    }

    func compared(with peer: Measurement, aim: Aim? = nil) -> Measurement {
        var result = self
        result.comparisons.append(
            Comparison(peer: peer.name, ratios: zip(samples, peer.samples).map { $0 / $1 }, aim: aim))
        return result
    }
}

/// A bound that a number should meet.
struct Aim {
    let limit: Double
    let isLowerBound: Bool

    static func atLeast(_ limit: Double) -> Aim { Aim(limit: limit, isLowerBound: true) }
    static func atMost(_ limit: Double) -> Aim { Aim(limit: limit, isLowerBound: false) }

    func isMet(by value: Double) -> Bool { isLowerBound ? value >= limit : value <= limit }
}

extension [Double] {
    var median: Double {
        if isEmpty { return .nan }
        let sorted = self.sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
