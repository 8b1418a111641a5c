// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Diagnosis
import Evidence
import Testing
import Wire

@Suite struct VerdictTests {
    private func run(_ network: Network, _ end: ExitOutcome) -> RunEvidence {
        RunEvidence(network: network, end: end, duration: .milliseconds(10))
    }

    @Test func `a client that exits with zero passes`() {
        let verdict = Verdict(Runs(first: run(.nat64, .exited(status: 0))))
        #expect(verdict.judgement == .passes)
        #expect(verdict.findings.isEmpty)
    }

    @Test func `a client that fails here and passes on dual-stack fails here`() {
        let verdict = Verdict(
            Runs(first: run(.nat64, .exited(status: 7)), control: run(.dualStack, .exited(status: 0))))
        #expect(verdict.judgement == .failsHere)
    }

    @Test func `a client that fails on both is not an IPv6 problem`() {
        let verdict = Verdict(
            Runs(first: run(.nat64, .killed(signal: 11)), control: run(.dualStack, .killed(signal: 11))))
        #expect(verdict.judgement == .failsEverywhere)
    }

    @Test func `without a control run a failure is not explained away`() {
        let verdict = Verdict(Runs(first: run(.nat64, .exited(status: 1))))
        #expect(verdict.judgement == .failsUncompared)
    }

    @Test func `a failure on the dual-stack network itself needs no control run`() {
        let verdict = Verdict(Runs(first: run(.dualStack, .exited(status: 1))))
        #expect(verdict.judgement == .failsEverywhere)
    }

    @Test func `a time-out is a time-out whatever the control run says`() {
        let end = ExitOutcome.timedOut(after: .seconds(1))
        for control in [nil, run(.dualStack, .exited(status: 0)), run(.dualStack, end)] {
            #expect(Verdict(Runs(first: run(.nat64, end), control: control)).judgement == .timesOut)
        }
    }

    private let sent = [
        RepeatedQuery("shop.test", .a)
    ]

    private func judgement(
        _ first: ExitOutcome, again: ExitOutcome? = nil, control: ExitOutcome? = nil, againIsSilent: Bool = false,
        controlIsSilent: Bool = false, inputWasReplayed: Bool = true
    ) -> Judgement {
        var again = again.map { run(.nat64, $0) }
        var control = control.map { run(.dualStack, $0) }
        if !againIsSilent { again?.seen.questions = sent }
        if !controlIsSilent { control?.seen.questions = sent }
        return Verdict(
            Runs(first: run(.nat64, first), again: again, control: control, inputWasReplayed: inputWasReplayed)
        ).judgement
    }

    private let pass = ExitOutcome.exited(status: 0)
    private let failure = ExitOutcome.exited(status: 7)

    @Test func `a client that passes the second time is flaky, and that is no failure`() {
        #expect(judgement(failure, again: pass) == .flaky)
        #expect(judgement(.timedOut(after: .seconds(1)), again: pass) == .flaky)
    }

    @Test func `a second pass in which nothing was sent is no recovery`() {
        #expect(judgement(failure, again: pass, control: pass, againIsSilent: true) == .failsHere)
        #expect(
            judgement(failure, again: pass, control: pass, againIsSilent: true, controlIsSilent: true)
                == .failsUncompared, "nor is such a control run any proof")
    }

    @Test func `nothing is concluded from runs that found another standard input`() {
        #expect(judgement(failure, control: pass, inputWasReplayed: false) == .failsUncompared)
        #expect(judgement(pass, control: failure, inputWasReplayed: false) == .passes)
    }

    @Test func `a client that fails here and runs on there until it is stopped fails here`() {
        let judgement = judgement(failure, again: failure, control: .timedOut(after: .seconds(1)))
        #expect(judgement == .failsHereRunsThere)
    }

    @Test func `a client that passes here and fails on dual-stack does not pass in silence`() {
        #expect(judgement(pass, control: failure) == .passesHereOnly)
        #expect(judgement(pass, control: .timedOut(after: .seconds(1))) == .passes, "it might have passed")
    }

    // MARK: - The run after the control run

    private func flow(_ address: IPv4Address) -> Flow {
        Flow(.tcp, .ipv4(address), 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)
    }

    private func runs(later: RunEvidence, to hosts: [IPv4Address] = [IPv4Address(198, 51, 100, 10)]) -> Runs {
        var control = run(.dualStack, pass)
        control.seen.flows = hosts.map(flow)
        control.seen.questions = [RepeatedQuery("shop.test", .a, ["198.51.100.10"])]
        return Runs(first: run(.nat64, failure), again: run(.nat64, failure), control: control, later: later)
    }

    @Test func `a client that passes after the control run by the same hosts needed time`() {
        var later = run(.nat64, pass)
        later.seen.flows = [
            Flow(
                .tcp, "64:ff9b::c633:640a", 80, .translated(IPv4Address(198, 51, 100, 10)), attempts: 1, accepted: 1,
                bytesReceived: 9)
        ]
        later.seen.questions = [RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"])]
        let runs = runs(later: later)
        #expect(Verdict(runs).judgement == .flaky)
        #expect(runs.isRecoveredLater)
    }

    @Test func `a client that passes after the control run with less than that fails`() {
        var later = run(.nat64, pass)
        #expect(Verdict(runs(later: later)).judgement == .failsHere)
        later.seen.questions = [RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"])]
        let verdict = Verdict(runs(later: later))
        #expect(verdict.judgement == .failsHere)
        #expect(verdict.unexplained == .helpedByControl(missing: [.name("shop.test")]))
    }

    @Test func `a failure without a cause says so`() {
        var there = run(.dualStack, pass)
        there.seen.questions = sent
        let twice = Runs(first: run(.nat64, failure), again: run(.nat64, failure), control: there)
        #expect(Verdict(twice).unexplained == .noCause(isTriedLater: false))
        var tried = twice
        tried.later = run(.nat64, failure)
        #expect(Verdict(tried).unexplained == .noCause(isTriedLater: true))
        #expect(Verdict(Runs(first: run(.nat64, pass))).unexplained == nil)
    }
}
