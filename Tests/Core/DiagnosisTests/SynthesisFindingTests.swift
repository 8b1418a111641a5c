// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Diagnosis
import Evidence
import Testing

/// V6C-009: a client that passes, and would not everywhere.
@Suite struct SynthesisFindingTests {
    private let run = here(.exited(status: 0), flows: [translated()], lookups: [synthesisedLookup])
    private let cause = "getaddrinfo synthesised 64:ff9b::c633:640a for 198.51.100.10, as on Apple's systems."

    @Test func `a pass by synthesis is a finding, and a warning`() {
        let verdict = Verdict(run: run, control: nil)
        #expect(verdict.judgement == .passes)
        #expect(verdict.findings.map(\.rule) == [.passesBySynthesis])
        #expect(verdict.findings.map(\.rule.severity) == [.warning])
        #expect(verdict.reliesOnSynthesis)
        #expect(verdict.findings[0].sentences == [cause])
    }

    @Test func `what the DNS told as well is synthesised all the same`() {
        var run = run
        run.seen.questions = [question("shop.test", .aaaa, ["64:ff9b::c633:640a"])]
        #expect(Verdict(run: run, control: nil).findings.map(\.rule) == [.passesBySynthesis])
    }

    @Test func `what Apple's getaddrinfo does for a client that fails changes no verdict`() {
        let control = onDualStack(flows: [direct()])
        let verdict = Verdict(run: here(), control: control, apples: here(.exited(status: 0)))
        #expect(verdict.judgement == .failsHere && verdict.worksBySynthesis && !verdict.reliesOnSynthesis)
        #expect(!Verdict(run: here(), control: control, apples: here()).worksBySynthesis)
        #expect(!Verdict(run: here(), control: control).worksBySynthesis)
    }

    @Test func `a client that passes without synthesis fails by it`() {
        let run = here(lookups: [synthesisedLookup])
        let verdict = Verdict(run: run, control: onDualStack(flows: [direct()]), plain: here(.exited(status: 0)))
        #expect(verdict.findings.map(\.rule) == [.failsBySynthesis])
        #expect(
            verdict.findings[0].sentences == [
                "getaddrinfo synthesised 64:ff9b::c633:640a for 198.51.100.10, as on Apple's systems; with the machine's own getaddrinfo it passes."
            ])
        #expect(Verdict(run: run, control: nil).findings.map(\.rule) == [.failsBySynthesis], "--once")
        let uncaused = Verdict(run: run, control: onDualStack(flows: [direct()]), plain: here())
        #expect(uncaused.findings.map(\.rule) == [.ignoresIPv6Answer], "it fails without, too")
    }

    private func byURLLoading(_ end: ExitOutcome) -> RunEvidence {
        let connection = Lookup(
            call: .connect, node: "198.51.100.10", service: "80", answers: ["64:ff9b::c633:640a"], outcome: .literal,
            program: "shop")
        var run = here(end, flows: [translated()], lookups: [connection])
        run.urlLoading = .apple
        return run
    }

    @Test func `a pass by URL loading's synthesis is a finding of its own`() {
        let run = byURLLoading(.exited(status: 0))
        let verdict = Verdict(run: run, control: nil)
        #expect(verdict.judgement == .passes && verdict.reliesOnSynthesis)
        #expect(verdict.findings.map(\.rule) == [.passesByURLLoading])
        #expect(verdict.findings.map(\.rule.severity) == [.warning])
        #expect(
            verdict.findings[0].sentences == [
                "URL loading synthesised 64:ff9b::c633:640a for 198.51.100.10, as on Apple's systems."
            ])
    }

    @Test func `a client that fails by other things is not blamed for a literal that URL loading synthesised`() {
        for control in [nil, onDualStack(flows: [direct()])] {
            let verdict = Verdict(run: byURLLoading(.exited(status: 1)), control: control)
            #expect(!verdict.findings.contains { $0.rule == .literalAddress || $0.rule == .passesByURLLoading })
        }
    }

    @Test func `a client that fails owes nothing to synthesis`() {
        #expect(
            !Verdict(run: here(flows: [translated()], lookups: [synthesisedLookup]), control: nil).reliesOnSynthesis)
    }

    @Test func `a pass without synthesis has no finding`() {
        #expect(Verdict(run: here(.exited(status: 0), flows: [translated()]), control: nil).findings.isEmpty)
    }
}
