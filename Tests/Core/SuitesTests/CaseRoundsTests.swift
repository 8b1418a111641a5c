// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Topology

@testable import Suites

@Suite struct CaseRoundsTests {
    private func result(_ outcome: CaseOutcome, _ message: String = "", code: Int32? = nil) -> CaseResult {
        let test = SuiteTest(name: "fetch", command: .words(["true"]))
        var result = CaseResult(SuiteCase(test: test, network: .nat64), outcome, seconds: 1, message: message)
        result.code = code
        return result
    }

    @Test func `a case begins once`() {
        for outcome in CaseOutcome.allCases {
            var rounds = CaseRounds()
            let step1 = rounds.take(result(outcome, "m"), mayContinue: true)
            #expect(step1 == result(outcome, "m"))
        }
    }

    @Test func `what is red begins anew, and is flaky if it passes then`() throws {
        var rounds = CaseRounds(retries: 2)
        var failed = result(.fail, "V6C-001")
        failed.report = "why"
        let step2 = rounds.take(failed, mayContinue: true)
        #expect(step2 == nil)
        let taken = rounds.take(result(.pass), mayContinue: true)
        let end = try #require(taken)
        #expect(end.outcome == .flaky && end.message == "passed at try 2 of 3; before: V6C-001")
        #expect(end.report == "why" && end.tries == 2 && end.seconds == 2)
    }

    @Test func `what stays red ends as it does the last time`() throws {
        var rounds = CaseRounds(retries: 1)
        let step3 = rounds.take(result(.fail), mayContinue: true)
        #expect(step3 == nil)
        let taken = rounds.take(result(.broken, "exit 1"), mayContinue: true)
        let end = try #require(taken)
        #expect(end.outcome == .broken && end.message == "exit 1 (2 tries)")
    }

    @Test func `what another try cannot change is not tried again`() {
        for (outcome, code) in [(CaseOutcome.fixed, nil), (.expired, nil), (.newDependency, nil), (.error, Int32(2))] {
            var rounds = CaseRounds(retries: 3)
            let step4 = rounds.take(result(outcome, code: code), mayContinue: true)
            #expect(step4 != nil)
        }
        var rounds = CaseRounds(retries: 3)
        let step5 = rounds.take(result(.fail), mayContinue: false)
        #expect(step5?.outcome == .fail, "the suite ends")
    }

    @Test func `repetitions end with the first that is not green`() throws {
        var rounds = CaseRounds(repeats: 3)
        let step6 = rounds.take(result(.pass), mayContinue: true)
        #expect(step6 == nil)
        let taken = rounds.take(result(.flaky, "exit 1"), mayContinue: true)
        let end = try #require(taken)
        #expect(end.outcome == .flaky && end.message == "repetition 2 of 3: exit 1")
        rounds = CaseRounds(repeats: 2)
        let step7 = rounds.take(result(.pass), mayContinue: true)
        #expect(step7 == nil)
        let step8 = rounds.take(result(.pass), mayContinue: true)
        #expect(step8?.outcome == .pass)
        rounds = CaseRounds(repeats: 2)
        let step9 = rounds.take(result(.pass), mayContinue: false)
        #expect(step9?.outcome == .cancelled, "it was not shown so often")
    }

    @Test func `choices make red or not, and a case without stays as it is`() {
        var test = SuiteTest(name: "fetch", command: .words(["true"]))
        func isRed(_ outcome: CaseOutcome, allowsFixed: Bool = false) -> Bool {
            var result = result(outcome)
            result.choose(as: test, allowsFixed: allowsFixed)
            return result.isRed
        }
        #expect(!isRed(.leak) && !isRed(.flaky) && isRed(.fixed) && !isRed(.fixed, allowsFixed: true))
        #expect(isRed(.fail, allowsFixed: true))
        test.failsOnLeak = true
        #expect(isRed(.leak) && !isRed(.flaky))
        test.failsIfFlaky = true
        #expect(isRed(.flaky) && !isRed(.pass))
    }
}
