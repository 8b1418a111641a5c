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
            verdict.findings[0].evidence == [cause, "On a plain Linux host it would fail (--also-linux shows it)."])
    }

    @Test func `a run without synthesis that fails proves it`() {
        let verdict = Verdict(run: run, control: nil, plain: here())
        #expect(
            verdict.findings.map(\.evidence) == [
                [cause, "On a plain Linux host it fails: the run without synthesis did."]
            ])
    }

    @Test func `a run without synthesis that passes refutes it`() {
        let verdict = Verdict(run: run, control: nil, plain: here(.exited(status: 0)))
        #expect(verdict.findings.isEmpty && !verdict.reliesOnSynthesis)
    }

    @Test func `a client that fails owes nothing to synthesis`() {
        #expect(
            !Verdict(run: here(flows: [translated()], lookups: [synthesisedLookup]), control: nil).reliesOnSynthesis)
    }

    @Test func `a pass without synthesis has no finding`() {
        #expect(Verdict(run: here(.exited(status: 0), flows: [translated()]), control: nil).findings.isEmpty)
    }
}
