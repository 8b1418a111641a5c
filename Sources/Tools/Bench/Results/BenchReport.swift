// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// All measurements of a run, as JSON. `schema` is incremented when a key changes its meaning or is removed.
struct Report: Encodable {
    let schema = 1
    let rounds: Int
    let machine: MachineDescription
    /// The parts that were left out, and the reasons.
    let notes: [String]
    let results: [Result]

    struct Result: Encodable {
        let part: Part
        let name: String
        let unit: String
        let median: Double
        let samples: [Double]
        let aim: AimRecord?
        /// Why there are no samples.
        let absence: String?
        let comparisons: [Comparison]
    }

    struct Comparison: Encodable {
        let peer: String
        let median: Double
        let ratios: [Double]
        let aim: AimRecord?
    }

    struct AimRecord: Encodable {
        let atLeast: Double?
        let atMost: Double?
        let isMet: Bool

        init(_ aim: Aim, _ value: Double) {
            atLeast = aim.isLowerBound ? aim.limit : nil
            atMost = aim.isLowerBound ? nil : aim.limit
            isMet = aim.isMet(by: value)
        }
    }

    init(rounds: Int, machine: MachineDescription, notes: [String], _ measurements: [Measurement]) {
        self.rounds = rounds
        self.machine = machine
        self.notes = notes
        results = measurements.map { measurement in
            let median = measurement.samples.median
            return Result(
                part: measurement.part, name: measurement.name, unit: measurement.unit, median: median,
                samples: measurement.samples, aim: measurement.aim.map { AimRecord($0, median) },
                absence: measurement.absence,
                comparisons: measurement.comparisons.map { comparison in
                    let median = comparison.ratios.median
                    return Comparison(
                        peer: comparison.peer, median: median, ratios: comparison.ratios,
                        aim: comparison.aim.map { AimRecord($0, median) })
                })
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // JSON has no notation for a ratio to zero, which is not a number.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        try (encoder.encode(self) + Data([UInt8(ascii: "\n")])).write(to: URL(filePath: path))
    }
}
