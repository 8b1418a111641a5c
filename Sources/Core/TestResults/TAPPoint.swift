// SPDX-License-Identifier: Apache-2.0
/// A test point of TAP: `not ok 3 - logout # TODO later`.
struct TAPPoint {
    var outcome: InnerTest.Outcome
    /// May be empty.
    var name: String
    /// The text of a directive.
    var reason: String

    /// `nil` if the line is no test point.
    init?(_ line: Substring) {
        let isOK = line.hasPrefix("ok")
        guard isOK || line.hasPrefix("not ok") else { return nil }
        var rest = line.dropFirst(isOK ? 2 : 6)
        // A program may print words that begin like this.
        guard rest.isEmpty || rest.first == " " else { return nil }
        rest = rest.drop { $0 == " " }
        rest = rest.drop { $0.isASCII && $0.isNumber }
        rest = rest.drop { $0 == " " }
        if rest.first == "-" { rest = rest.dropFirst().drop { $0 == " " } }
        let (name, directive) = Self.split(rest)
        self.name = name
        reason = ""
        outcome = isOK ? .passed : .failed
        // Only the first letters count: SKIP, SKIPPED and skip are all in use.
        let word = directive.prefix(4).lowercased()
        if word == "skip" || word == "todo" {
            outcome = .skipped
            reason = trimmed(directive.drop { $0 != " " && $0 != ":" }.dropFirst())
        }
    }

    /// The text before the first unescaped `#`, without escapes, and the text after it.
    private static func split(_ text: Substring) -> (name: String, directive: String) {
        var name = ""
        var rest = text
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, next == "#" || next == "\\" {
                name.append(next)
                rest.removeFirst()
            } else if character == "#" {
                return (trimmed(name), trimmed(rest))
            } else {
                name.append(character)
            }
        }
        return (trimmed(name), "")
    }
}
