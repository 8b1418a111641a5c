// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Diagnosis
import Evidence
import EvidenceSupport
import Testing
import Wire

/// The same call from several places is reported for each.
@Suite struct CallSiteTests {
    private func calls(_ lines: String..., program: Int = 0) -> [TracedCall] {
        lines.enumerated().map { number, line in
            var call = TracedCall(
                .connect, to: .ipv4(server), 80, program: program, time: .milliseconds(number))
            call.frames = TracedCall(.connect, to: .ipv4(server), 80, at: line).frames
            return call
        }
    }

    private func verdict(_ calls: [TracedCall], questions: [RepeatedQuery] = []) -> Verdict {
        var run = here(questions: questions)
        run.profile = .linux
        run.calls = CallEvidence(calls)
        return Verdict(run: run, control: onDualStack(questions: questions, flows: [direct()]))
    }

    private func lines(_ rule: String, _ verdict: Verdict) -> [Int?] {
        verdict.findings.filter { $0.rule.id == rule }.flatMap(\.observations).map(\.site?.line)
    }

    @Test func `a literal that two places connect to`() {
        #expect(lines("V6C-001", verdict(calls("one a.py:6", "other a.py:11"))) == [6, 11])
        #expect(lines("V6C-001", verdict(calls("one a.py:6", "one a.py:6"))) == [6], "one place that tries again")
    }

    @Test func `an address of a name that two places try`() {
        let questions = [
            question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, ["2e00:2:0:cafe::10"]),
        ]
        #expect(lines("V6C-016", verdict(calls("one a.py:6", "other a.py:11"), questions: questions)) == [6, 11])
    }

    @Test func `what ends otherwise is no other place of it`() {
        var calls = calls("one a.py:6", "other a.py:11")
        calls[1].outcome = .succeeded(0)
        #expect(lines("V6C-001", verdict(calls)) == [6])
    }

    @Test func `a place of which nothing is known is none`() {
        var calls = calls("one a.py:6", "other a.py:11")
        calls[1].frames = []
        #expect(lines("V6C-001", verdict(calls)) == [6])
    }

    /// A connection that URL loading synthesised makes no call for IPv4: one that failed is another's.
    @Test func `a connection that URL loading synthesised hides no other's`() {
        let connection = Lookup(
            call: .connect, node: "198.51.100.10", service: "80", answers: ["64:ff9b::c633:640a"], outcome: .literal,
            program: "shop")
        func run(_ calls: [TracedCall]) -> RunEvidence {
            var run = here(flows: [translated()], lookups: [connection])
            run.urlLoading = .apple
            run.calls = CallEvidence(calls)
            return run
        }
        let control = onDualStack(flows: [direct()])
        #expect(lines("V6C-001", Verdict(run: run(calls("other a.swift:11")), control: control)) == [11])
        let synthesised = TracedCall(
            .connect, to: .ipv6(synthesised), 80, on: .ipv6Stream, .succeeded(0), at: "a.swift:3")
        #expect(lines("V6C-001", Verdict(run: run([synthesised]), control: control)).isEmpty)
        let elsewhere = TracedCall(.connect, to: .ipv4(server), 81, at: "a.swift:11")
        #expect(lines("V6C-001", Verdict(run: run([elsewhere]), control: control)).isEmpty)
    }
}
