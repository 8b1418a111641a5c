// SPDX-License-Identifier: Apache-2.0
import Text

/// The page of a rule in docs/rules.
package struct RulePage: Sendable {
    /// `V6C-001`.
    package let id: String
    /// Markdown.
    package let text: String

    package init(id: String, text: String) {
        self.id = id
        self.text = text
    }

    /// The numbers of all rules, in their order.
    package static var ids: [String] { EmbeddedFile.ruleNumbers }

    /// In the order of their numbers.
    package static var all: [RulePage] { EmbeddedFile.rulePages.map { RulePage(id: $0.rule, text: $0.text) } }

    /// The client's problem, without a full stop: the heading of the page after the number.
    package var title: String {
        let heading = text.prefix { $0 != "\n" }
        return String(heading.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
    }

    /// The rule's number for `word`: `V6C-001`, `v6c-1`, `V6C1` and `1` are the same; `nil` if it is no rule's number.
    package static func id(_ word: String) -> String? {
        var digits = word.lowercased()[...]
        if digits.hasPrefix("v6c") {
            digits = digits.dropFirst(3)
            if digits.first == "-" { digits = digits.dropFirst() }
        }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt(digits), number < 1000 else {
            return nil
        }
        let text = String(number)
        return "V6C-" + String(repeating: "0", count: 3 - text.utf8.count) + text
    }

    /// The page of the rule with the number `word`.
    package static func find(_ word: String) -> RulePage? { id(word).flatMap { id in all.first { $0.id == id } } }

    /// The message about a word that is no rule's number.
    package static func unknown(_ word: String) -> String {
        let meant = nearestWord(to: id(word) ?? word, among: all.map { $0.id.lowercased() })
        return "\(excerpt(word)) is no rule"
            + (meant.map { " (did you mean \($0.uppercased())?)" } ?? "; 'ipv6check explain' lists them")
    }
}
