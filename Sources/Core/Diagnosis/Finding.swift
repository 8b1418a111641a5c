// SPDX-License-Identifier: Apache-2.0
import Evidence

/// A rule that was met, and by what.
package struct Finding: Hashable, Sendable {
    package var rule: Rule
    package var severity: Severity
    /// What was seen.
    package var observations: [Observation]
    /// What the client's author can do in the case at hand.
    package var advice: String

    init(_ rule: Rule, _ observations: [Observation], in examination: Examination) {
        self.rule = rule
        severity = examination.run.end.isSuccess ? rule.severity : rule.severityIfFailing
        self.observations = observations
        let language =
            observations.lazy.compactMap { Language(of: $0.site, in: examination) }.first
            ?? Language(of: nil, in: examination)
        let fitting =
            rule.fittingAdvice(examination, observations) ?? language.flatMap { rule.adviceByLanguage[$0] }
            ?? rule.advice
        advice = [fitting, rule.furtherAdvice(examination)].compactMap(\.self).joined(separator: " ")
    }
}
