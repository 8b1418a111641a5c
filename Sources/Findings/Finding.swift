/// A rule that was met, and by what.
public struct Finding: Hashable, Sendable {
    public var rule: Rule
    /// What was seen, a sentence each.
    public var evidence: [String]

    public init(rule: Rule, evidence: [String]) {
        self.rule = rule
        self.evidence = evidence
    }
}
