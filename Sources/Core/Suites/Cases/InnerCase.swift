// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
package import TestResults

/// The outcome of an inner test, from a comparison of its runs like that for a case.
package struct InnerCase: Hashable, Sendable {
    /// From the first run, or from the first run that reports it.
    package var test: InnerTest
    package var outcome: CaseOutcome
    /// Whether the first run does not report it.
    package var isMissing: Bool
    /// Its outcome on dual-stack; `nil` if it is not known.
    package var control: InnerTest.Outcome?
}

extension CaseAttempts {
    /// The inner tests of all runs, in the order of their first reports. Evidence is about the client as a whole: it does not show which
    /// inner test met a finding, so `known` and the baseline apply to the case.
    package var inner: [InnerCase] {
        guard first.inner != nil || again?.inner != nil || control?.inner != nil else { return [] }
        let tables = all.map { role, attempt in
            (role, Dictionary(attempt.inner?.tests.map { ($0.id, $0) } ?? [], uniquingKeysWith: { one, _ in one }))
        }
        func result(_ step: Step, _ id: String) -> InnerTest? { tables.first { $0.0 == step.rawValue }?.1[id] }
        var seen: Set<String> = []
        return all.flatMap { $0.attempt.inner?.tests ?? [] }.filter { seen.insert($0.id).inserted }.map { test in
            let here = result(.first, test.id)
            let there = result(.control, test.id)?.outcome
            return InnerCase(
                test: test,
                outcome: outcome(
                    here?.outcome, again: [result(.again, test.id), result(.later, test.id)].map { $0?.outcome },
                    control: there),
                isMissing: here == nil, control: there)
        }
    }

    /// - Parameters:
    ///   - here: `nil` if the first run does not report it.
    ///   - again: the outcomes in the other runs on the same network.
    private func outcome(
        _ here: InnerTest.Outcome?, again: [InnerTest.Outcome?], control there: InnerTest.Outcome?
    ) -> CaseOutcome {
        if here == .passed { return .pass }
        if here == .skipped { return .skip }
        // A guard's hole on one network exists on every network, and once is enough.
        if !first.evidence.canaries.isEmpty { return .fail }
        if again.contains(.passed) { return .flaky }
        switch there {
        case .passed: return .fail
        case .failed: return .broken
        case .skipped: return here == nil ? .skip : .fail
        // On dual-stack itself there is no other run for a comparison.
        case nil: return control == nil && first.evidence.network == .dualStack ? .broken : .fail
        }
    }
}
