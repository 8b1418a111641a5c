import Diagnosis
import Evidence
import Testing

@Suite struct VerdictTests {
    private func run(_ network: Network, _ end: ClientEnd) -> RunEvidence {
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
        let end = ClientEnd.timedOut(after: .seconds(1))
        for control in [nil, run(.dualStack, .exited(status: 0)), run(.dualStack, end)] {
            #expect(Verdict(Runs(first: run(.nat64, end), control: control)).judgement == .timesOut)
        }
    }

    private let sent = [
        DNSQuestion(
            name: "shop.test", type: "A", transport: "udp", responseCode: "NOERROR", answers: [], source: "world",
            synthesisedFrom: [], rule: "")
    ]

    private func judgement(
        _ first: ClientEnd, again: ClientEnd? = nil, control: ClientEnd? = nil, againIsSilent: Bool = false,
        controlIsSilent: Bool = false, inputWasReplayed: Bool = true
    ) -> Judgement {
        var again = again.map { run(.nat64, $0) }
        var control = control.map { run(.dualStack, $0) }
        if !againIsSilent { again?.questions = sent }
        if !controlIsSilent { control?.questions = sent }
        return Verdict(
            Runs(first: run(.nat64, first), again: again, control: control, inputWasReplayed: inputWasReplayed)
        ).judgement
    }

    private let pass = ClientEnd.exited(status: 0)
    private let failure = ClientEnd.exited(status: 7)

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
}
