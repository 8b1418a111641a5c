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
        #expect(
            verdict.findings[0].sentences == [cause, "On a plain Linux host it would fail (--also-linux shows it)."])
    }

    @Test func `a run without synthesis that fails proves it`() {
        let verdict = Verdict(run: run, control: nil, plain: here())
        #expect(
            verdict.findings.map(\.sentences) == [
                [cause, "On a plain Linux host it fails: the run without synthesis did."]
            ])
    }

    @Test func `a run without synthesis that passes refutes it`() {
        let verdict = Verdict(run: run, control: nil, plain: here(.exited(status: 0)))
        #expect(verdict.findings.isEmpty && !verdict.reliesOnSynthesis)
    }

    private func byURLLoading(_ end: ClientEnd) -> RunEvidence {
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
                "URL loading synthesised 64:ff9b::c633:640a for 198.51.100.10, as on Apple's systems.",
                "On a plain Linux host it would fail (--also-linux shows it).",
            ])
        #expect(Verdict(run: run, control: nil, plain: here(.exited(status: 0))).findings.isEmpty)
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
