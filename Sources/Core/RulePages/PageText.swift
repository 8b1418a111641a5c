// SPDX-License-Identifier: Apache-2.0
package import Reports

extension RulePage {
    /// The page for a terminal: headings are bold, paragraphs and items are filled to the width; code and tables stay as they are.
    package func rendered(_ style: TerminalStyle) -> String {
        var filler = PageFiller(style: style)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { filler.add(line) }
        filler.flush()
        return filler.lines.joined(separator: "\n").trimmedLines + "\n"
    }

    /// All rules, one per line.
    package static func list(_ style: TerminalStyle) -> String {
        all.map { page in
            line("\(style.strong(page.id))  It \(page.title).", style, indent: 9)
        }.joined(separator: "\n") + "\n\n'ipv6check explain V6C-001' prints a rule's page.\n"
    }
}

private func line(_ text: String, _ style: TerminalStyle, indent: Int) -> String {
    style.width.map { wrapped(text, at: $0, indent: indent) } ?? text
}

/// Fills the lines of a Markdown page in the form of docs/rules.
private struct PageFiller {
    let style: TerminalStyle
    var lines: [String] = []
    /// The current paragraph or item, and the indent of its further lines.
    private var paragraph = ""
    private var indent = 0
    private var isCode = false

    init(style: TerminalStyle) { self.style = style }

    mutating func add(_ text: Substring) {
        if text.hasPrefix("```") {
            flush()
            isCode.toggle()
        } else if isCode {
            lines.append(text.isEmpty ? "" : "    " + text)
        } else if text.isEmpty {
            flush()
            lines.append("")
        } else if text.hasPrefix("#") {
            flush()
            lines.append(style.strong(plain(text.drop { $0 == "#" }.drop { $0 == " " })))
        } else if text.hasPrefix("    ") || text.hasPrefix("|") {
            flush()
            lines.append(text.hasPrefix("|") ? plain(text) : String(text))
        } else {
            if text.hasPrefix("* ") || text.hasPrefix("- ") {
                flush()
                indent = 2
            }
            paragraph += (paragraph.isEmpty ? "" : " ") + text.drop { $0 == " " }
        }
    }

    mutating func flush() {
        if !paragraph.isEmpty { lines.append(line(plain(paragraph[...]), style, indent: indent)) }
        paragraph = ""
        indent = 0
    }

    /// Without markup: a link becomes its text, with its URL unless that is another page of the project.
    private func plain(_ text: Substring) -> String {
        let text = String(text).replacing("**", with: "")
        return text.replacing(/\[([^\]\[]*)\]\(([^)]*)\)/) { match in
            match.2.hasPrefix("http") ? "\(match.1) (\(match.2))" : String(match.1)
        }
    }
}

extension String {
    /// Without empty lines at both ends.
    fileprivate var trimmedLines: String {
        let start = self[...].drop { $0 == "\n" }
        return String(start.reversed().drop { $0 == "\n" }.reversed())
    }
}
