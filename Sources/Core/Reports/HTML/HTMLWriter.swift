// SPDX-License-Identifier: Apache-2.0
/// Writes HTML. Text is escaped, and cannot be added otherwise; characters that HTML does not allow become U+FFFD.
struct HTMLWriter {
    private(set) var text = ""

    /// Our own markup.
    mutating func raw(_ markup: StaticString) { text += "\(markup)" }

    mutating func write(_ contents: String) {
        for scalar in contents.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": text += "\u{fffd}"
            // Bidirectional controls: they change the direction of the text around them.
            case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": text += "\u{fffd}"
            // Noncharacters.
            case _ where scalar.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(scalar.value): text += "\u{fffd}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// An element with the contents that `body` writes.
    mutating func element(
        _ name: StaticString, _ attributes: [(StaticString, String)] = [], _ body: (inout HTMLWriter) -> Void
    ) {
        text += "<\(name)"
        for (key, value) in attributes {
            text += " \(key)=\""
            write(value)
            text += "\""
        }
        text += ">"
        body(&self)
        text += "</\(name)>"
    }

    /// A heading; the maximum level is six.
    mutating func heading(
        _ level: Int, _ attributes: [(StaticString, String)] = [], _ body: (inout HTMLWriter) -> Void
    ) {
        let names: [StaticString] = ["h1", "h2", "h3", "h4", "h5", "h6"]
        element(names[min(max(level, 1), names.count) - 1], attributes, body)
        raw("\n")
    }

    mutating func heading(_ level: Int, text contents: String) { heading(level) { $0.write(contents) } }

    /// An element with text.
    mutating func element(_ name: StaticString, _ attributes: [(StaticString, String)] = [], text contents: String) {
        element(name, attributes) { $0.write(contents) }
    }
}
