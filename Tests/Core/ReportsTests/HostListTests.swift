// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import EvidenceSupport
import Reports
import Testing
import Wire

@Suite("The hosts of a client as a list and as CycloneDX")
struct HostListTests {
    private static func report() -> RunReport {
        var lookup = Lookup(call: .getaddrinfo, node: "shop.test", answers: ["64:ff9b::c633:640a"], program: "python3")
        lookup.site.stand(at: StackFrame(file: "client.py", line: 3), through: "requests/adapters.py:44")
        let run = RunEvidence(
            network: .nat64, end: .exited(status: 0), duration: .seconds(1),
            flows: [
                Flow(
                    .tcp, "64:ff9b::c633:640a", 443, .translated(IPv4Address(198, 51, 100, 10)), attempts: 1,
                    accepted: 1),
                Flow(.tcp, "2e00:2:0:cafe::20", 80, .direct, attempts: 1, accepted: 1),
            ], lookups: [lookup])
        let runs = Runs(first: run)
        return RunReport(command: ["./client.py"], pref64: "64:ff9b::/96", runs: runs, verdict: Verdict(runs))
    }

    @Test func `a host a line`() {
        #expect(
            HostList.render(Self.report()) == """
                2 hosts of ./client.py on nat64, of which 1 needs IPv4

                HOST               REACHED BY  AT       NAMED AT
                shop.test          NAT64       tcp 443  python3, client.py:3, through requests/adapters.py:44 (requests)
                2e00:2:0:cafe::20  IPv6        tcp 80   

                """)
    }

    /// Validated against bom-1.6.schema.json when it was accepted.
    @Test func `a service for each host`() throws {
        try expectGolden(String(decoding: CycloneDXReport(Self.report()).encoded(), as: UTF8.self), "hosts.cdx.json")
    }
}
