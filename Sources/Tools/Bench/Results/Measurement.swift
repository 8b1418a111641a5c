// SPDX-License-Identifier: Apache-2.0
/// Something measured several times, once in each round, and what it is to be compared with.
struct Measurement {
    let part: Part
    let name: String
    let unit: String
    /// One a round.
    let samples: [Double]
    /// What the median ought to be.
    let aim: Aim?
    /// Why there are no samples, where a peer is not there. What is compared with it has no ratio, and no aim that is met.
    private(set) var absence: String?
    private(set) var comparisons: [Comparison] = []

    /// The same in each round beside another measurement of that round. Noise that lasts longer than a round concerns
    /// both, so that the ratio says more than either number.
    struct Comparison {
        let peer: String
        let ratios: [Double]
        /// What the median of the ratios ought to be.
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

/// What a number ought to be.
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
