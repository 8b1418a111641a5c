// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@testable import Diagnosis

/// Findings on networks other than `nat64`.
@Suite struct NetworkRuleTests {
    private static let withoutIPv6 = [question("shop.test", .a, [server.description]), question("shop.test", .aaaa)]
    private static let host = IPv6Address("2e00:2:0:cafe::36")!

    private func run(_ network: Network, questions: [RepeatedQuery] = []) -> RunEvidence {
        RunEvidence(network: network, end: .exited(status: 1), duration: .zero, questions: questions)
    }

    private func goesThere(_ end: ExitOutcome = .exited(status: 0), over flow: Flow = direct()) -> RunEvidence {
        onDualStack(end, questions: Self.withoutIPv6, flows: [flow])
    }

    private var byIPv6: Flow {
        Flow(.tcp, .ipv6(Self.host), 7, .direct, attempts: 1, accepted: 1, bytesSent: 6, bytesReceived: 6)
    }

    @Test(arguments: [Network.strict, .strictNoLoopback4])
    func `a host without IPv6 is out of reach where nothing translates`(on network: Network) {
        let verdict = Verdict(run: run(network, questions: Self.withoutIPv6), control: goesThere())
        #expect(verdict.ids == ["V6C-070"])
        #expect(
            verdict.findings[0].sentences == [
                "shop.test has no AAAA record; on dual-stack it went to 198.51.100.10 (tcp 80)."
            ])
    }

    @Test func `a host that has IPv6, and a name that was not asked for, are no such hosts`() {
        let withIPv6 = Self.withoutIPv6 + [question("shop.test", .aaaa, ["2e00:2:0:cafe::36"])]
        #expect(!Verdict(run: run(.strict, questions: withIPv6), control: goesThere()).ids.contains("V6C-070"))
        #expect(!Verdict(run: run(.strict), control: goesThere()).ids.contains("V6C-070"))
    }

    private var prefixQuestion: RepeatedQuery { question("ipv4only.arpa", .aaaa, ["64:ff9b::c000:aa"]) }

    @Test func `who leaves synthesis to a DNS64 is told so where there is none`() {
        for (questions, end) in [
            (Self.withoutIPv6, "It did not ask for the prefix (ipv4only.arpa)."),
            (Self.withoutIPv6 + [prefixQuestion], "It found the prefix by ipv4only.arpa, and made no address with it."),
        ] {
            let verdict = Verdict(run: run(.nat64NoDNS64, questions: questions), control: goesThere())
            #expect(verdict.ids == ["V6C-073"])
            #expect(
                verdict.findings[0].sentences == [
                    "shop.test has no AAAA record, and on dual-stack it went to 198.51.100.10 (tcp 80). \(end)"
                ])
        }
    }

    @Test func `who synthesises by itself and fails for another reason is not`() {
        var run = run(.nat64NoDNS64, questions: Self.withoutIPv6 + [prefixQuestion])
        run.seen.flows = [
            Flow(.tcp, .ipv6(IPv6Address("64:ff9b::c633:640a")!), 80, .translated(server), attempts: 1)
        ]
        #expect(!Verdict(run: run, control: goesThere()).ids.contains("V6C-073"))
    }

    @Test func `what works with IPv6 alone says which host it is`() {
        let verdict = Verdict(run: run(.ipv4Only), control: goesThere(over: byIPv6))
        #expect(verdict.ids == ["V6C-071"])
        #expect(
            verdict.findings[0].sentences == [
                "On dual-stack it went to 2e00:2:0:cafe::36 (tcp 7); here there is no IPv6."
            ])
    }

    @Test func `who goes by IPv4 there does not need IPv6`() {
        #expect(!Verdict(run: run(.ipv4Only), control: goesThere()).ids.contains("V6C-071"))
    }

    private func passes(over flows: [Flow], by call: TracedCall? = nil) -> Verdict {
        var evidence = RunEvidence(
            network: .nat64CLAT, end: .exited(status: 0), duration: .zero,
            questions: [question("shop.test", .a, [server.description])], flows: flows)
        if let call {
            evidence.calls = CallEvidence()
            evidence.calls?.programs = [TracedProgram(process: 12, executable: "/usr/bin/fetcher")]
            evidence.calls?.calls = [call]
        }
        return Verdict(Runs(first: evidence))
    }

    @Test func `what was reached through the CLAT says which host it is, and whose it was`() {
        let called = TracedCall(
            .connect, .address(.ip(.ipv4(server), port: 80), length: 16, on: nil), .succeeded(0))
        for (verdict, sender) in [
            (passes(over: [direct()]), ""), (passes(over: [direct()], by: called), " by fetcher"),
        ] {
            #expect(verdict.ids == ["V6C-072"] && verdict.judgement == .passes)
            #expect(
                verdict.findings.first?.sentences == [
                    "shop.test, 198.51.100.10 (tcp 80) was reached by IPv4\(sender)."
                ])
        }
    }

    @Test func `who gets there by IPv6 as well, gets nowhere or stays on the link does not need the CLAT`() {
        let there = Flow(
            .tcp, .ipv6(IPv6Address("64:ff9b::c633:640a")!), 80, .translated(server), attempts: 1, accepted: 1)
        #expect(passes(over: [direct(), there]).ids.isEmpty)
        #expect(passes(over: [Flow(.tcp, .ipv4(server), 80, .direct, attempts: 1)]).ids.isEmpty)
        #expect(passes(over: [Flow(.udp, .ipv4(IPv4Address(224, 0, 0, 251)), 5353, .direct, bytesSent: 9)]).ids.isEmpty)
    }

    @Test func `neither is said of nat64`() {
        let ids = Verdict(run: run(.nat64, questions: Self.withoutIPv6), control: goesThere(over: byIPv6)).ids
        #expect(!ids.contains("V6C-070") && !ids.contains("V6C-071"))
    }
}
