// SPDX-License-Identifier: Apache-2.0
/// Writes HTML. Text comes out escaped, and there is no other way for it to get in; characters that HTML does not allow show as U+FFFD.
struct HTMLWriter {
    private(set) var text = ""

    /// Markup of ours.
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
            // They turn the text around them.
            case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": text += "\u{fffd}"
            // What is no character.
            case _ where scalar.value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(scalar.value): text += "\u{fffd}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// An element with what `body` writes.
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

    /// An element with text.
    mutating func element(_ name: StaticString, _ attributes: [(StaticString, String)] = [], text contents: String) {
        element(name, attributes) { $0.write(contents) }
    }
}
