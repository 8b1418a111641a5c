// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
package import TestResults

/// How an inner test ends: what its runs say, held against each other as those of a case are.
package struct InnerCase: Hashable, Sendable {
    /// As the first run reports it, or the first that does.
    package var test: InnerTest
    package var outcome: CaseOutcome
    /// Whether the first run does not report it.
    package var isMissing: Bool
    /// How it ends on dual-stack; `nil` if that is not known.
    package var control: InnerTest.Outcome?
}

extension CaseAttempts {
    /// The inner tests of all runs, in the order in which they are reported first. Evidence is of the client as a whole: which inner
    /// test met a finding is not known, so `known` and the baseline are for the case.
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
    ///   - again: of the other runs on the same network.
    private func outcome(
        _ here: InnerTest.Outcome?, again: [InnerTest.Outcome?], control there: InnerTest.Outcome?
    ) -> CaseOutcome {
        if here == .passed { return .pass }
        if here == .skipped { return .skip }
        // A hole is one on every network, and once is enough.
        if !first.evidence.canaries.isEmpty { return .fail }
        if again.contains(.passed) { return .flaky }
        switch there {
        case .passed: return .fail
        case .failed: return .broken
        case .skipped: return here == nil ? .skip : .fail
        // On dual-stack itself there is no other run to compare.
        case nil: return control == nil && first.evidence.network == .dualStack ? .broken : .fail
        }
    }
}
