// SPDX-License-Identifier: Apache-2.0
import Suites
import Text

/// The lines of a report for a person: a label, followed by the text of a row.
struct ReportLines {
    private let style: TerminalStyle
    private var headline = ""
    private(set) var facts: [CaseResult.Fact] = []

    /// Column in which the text of a row and of its further lines begins.
    private static let indent = 14

    init(style: TerminalStyle) {
        self.style = style
    }

    mutating func headline(_ text: String) {
        headline = filled(text)
    }

    mutating func row(_ label: String, _ text: String) {
        facts.append(CaseResult.Fact(label: label, text: text))
    }

    private func filled(_ line: String) -> String {
        (style.width.map { wrapped(line, at: $0, indent: Self.indent) } ?? line) + "\n"
    }

    var text: String {
        headline
            + facts.map { filled("  \(style.dim($0.label.padded(to: Self.indent - 4)))  \($0.text)") }.joined()
    }
}
