/// A rule that was met, and by what.
public struct Finding: Hashable, Sendable {
    public var rule: Rule
    /// What was seen, a sentence each.
    public var evidence: [String]
    /// What it is about: names, far ends, drop reasons.
    public var subjects: [String]
    /// What the client's author can do.
    public var advice: String

    /// - Parameters:
    ///   - subjects: nil where the evidence names nothing that has a name of its own.
    ///   - advice: nil is the rule's own.
    public init(rule: Rule, evidence: [String], subjects: [String]? = nil, advice: String? = nil) {
        self.rule = rule
        self.evidence = evidence
        self.subjects = subjects ?? evidence
        self.advice = advice ?? rule.advice
    }
}
