// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Testing

@testable import Suites

@Suite struct CaseAttemptsTests {
    @Test func `what is as expected is run once`() {
        #expect(CaseAttempts(first: Sample.attempt()).next == nil)
    }

    @Test func `a failure is confirmed, and only then compared`() {
        var attempts = CaseAttempts(first: Sample.attempt(.nat64, .exited(status: 1)))
        #expect(attempts.next == .again)
        attempts.add(Sample.attempt(.nat64, .exited(status: 1)), as: .again)
        #expect(attempts.next == .control)
        attempts.add(Sample.attempt(.dualStack), as: .control)
        #expect(attempts.next == .later, "no cause is known")
        attempts.add(Sample.attempt(.nat64, .exited(status: 1)), as: .later)
        #expect(attempts.next == nil)
    }

    @Test func `a failure with a known cause is not tried once more`() {
        #expect(Sample.literal().next == nil)
    }

    @Test(arguments: 0...3) func `a failure is confirmed so often`(_ confirmations: Int) {
        let failed = Sample.attempt(.nat64, .exited(status: 1))
        var attempts = CaseAttempts(first: failed, confirmations: confirmations)
        for _ in 0..<confirmations {
            #expect(attempts.next == .again)
            attempts.add(failed, as: .again)
        }
        #expect(attempts.next == .control)
        #expect(attempts.dropped == .milliseconds(10) * max(0, confirmations - 1))
    }

    @Test func `a flaky client is not compared`() {
        let attempts = CaseAttempts(first: Sample.attempt(.nat64, .exited(status: 1)), again: Sample.attempt())
        #expect(attempts.next == nil)
    }

    @Test func `dual-stack is not compared with itself`() {
        let run = Sample.attempt(.dualStack, .exited(status: 1))
        #expect(CaseAttempts(first: run).next == .again)
        #expect(CaseAttempts(first: run, again: run).next == nil)
    }

    @Test func `another exit status than 0 can be what is expected`() {
        let expected = Expectations(exit: 22)
        #expect(Sample.attempt(.nat64, .exited(status: 22), expecting: expected).judged().end.isSuccess)
        #expect(!Sample.attempt(.nat64, .exited(status: 0), expecting: expected).judged().end.isSuccess)
    }

    @Test(arguments: [
        (TextExpectation.contains("ems"), true), (.contains("none"), false), (.equals("3 items"), true),
        (.equals("3 item"), false), (.matches("^[0-9]+ items"), true), (.matches("^x"), false),
    ]) func `what is printed can be expected`(_ expectation: TextExpectation, _ isMet: Bool) {
        let expectations = Expectations(output: [expectation])
        let run = Sample.attempt(expecting: expectations, printing: "3 items\n")
        #expect(run.isAsExpected == isMet)
        #expect(run.judged().end.isSuccess == isMet)
    }
}
