// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Text

/// The table for a person: network × verdict × first finding.
package enum SurveyTable {
    /// - Parameter verbose: also print the report of each network.
    package static func render(_ report: SurveyReport, style: TerminalStyle, verbose: Bool) -> String {
        var lines = ReportLines(style: style)
        lines.headline(headline(report, style))
        let labels = report.rows.map(\.network.count).max() ?? 0
        let words = report.rows.map { word($0).count }.max() ?? 0
        for row in report.rows {
            let (word, explanation) = (Self.word(row), Self.explanation(row, style))
            let gap = explanation.isEmpty ? "" : String(repeating: " ", count: words - word.count + 2)
            lines.row(row.network.padded(to: labels), coloured(word, row, style) + gap + explanation)
        }
        if !report.failing.isEmpty {
            lines.row("more", "ipv6check --network \(report.failing[0].network) … has the whole report")
        }
        var notes: [String] = []
        for note in report.rows.flatMap(\.report.notes) where !notes.contains(note) { notes.append(note) }
        for note in notes { lines.row("note", note) }
        if !verbose { return lines.text }
        return lines.text
            + report.rows.map { "\n" + TerminalReport.render($0.report, style: style, verbose: true) }.joined()
    }

    private static func headline(_ report: SurveyReport, _ style: TerminalStyle) -> String {
        let client = style.strong(abbreviated(report.command))
        let failing = report.failing
        if failing.isEmpty {
            return "ipv6check: \(style.good("PASS"))  \(client) works on \(counted(report.rows.count, "network"))"
        }
        return
            "ipv6check: \(style.bad("FAIL"))  \(client) works on \(report.rows.count - failing.count) of \(counted(report.rows.count, "network"))"
    }

    private static func word(_ row: SurveyRow) -> String {
        switch row.report.verdict.judgement {
        case .passes, .passesHereOnly: row.exitCode == 0 ? "PASS" : "FAIL"
        case .flaky: "FLAKY"
        case .failsHere, .failsHereRunsThere, .failsUncompared, .failsEverywhere: "FAIL"
        case .timesOut: "TIME-OUT"
        case .notJudged: "NOT JUDGED"
        }
    }

    private static func coloured(_ word: String, _ row: SurveyRow, _ style: TerminalStyle) -> String {
        switch row.report.verdict.judgement {
        case .passes where row.exitCode == 0: style.good(word)
        case .passesHereOnly where row.exitCode == 0: style.warning(word)
        case .flaky, .notJudged: style.warning(word)
        default: style.bad(word)
        }
    }

    private static func explanation(_ row: SurveyRow, _ style: TerminalStyle) -> String {
        if let finding = row.finding { return "\(style.strong(finding.rule.id)) It \(finding.rule.title)." }
        return switch row.report.verdict.judgement {
        case .passes, .flaky: ""
        case .passesHereOnly: "fails on dual-stack"
        case .failsHere: "works on dual-stack; no rule says why"
        case .failsHereRunsThere: "was still running on dual-stack when it was stopped"
        case .failsUncompared: "not compared with dual-stack"
        case .failsEverywhere: "fails on dual-stack too"
        case .timesOut: "did not end within --timeout"
        case .notJudged: "the simulator had no room for it"
        }
    }
}
