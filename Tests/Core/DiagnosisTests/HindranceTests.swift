// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Diagnosis
import Evidence
import Testing

/// The simulator's own refusals are not the client's fault, and lost observations are no evidence.
@Suite struct HindranceTests {
    private static let refusal = WorldRefusal(.connectionRefused, .tcp, "198.51.100.10", port: 80, count: 3)

    private static func hindered(_ run: RunEvidence, _ kind: Int) -> RunEvidence {
        var run = run
        if kind == 0 { run.seen.refusals = [refusal] } else { run.seen.lost.path = true }
        return run
    }

    @Test(arguments: 0..<2) func `a client that fails where the simulator stood in its way is not judged`(kind: Int) {
        let failing = Self.hindered(here(flows: [translated(accepted: 0, refused: 1)]), kind)
        for control in [nil, onDualStack(flows: [direct()]), onDualStack(.exited(status: 1))] {
            let verdict = Verdict(run: failing, control: control)
            #expect(verdict.judgement == .notJudged && verdict.findings.isEmpty && verdict.onBothNetworks.isEmpty)
        }
        let late = Self.hindered(here(.timedOut(after: .seconds(1))), kind)
        #expect(Verdict(run: late, control: nil).judgement == .notJudged)
    }

    @Test(arguments: 0..<2) func `a pass is a pass, whatever was in its way`(kind: Int) {
        #expect(Verdict(run: Self.hindered(here(.exited(status: 0)), kind), control: nil).judgement == .passes)
        var again = here(.exited(status: 0))
        again.seen.questions = [question("shop.test", .a)]
        let flaky = Runs(first: Self.hindered(here(), kind), again: again)
        #expect(Verdict(flaky).judgement == .flaky)
    }

    @Test(arguments: 0..<2) func `a control run that was in the way proves nothing`(kind: Int) {
        let failing = Self.hindered(onDualStack(.exited(status: 1)), kind)
        #expect(Verdict(run: here(), control: failing).judgement == .notJudged, "it might have passed there")
        #expect(Verdict(run: here(.exited(status: 0)), control: failing).judgement == .passes)
        let passing = Self.hindered(onDualStack(flows: [direct()]), kind)
        #expect(Verdict(run: here(), control: passing).judgement == .failsHere)
    }

    @Test func `a full queue of its own link is the client's`() {
        let drop = Drop(reason: .queueFull, count: 2, example: "IPv6 a > b")
        #expect(Verdict(run: here(drops: [drop]), control: onDualStack()).judgement == .failsHere)
    }

    @Test func `what the NAT64 has no room for stays the client's`() {
        let drop = Drop(reason: .hostQuotaExceeded, count: 1, example: "IPv6 a > b")
        let verdict = Verdict(run: here(drops: [drop]), control: onDualStack())
        #expect(verdict.judgement == .failsHere && verdict.ids == ["V6C-014"])
    }

    /// Evidence that meets a rule by what is not there, and what it needs all of.
    private static let absences:
        [(
            id: String, run: RunEvidence, control: RunEvidence?,
            needs: any WritableKeyPath<LostObservations, Int> & Sendable
        )] = [
            ("V6C-001", here(), onDualStack(flows: [direct()]), \.queries),
            ("V6C-002", here(questions: [question("shop.test", .a, ["198.51.100.10"])]), onDualStack(), \.queries),
            (
                "V6C-003", here(questions: [question("shop.test", .aaaa, ["64:ff9b::c633:640a"])]),
                onDualStack(questions: [question("shop.test", .a, ["198.51.100.10"])], flows: [direct()]), \.flows
            ),
            (
                "V6C-004", here(),
                onDualStack(questions: [question("shop.test", .a, ["198.51.100.10"])], flows: [direct()]),
                \.flows
            ),
            ("V6C-005", here(flows: [translated(accepted: 0, refused: 1)]), nil, \.flows),
            ("V6C-007", here(questions: missing("nosuch.test")), nil, \.queries),
        ]

    @Test(arguments: 0..<6) func `what is missing from the logs is no evidence`(number: Int) {
        let one = Self.absences[number]
        #expect(Verdict(run: one.run, control: one.control).ids.contains(one.id))
        var run = one.run
        run.seen.lost[keyPath: one.needs] = 1
        let verdict = Verdict(run: run, control: one.control)
        #expect(!verdict.ids.contains(one.id))
        #expect(verdict.judgement == (one.control == nil ? .failsUncompared : .failsHere), "the comparison stands")
        guard var control = one.control else { return }
        control.seen.lost[keyPath: one.needs] = 1
        #expect(!Verdict(run: one.run, control: control).ids.contains(one.id))
    }
}
