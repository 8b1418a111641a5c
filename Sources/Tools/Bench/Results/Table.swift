// SPDX-License-Identifier: Apache-2.0
import Text

/// Measurements as lines for people: the median, the spread, the ratios to the peers, and whether the aims are met.
struct Table {
    private let rows: [[String]]

    init(_ measurements: [Measurement]) {
        rows = measurements.map { measurement in
            let samples = measurement.samples
            if let absence = measurement.absence {
                return ["  " + measurement.name, "–", "not measured: \(absence)", ""]
            }
            let ratios = measurement.comparisons.map { comparison in
                let ratio = comparison.ratios.median
                return "\(number(ratio)) × \(comparison.peer)\(remark(comparison.aim, ratio))"
            }
            return [
                "  " + measurement.name,
                "\(number(samples.median)) \(measurement.unit)",
                "\(number(samples.min() ?? .nan)) … \(number(samples.max() ?? .nan))"
                    + remark(measurement.aim, samples.median),
                ratios.joined(separator: ", "),
            ]
        }
    }

    var lines: [String] {
        TextTable(rows, numeric: [1], gap: 3).lines
    }
}

private func remark(_ aim: Aim?, _ value: Double) -> String {
    guard let aim else { return "" }
    let bound = aim.isLowerBound ? "at least" : "at most"
    return " (\(aim.isMet(by: value) ? "✓" : "✗") aim: \(bound) \(number(aim.limit)))"
}

/// A number with three significant digits.
func number(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let magnitude = value.magnitude
    if magnitude >= 100 || magnitude == magnitude.rounded() { return grouped(Int(value.rounded())) }
    let places = magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
    let scale = [10, 100, 1000][places - 1]
    let scaled = Int((magnitude * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(value < 0 ? "-" : "")\(scaled / scale).\(zeros)\(fraction)"
}

private func grouped(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
    }
    return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
}
