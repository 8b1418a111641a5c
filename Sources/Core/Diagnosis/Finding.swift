// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// A rule that was met, with the observations that meet it.
package struct Finding: Hashable, Sendable {
    package var rule: Rule
    package var severity: Severity
    /// The observations that meet the rule.
    package var observations: [Observation]
    /// Advice for the client's author, for the case at hand.
    package var advice: String

    init(_ rule: Rule, _ observations: [Observation], in examination: Examination) {
        self.rule = rule
        severity = examination.run.end.isSuccess ? rule.severityIfPassing : rule.severity
        self.observations = observations
        let language =
            observations.lazy.compactMap { Language(of: $0.site, in: examination) }.first
            ?? Language(of: nil, in: examination)
        let fitting = rule.fittingAdvice(examination, observations) ?? rule.advice(for: language)
        advice = [fitting, rule.furtherAdvice(examination)].compactMap(\.self).joined(separator: " ")
    }

    /// The first place of the observations, if their statements name no line.
    package var placeBeside: CallSite? {
        guard !observations.contains(where: \.statement.namesLine), var site = observations.compactMap(\.site).first,
            site.file != nil, site.line != nil
        else { return nil }
        site.program = nil
        return site
    }
}
