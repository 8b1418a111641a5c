// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Topology
import Wire

@testable import Reports

@Suite struct SurveyTableTests {
    private static let control = RunEvidence(
        network: .dualStack, end: .exited(status: 0), duration: .milliseconds(12),
        flows: [
            Flow(
                .tcp, .ipv4(IPv4Address(198, 51, 100, 10)), 80, .direct, attempts: 1, accepted: 1, bytesSent: 78,
                bytesReceived: 250)
        ])

    private static func row(_ network: Network, _ end: ExitOutcome, exitCode: Int32) -> SurveyRow {
        let first = RunEvidence(network: network, end: end, duration: .milliseconds(9))
        let runs = Runs(first: first, control: network == .dualStack || exitCode == 0 ? nil : control)
        return SurveyRow(
            RunReport(of: ["curl", "http://198.51.100.10/"], pref64: nil, judging: runs, notes: ["A note."]),
            on: NetworkSchedule(network), exitCode: exitCode)
    }

    private func table(_ rows: [SurveyRow], exitCode: Int32) -> String {
        SurveyTable.render(
            SurveyReport(command: ["curl", "http://198.51.100.10/"], rows: rows, exitCode: exitCode),
            style: TerminalStyle(isColoured: false), verbose: false)
    }

    @Test func `a network has a row with its verdict and its first finding`() {
        let table = table(
            [
                Self.row(.nat64, .exited(status: 7), exitCode: 1), Self.row(.ipv4Only, .exited(status: 0), exitCode: 0),
                Self.row(.nat64CLAT, .timedOut(after: .seconds(1)), exitCode: 124),
            ], exitCode: 1)
        #expect(
            table == """
                ipv6check: FAIL  curl http://198.51.100.10/ works on 1 of 3 networks
                  nat64       FAIL      V6C-001 It connects to an IPv4 address, not to a name.
                  ipv4-only   PASS
                  nat64+clat  TIME-OUT  did not end within --timeout
                  more        ipv6check --network nat64 … has the whole report
                  note        A note.

                """)
    }

    @Test func `a client that works everywhere passes`() {
        #expect(
            table([Self.row(.nat64, .exited(status: 0), exitCode: 0)], exitCode: 0).hasPrefix(
                "ipv6check: PASS  curl http://198.51.100.10/ works on 1 network\n"))
    }

    /// By --fail-on.
    @Test func `a pass that counts as a failure is none`() {
        #expect(table([Self.row(.nat64, .exited(status: 0), exitCode: 1)], exitCode: 1).contains("nat64       FAIL"))
    }
}
