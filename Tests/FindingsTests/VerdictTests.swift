import Findings
import Testing

@Suite struct VerdictTests {
    private func run(_ network: Network, _ end: ClientEnd) -> RunEvidence {
        RunEvidence(network: network, end: end, duration: .milliseconds(10))
    }

    @Test func aClientThatExitsWithZeroPasses() {
        let verdict = Verdict(run: run(.nat64, .exited(status: 0)), control: nil)
        #expect(verdict.judgement == .passes)
        #expect(verdict.judgement.exitCode == .pass)
        #expect(verdict.findings.isEmpty)
    }

    @Test func aClientThatFailsHereAndPassesOnDualStackFailsHere() {
        let verdict = Verdict(run: run(.nat64, .exited(status: 7)), control: run(.dualStack, .exited(status: 0)))
        #expect(verdict.judgement == .failsHere)
        #expect(verdict.judgement.exitCode == .failsOnThisNetwork)
    }

    @Test func aClientThatFailsOnBothIsNotAnIPv6Problem() {
        let verdict = Verdict(run: run(.nat64, .killed(signal: 11)), control: run(.dualStack, .killed(signal: 11)))
        #expect(verdict.judgement == .failsEverywhere)
        #expect(verdict.judgement.exitCode == .failsOnDualStackToo)
    }

    @Test func withoutAControlRunAFailureIsNotExplainedAway() {
        let verdict = Verdict(run: run(.nat64, .exited(status: 1)), control: nil)
        #expect(verdict.judgement == .failsUncompared)
        #expect(verdict.judgement.exitCode == .failsOnThisNetwork)
    }

    @Test func aFailureOnTheDualStackNetworkItselfNeedsNoControlRun() {
        let verdict = Verdict(run: run(.dualStack, .exited(status: 1)), control: nil)
        #expect(verdict.judgement.exitCode == .failsOnDualStackToo)
    }

    @Test func aTimeOutIsATimeOutWhateverTheControlRunSays() {
        let end = ClientEnd.timedOut(after: .seconds(1))
        for control in [nil, run(.dualStack, .exited(status: 0)), run(.dualStack, end)] {
            #expect(Verdict(run: run(.nat64, end), control: control).judgement.exitCode == .timeout)
        }
    }

    @Test func theExitCodesAreTheOnesThatTheDesignFixes() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 124])
    }
}
