// SPDX-License-Identifier: Apache-2.0
package import Diagnosis
import Evidence

/// The judgement of a case: a function of the evidence, the expectations, the accepted failures and the day.
package struct CaseJudgement: Sendable {
    /// A dependency, and why it is accepted, if it is.
    package struct Met: Hashable, Sendable {
        package enum Acceptance: Hashable, Sendable {
            case known(KnownFailure)
            case baseline
        }

        package var dependency: Dependency
        package var finding: Finding
        package var observation: Observation
        package var acceptance: Acceptance?
    }

    package var outcome: CaseOutcome
    /// The inner tests of a test runner.
    package var inner: [InnerCase]
    package var verdict: Verdict
    /// Whether it passes without using the network, which the test does not allow.
    package var isUnproven: Bool
    package var met: [Met]
    /// Why it must fail; `nil` if it must work.
    package var expectedFailure: ExpectedFailure?
    /// Known failures that did not occur.
    package var gone: [KnownFailure]
    /// Known failures that occurred after their time.
    package var expired: [KnownFailure]
    /// Known failures whose time is over soon.
    package var expiring: [KnownFailure]

    /// - Parameter baseline: `nil` if none is used.
    package init(_ element: SuiteCase, _ attempts: CaseAttempts, baseline: Baseline?, today: Day) {
        let test = element.test
        var inner = attempts.inner
        // Different tests failed in each run, so no failure is confirmed.
        let isUnsteady =
            attempts.failsByInnerTestsAlone && !inner.contains { $0.outcome == .fail || $0.outcome == .broken }
        var verdict = Verdict(attempts.runs, command: test.command.arguments)
        if !test.mustUseNetwork { verdict.findings.removeAll { $0.rule == .sendsNothing } }
        isUnproven = verdict.findings.contains { $0.rule == .sendsNothing }
        let isOfCanaries = !test.canaries.isEmpty
        // A guard's hole on one network exists on dual-stack as well.
        let known = test.known.filter { $0.applies(on: element.network) || isOfCanaries && $0.networks == nil }
        // A run without network use is no dependency that could be accepted.
        let dependencies = verdict.findings.filter { $0.rule != .sendsNothing && test.failOn.regards($0.severity) }
        let met = dependencies.flatMap { finding in
            // Observations without a target explain the others.
            let named = finding.observations.filter { $0.target != nil }
            return (named.isEmpty ? Array(finding.observations.prefix(1)) : named).map { observation in
                let dependency = Dependency(finding, observation, in: test)
                let acceptance: Met.Acceptance? =
                    if let failure = known.first(where: { $0.covers(dependency) }) {
                        .known(failure)
                    } else if baseline?.contains(dependency) == true {
                        .baseline
                    } else {
                        nil
                    }
                return Met(
                    dependency: dependency, finding: finding, observation: observation, acceptance: acceptance)
            }
        }
        self.verdict = verdict
        self.met = met
        // A known failure is one of several ways to a canary, but a case covers only one of them.
        gone = isOfCanaries ? [] : known.filter { failure in !met.contains { failure.covers($0.dependency) } }
        let occurring = known.filter { failure in met.contains { $0.acceptance == .known(failure) } }
        expired = occurring.filter { $0.isExpired(on: today) }
        expiring = occurring.filter { $0.isExpiring(on: today) }
        let isAccepted = !met.isEmpty && met.allSatisfy { $0.acceptance != nil }
        let judgement = Self.judgement(of: verdict, in: test)
        expectedFailure = test.fails.first { $0.networks.contains(element.network) }
        outcome =
            switch judgement {
            case .passes, .passesHereOnly:
                if isUnproven || expectedFailure != nil {
                    .fail
                } else if !expired.isEmpty {
                    .expired
                } else if !gone.isEmpty {
                    .fixed
                } else if met.contains(where: { $0.acceptance == nil }), baseline != nil {
                    .newDependency
                } else if met.contains(where: { $0.acceptance == nil }), test.failOn != .error {
                    .fail
                } else if !attempts.first.evidence.survivors.processes.isEmpty {
                    .leak
                } else {
                    .pass
                }
            case .flaky: .flaky
            case .notJudged: .error
            case .failsEverywhere
            where attempts.first.evidence.network == .dualStack && attempts.first.failsForIPv6Alone:
                .fail
            case .failsEverywhere: isUnsteady ? .flaky : .broken
            case _ where isUnsteady: .flaky
            case .failsHere, .failsHereRunsThere, .failsUncompared, .timesOut:
                if judgement == .timesOut, attempts.control?.isAsExpected != true {
                    .broken
                } else if expectedFailure != nil, judgement != .failsUncompared {
                    .pass
                } else if !isAccepted {
                    judgement == .timesOut ? .timeout : .fail
                } else if !expired.isEmpty {
                    .expired
                } else if !gone.isEmpty {
                    .fixed
                } else {
                    .known
                }
            }
        if outcome == .known {
            for index in inner.indices where inner[index].outcome == .fail { inner[index].outcome = .known }
        }
        self.inner = inner
    }

    /// A guard's hole on one network exists on every network, and once is enough: there is no comparison.
    private static func judgement(of verdict: Verdict, in test: SuiteTest) -> Judgement {
        switch verdict.judgement {
        case .flaky where !test.trials.isEmpty: .failsUncompared
        case .failsEverywhere where !test.canaries.isEmpty, .timesOut where !test.canaries.isEmpty: .failsUncompared
        default: verdict.judgement
        }
    }

    /// The dependencies that a baseline must accept so that the case is not red.
    package var dependencies: [Dependency] {
        outcome.isConclusive && expectedFailure == nil ? met.map(\.dependency) : []
    }
}
