// SPDX-License-Identifier: Apache-2.0
/// Writes XML 1.0. Text and values are escaped, and cannot be added otherwise; characters that XML 1.0 does not allow (control characters
/// except tab and line break) become U+FFFD.
package struct XMLWriter {
    package private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var depth = 0

    package init() {}

    /// An element with the contents that `body` writes; without `body`, an empty one.
    package mutating func element(
        _ name: StaticString, _ attributes: [(StaticString, String)], _ body: ((inout XMLWriter) -> Void)? = nil
    ) {
        indent()
        text += "<\(name)"
        for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value, inAttribute: true))\"" }
        guard let body else {
            text += "/>\n"
            return
        }
        text += ">\n"
        depth += 1
        body(&self)
        depth -= 1
        indent()
        text += "</\(name)>\n"
    }

    /// An element that contains only text, which is unchanged, blanks included.
    package mutating func element(_ name: StaticString, _ attributes: [(StaticString, String)], text contents: String) {
        indent()
        text += "<\(name)"
        for (key, value) in attributes { text += " \(key)=\"\(Self.escaped(value, inAttribute: true))\"" }
        text += ">\(Self.escaped(contents, inAttribute: false))</\(name)>\n"
    }

    private mutating func indent() { text += String(repeating: "  ", count: depth) }

    private static func escaped(_ contents: String, inAttribute: Bool) -> String {
        var result = ""
        for scalar in contents.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"" where inAttribute: result += "&quot;"
            case "\n" where inAttribute, "\t" where inAttribute: result += "&#\(scalar.value);"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // A parser would turn it into a line break.
            case "\r": result += "&#13;"
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
