// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import TestResults
import Testing

@testable import Suites

/// The tests of a test runner, held against each other.
@Suite struct InnerCaseTests {
    private func attempt(
        _ text: String, _ network: Network = .nat64, _ end: ExitOutcome? = nil, problem: String? = nil
    ) -> Attempt {
        // `a+ b- c~`: passed, failed, skipped.
        let tests = text.split(separator: " ").map { word in
            InnerTest(name: String(word.dropLast()), ["+": .passed, "-": .failed, "~": .skipped][word.last!]!)
        }
        let results = InnerResults(tests: tests, problem: problem ?? (tests.isEmpty ? "has no tests" : nil))
        let plain = Sample.attempt(network, end ?? .exited(status: results.failed > 0 ? 1 : 0))
        return Attempt(
            plain.evidence, output: plain.output, expectations: Expectations(),
            inner: (InnerReport(.junit, file: "junit.xml"), results))
    }

    private func judge(_ attempts: CaseAttempts) -> (CaseOutcome, [String: CaseOutcome]) {
        let judgement = CaseJudgement(Sample.test(), attempts, baseline: nil, today: Sample.today)
        return (
            judgement.outcome,
            Dictionary(uniqueKeysWithValues: judgement.inner.map { ($0.test.name, $0.outcome) })
        )
    }

    @Test func `all pass`() {
        let attempts = CaseAttempts(first: attempt("a+ b~"))
        #expect(attempts.next == nil)
        #expect(judge(attempts) == (.pass, ["a": .pass, "b": .skip]))
    }

    @Test func `each is judged by its own runs`() {
        let attempts = CaseAttempts(
            first: attempt("a+ b- c- d- e~"), again: attempt("a+ b- c+ d- e~"),
            control: attempt("a+ b+ c+ d- e+", .dualStack))
        #expect(judge(attempts) == (.fail, ["a": .pass, "b": .fail, "c": .flaky, "d": .broken, "e": .skip]))
    }

    @Test func `what fails everywhere is broken`() {
        let run = attempt("a+ d-")
        #expect(judge(CaseAttempts(first: run, again: run, control: attempt("a+ d-", .dualStack))).0 == .broken)
    }

    @Test func `other tests each time are none that is confirmed`() {
        let attempts = CaseAttempts(
            first: attempt("a- b+"), again: attempt("a+ b-"), control: attempt("a+ b+", .dualStack))
        #expect(judge(attempts) == (.flaky, ["a": .flaky, "b": .pass]))
    }

    @Test func `a test that is not reported here fails here`() {
        let run = attempt("a-", .nat64, .killed(signal: 11), problem: "ends in the middle")
        let attempts = CaseAttempts(first: run, again: run, control: attempt("a+ b+ c~ d-", .dualStack))
        #expect(judge(attempts).1 == ["a": .fail, "b": .fail, "c": .skip, "d": .broken])
    }

    @Test func `a runner without a report is not as expected, whatever its status`() {
        let none = attempt("", .nat64, .exited(status: 0), problem: "was not written to $OUT")
        #expect(none.broken == [.report("the report junit.xml", problem: "was not written to $OUT")])
        #expect(judge(CaseAttempts(first: none, again: none, control: none)).0 == .broken)
        #expect(
            judge(CaseAttempts(first: none, again: none, control: attempt("a+", .dualStack))) == (.fail, ["a": .fail]))
        #expect(attempt("", problem: nil).broken.count == 1, "no tests is no pass")
    }

    @Test func `the status of the runner counts where no test explains it`() {
        #expect(attempt("a+", .nat64, .exited(status: 3)).broken == [.end(.exited(status: 3), expected: 0)])
        #expect(attempt("a-", .nat64, .exited(status: 0)).failsByInnerTestsAlone)
        #expect(!attempt("a-", .nat64, .killed(signal: 9)).failsByInnerTestsAlone)
    }
}
