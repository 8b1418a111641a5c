// SPDX-License-Identifier: Apache-2.0
import Suites

/// A row of the chart of a run: steps with the same text, with a mark for each.
struct ChartRow {
    enum Kind: String, CaseIterable {
        case call, dns, flow, request
        // Last: a client that builds something has hundreds of processes.
        case process

        var title: String {
            switch self {
            case .call: "Failed calls"
            case .dns: "Look-ups"
            case .flow: "Connections"
            case .request: "What servers saw"
            case .process: "Processes"
            }
        }
    }

    let label: String
    let failed: Bool?
    /// The rules with findings about it.
    let rules: [String]
    /// In seconds.
    var times: [ClosedRange<Double>] = []

    /// The rows of a kind, by the time of their first step.
    static func rows(_ steps: [CaseResult.Step], _ kind: Kind) -> [ChartRow] {
        var rows: [ChartRow] = []
        var indices: [CaseResult.Step: Int] = [:]
        for step in steps where step.kind == kind.rawValue {
            var untimed = step
            (untimed.at, untimed.until) = (nil, nil)
            let index = indices[untimed] ?? rows.count
            if index == rows.count {
                indices[untimed] = index
                rows.append(ChartRow(label: step.text, failed: step.failed, rules: step.rules ?? []))
            }
            if let at = step.at { rows[index].times.append(at...max(at, step.until ?? at)) }
        }
        return rows
    }
}
