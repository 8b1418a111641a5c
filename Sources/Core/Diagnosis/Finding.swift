/// A rule that was met, and by what.
package struct Finding: Hashable, Sendable {
    package var rule: Rule
    /// What was seen, a sentence each.
    package var evidence: [String]
    /// What it is about: names, far ends, drop reasons.
    package var subjects: [String]
    /// What the client's author can do.
    package var advice: String

    /// - Parameters:
    ///   - subjects: nil where the evidence names nothing that has a name of its own.
    ///   - advice: nil is the rule's own.
    package init(rule: Rule, evidence: [String], subjects: [String]? = nil, advice: String? = nil) {
        self.rule = rule
        self.evidence = evidence
        self.subjects = subjects ?? evidence
        self.advice = advice ?? rule.advice
    }
}
