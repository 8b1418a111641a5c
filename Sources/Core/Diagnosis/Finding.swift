/// A rule that was met, and by what.
package struct Finding: Hashable, Sendable {
    package var rule: Rule
    /// What was seen.
    package var observations: [Observation]
    /// What the client's author can do in the case at hand.
    package var advice: String

    init(_ rule: Rule, _ observations: [Observation], in examination: Examination) {
        self.rule = rule
        self.observations = observations
        advice = [rule.advice, rule.furtherAdvice(examination)].compactMap(\.self).joined(separator: " ")
    }
}
