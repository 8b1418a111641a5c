// SPDX-License-Identifier: Apache-2.0
import Suites
import Text
import Topology

/// A failure that is accepted until a date:
///
///     known:
///       - rule: V6C-001
///         target: 203.0.113.5          # or shop.example, or shop.example tcp/443; all targets of the rule, if missing
///         on: [nat64]                  # the test's networks but dual-stack, if missing
///         reason: the vendor's mirror list has addresses
///         issue: https://github.com/acme/shop/issues/812
///         until: 2027-03-31            # the last day, UTC; or never. Cannot be left out
extension SuiteFileReader {
    static let knownKeys = ["rule", "target", "on", "reason", "issue", "until"]
    private static let knownExample = "{ rule: V6C-001, target: 203.0.113.5, reason: why, until: 2027-03-31 }"

    mutating func readKnown(_ node: YAMLNode, networks: [NetworkSchedule]) -> KnownFailure? {
        guard let entries = map(node, whatItIs: "a known failure", example: Self.knownExample) else { return nil }
        let fields = fields(entries, of: "a known failure", named: Self.knownKeys)
        for needed in ["rule", "reason", "until"] where fields[needed] == nil {
            report("a known failure needs \(needed): write \(Self.knownExample)", at: node.position)
        }
        guard let ruleNode = fields["rule"], let reasonNode = fields["reason"], let untilNode = fields["until"] else {
            return nil
        }
        let rule = choice(ruleNode, "a rule", rules.map { (word: $0, $0) })
        let reason = text(reasonNode, "reason", example: "the vendor's mirror list has addresses")
        let target = fields["target"].flatMap { text($0, "target", example: "203.0.113.5") }
        let issue = fields["issue"].flatMap { text($0, "issue", example: "https://github.com/acme/shop/issues/812") }
        let here = fields["on"].map { readNetworks($0) }
        if let on = fields["on"], let other = here?.first(where: { !networks.contains($0) }) {
            report("the test does not run on \(other)", at: on.position)
        }
        guard let until = readUntil(untilNode), let rule, let reason else { return nil }
        return KnownFailure(
            rule: rule, target: target, networks: here, reason: reason, issue: issue, until: until)
    }

    /// The inner `nil` means without end.
    private mutating func readUntil(_ node: YAMLNode) -> Day?? {
        if node.isText("never") { return .some(nil) }
        if case .scalar(let text) = node.content, let day = Day(text) { return day }
        report("until must be a day such as 2027-03-31, or never, not \(node.kindDescription)", at: node.position)
        return nil
    }
}
