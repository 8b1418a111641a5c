// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import EvidenceSupport
import Testing
import Wire

@testable import CheckRunner

@Suite struct FailOnTests {
    /// A verdict on a client that works, with a finding of V6C-009 (a warning) if `isWarned`.
    private func verdict(isWarned: Bool) -> Verdict {
        var run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .zero)
        if isWarned {
            run.profile = .apple
            run.lookups = [
                Lookup(call: .getaddrinfo, node: "198.51.100.10", answers: ["64:ff9b::c633:640a"], outcome: .literal)
            ]
            run.seen.flows = [
                Flow(
                    .tcp, "64:ff9b::c633:640a", 80, .translated(IPv4Address(198, 51, 100, 10)), attempts: 1, accepted: 1
                )
            ]
        }
        return Verdict(Runs(first: run), command: ["client"])
    }

    @Test func `a warning fails a client that works where that is asked for`() {
        let verdict = verdict(isWarned: true)
        #expect(verdict.findings.map(\.rule.severity) == [.warning])
        #expect(verdict.exitCode(failingOn: nil) == .pass)
        #expect(verdict.exitCode(failingOn: .error) == .pass)
        #expect(verdict.exitCode(failingOn: .warning) == .failsOnThisNetwork)
        #expect(verdict.exitCode(failingOn: .note) == .failsOnThisNetwork)
    }

    @Test func `without a finding every level passes`() {
        #expect(Severity.allCases.allSatisfy { verdict(isWarned: false).exitCode(failingOn: $0) == .pass })
    }
}
