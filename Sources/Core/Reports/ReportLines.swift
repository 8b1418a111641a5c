// SPDX-License-Identifier: Apache-2.0
import Text

/// The lines of a report for a person: a label, and behind it the text of a row.
struct ReportLines {
    private let style: TerminalStyle
    private var lines: [String] = []

    /// Where the text of a row begins, and every further line of it.
    private static let indent = 14

    init(style: TerminalStyle) {
        self.style = style
    }

    mutating func headline(_ text: String) {
        append(text)
    }

    mutating func row(_ label: String, _ text: String) {
        append("  \(style.dim(label.padded(to: Self.indent - 4)))  \(text)")
    }

    private mutating func append(_ line: String) {
        lines.append(style.width.map { wrapped(line, at: $0, indent: Self.indent) } ?? line)
    }

    var text: String { lines.map { $0 + "\n" }.joined() }
}
