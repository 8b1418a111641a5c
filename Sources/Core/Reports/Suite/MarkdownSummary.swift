// SPDX-License-Identifier: Apache-2.0
package import Suites
import Text

/// The results as Markdown for a job summary: a table of tests and networks, and the folded report of each red case.
package enum MarkdownSummary {
    /// GitHub accepts 1 MiB per step, and drops the whole summary if it is larger.
    private static let limit = 900 << 10

    package static func render(_ results: SuiteResults) -> String {
        let state = results.exitCode == 0 ? "✓" : "✗"
        let lines = SuiteLines(style: TerminalStyle(isColoured: false), cases: [])
        let verdict = lines.summary(results).split(separator: "\n").first.map(String.init) ?? ""
        var text = "### \(state) \(markdownEscaped(results.header.suite))\n\n\(markdownEscaped(verdict))\n\n"
        var networks: [String] = []
        for result in results.cases where !networks.contains(result.network) { networks.append(result.network) }
        var tests: [String] = []
        var cells: [String: [String: CaseResult]] = [:]
        for result in results.cases {
            if cells.updateValue(
                (cells[result.test] ?? [:]).merging([result.network: result]) { $1 }, forKey: result.test)
                == nil
            {
                tests.append(result.test)
            }
        }
        text += row(["test"] + networks) + row(["---"] + networks.map { _ in "---" })
        var hidden = 0
        for test in tests {
            let line = row([markdownEscaped(test)] + networks.map { cells[test]?[$0].map(sign) ?? "" })
            if text.utf8.count + line.utf8.count > limit / 2 { hidden += 1 } else { text += line }
        }
        if hidden > 0 { text += "\n\(counted(hidden, "more test is", "more tests are")) in the log.\n" }
        text += "\n"
        hidden = 0
        for result in results.red {
            if hidden > 0 {
                hidden += 1
                continue
            }
            let detail =
                "<details><summary>\(result.outcome.rawValue) <b>\(markdownEscaped(result.id))</b> \(markdownEscaped(result.message))</summary>\n\n"
                + "<pre>\n\(markdownEscaped(lines.detail(result)))</pre>\n</details>\n\n"
            if text.utf8.count + detail.utf8.count > limit { hidden += 1 } else { text += detail }
        }
        if hidden > 0 {
            text +=
                "\(counted(hidden, "more red case is", "more red cases are")) in the log: a summary has at most 900 KiB.\n"
        }
        return text
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    private static func sign(_ result: CaseResult) -> String {
        if result.isRed { return "✗ \(result.outcome.rawValue)" }
        return switch result.outcome {
        case .pass: "✓"
        case .skip: "– skip"
        default: "~ \(result.outcome.rawValue)"
        }
    }
}

/// Escapes untrusted text for Markdown: in a table, in HTML or between the two.
func markdownEscaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "|", "`", "*", "_", "[", "]", "#", "~", "!", "@", "\\": result += "&#\(scalar.value);"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
