// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import EvidenceSupport
import Reports
import Testing
import Wire

/// A service that a client expects on its own machine, and that runs on another: the host of ipv6check.
@Suite struct MachineServiceTests {
    private static let refused = TracedCall(
        .connect, to: "127.0.0.1", 5432, on: .ipv4Stream, .failed(.connectionRefused), at: "connect app.py:7")

    private func verdict(_ calls: [TracedCall], listening: [UInt16] = [5432]) -> Verdict {
        var run = here()
        run.end = .exited(status: 1)
        var traced = CallEvidence(calls, by: [TracedProgram(process: 10, executable: "/app/client")])
        traced.machinePorts = traced.portsRefusedLocally.filter(listening.contains).sorted()
        run.calls = traced
        var control = onDualStack()
        control.end = .exited(status: 1)
        return Verdict(run: run, control: control)
    }

    @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    func `a port that refuses, and at which the machine listens, is named with its line`(_ address: IPAddress) {
        let call = TracedCall(
            .connect, to: address, 5432, on: address.description.contains(":") ? .ipv6Stream : .ipv4Stream,
            .failed(.connectionRefused), at: "connect app.py:7")
        let verdict = verdict([call])
        #expect(verdict.findings.map(\.rule) == [.asksForMachinesService])
        #expect(verdict.findings.first?.severity == .note)
        #expect(verdict.findings.first?.observations.first?.site?.line == 7)
    }

    @Test func `where the machine does not listen, nothing is said`() {
        #expect(verdict([Self.refused], listening: [22]).findings.isEmpty)
    }

    @Test func `a server of the client's own that was late is none of the machine's`() {
        let found = TracedCall(.connect, to: "127.0.0.1", 5432, on: .ipv4Stream, .succeeded(0))
        #expect(verdict([Self.refused, found]).findings.isEmpty)
        let listening = TracedCall(.listen, to: "0.0.0.0", 5432, on: .ipv4Stream, .succeeded(0))
        #expect(verdict([Self.refused, listening]).findings.isEmpty)
    }

    @Test func `another host's refusal is its own`() {
        let call = TracedCall(
            .connect, to: "2001:2:0:cafe::a", 5432, on: .ipv6Stream, .failed(.connectionRefused), at: "connect app.py:7"
        )
        #expect(!verdict([call]).findings.contains { $0.rule == .asksForMachinesService })
    }
}
