// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

/// Tests of the rules about addresses in payloads.
@Suite struct PayloadRuleTests {
    private let host = IPv4Address(203, 0, 113, 7)
    private static let api: IPAddress = "64:ff9b::c633:641f"

    /// An attempt at 203.0.113.7, which is in no DNS answer.
    private func attempt(
        _ port: UInt16 = 80, on socket: SocketKind = .ipv4Stream,
        from place: ReceivedLocation? = nil
    ) -> TracedCall {
        TracedCall(
            socket == .ipv4Stream ? .connect : .sendto, to: .ipv4(host), port, on: socket, at: "work agent.c:12",
            origin: place.map { .payload($0) })
    }

    private func findings(_ calls: [TracedCall], _ control: RunEvidence?) -> [Finding] {
        var run = here()
        run.calls = CallEvidence(calls)
        return Verdict(run: run, control: control ?? onDualStack(flows: [direct(to: host)])).findings
    }

    private func rules(_ calls: TracedCall..., control: RunEvidence? = nil) -> [String] {
        findings(calls, control).map(\.rule.id)
    }

    private func advice(_ call: TracedCall, control: RunEvidence? = nil) -> String? {
        findings([call], control).first?.advice
    }

    private func place(_ spot: ReceivedLocation.Spot, target: String = "/list.json") -> ReceivedLocation {
        ReceivedLocation(
            from: Self.api, port: 80, name: "api.test", request: .init(method: "GET", target: target, host: "api.test"),
            spot)
    }

    @Test func `an address of an answer is told as one`() {
        #expect(rules(attempt(from: place(.json("$.servers[0]")))) == ["V6C-026"])
    }

    @Test func `an address of a file stays a literal`() {
        #expect(rules(attempt()) == ["V6C-001"])
    }

    @Test func `an answer to a question for a name is HTTPDNS, unless the DNS was asked as well`() {
        let call = attempt(from: place(.octet(60), target: "/d?host=www.test"))
        #expect(rules(call) == ["V6C-027"])
        #expect(advice(call)?.hasPrefix("Ask the system's resolver") == true)
        let asked = onDualStack(
            questions: [question("www.test", .aaaa)], flows: [direct(to: host)])
        #expect(rules(call, control: asked) == ["V6C-026"])
    }

    @Test func `a name that is told to an address is HTTPDNS, too`() {
        var control = onDualStack(flows: [direct(to: host, port: 443)])
        control.payloadFacts = [PayloadFact(.serverName("www.test"), .tcp, with: "203.0.113.7", port: 443)]
        #expect(rules(attempt(443), control: control) == ["V6C-027"])
        #expect(advice(attempt(443), control: control)?.contains("kept for it") == true, "no resolver gave it")
    }

    @Test(arguments: [3478, 19302] as [UInt16]) func `STUN by address is told by its port`(port: UInt16) {
        let control = onDualStack(flows: [direct(.udp, to: host, port: port)])
        #expect(rules(attempt(port, on: .ipv4Datagram), control: control) == ["V6C-029"])
    }

    @Test func `an ICE candidate is told by its line`() {
        #expect(rules(attempt(from: place(.candidate))) == ["V6C-029"])
    }

    @Test func `a compact peer is told by the port behind it`() {
        #expect(rules(attempt(6881, from: place(.packed(12, next: 6881)))) == ["V6C-030"])
        #expect(rules(attempt(6881, from: place(.packed(12, next: 99)))) == ["V6C-026"])
    }

    @Test func `a tunnel's end is told by its port, or by the handshake on dual-stack`() {
        let control = onDualStack(flows: [direct(.udp, to: host, port: 51820)])
        #expect(rules(attempt(51820, on: .ipv4Datagram), control: control) == ["V6C-031"])
        var other = onDualStack(flows: [direct(.udp, to: host, port: 9999)])
        other.payloadFacts = [PayloadFact(.wireGuard, .udp, with: "203.0.113.7", port: 9999)]
        #expect(rules(attempt(9999, on: .ipv4Datagram), control: other) == ["V6C-031"])
    }

    @Test func `a session description with IPv4 is told with its line`() {
        var run = here(flows: [translated(.udp, port: 5060)])
        run.calls = CallEvidence()
        run.payloadFacts = [
            PayloadFact(
                .sessionAddress(line: "c=IN IP4 0.0.0.0", isIPv4: true), .udp, with: .ipv6(synthesised), port: 5060,
                name: "sip.test")
        ]
        let found = Verdict(run: run, control: onDualStack(flows: [direct(.udp, port: 5060)])).findings
        #expect(found.map(\.rule.id) == ["V6C-028"])
        #expect(found.first?.sentences.first?.contains("\"c=IN IP4 0.0.0.0\"") == true)
    }

    @Test func `EPSV with the number of IPv6 is told where the server refuses it, and is behind the NAT64`() {
        let questions = [
            question("ftp.test", .a, [server.description]), question("ftp.test", .aaaa, [synthesised.description]),
        ]
        var run = here(questions: questions, flows: [translated(port: 21)])
        run.calls = CallEvidence()
        let refused = PayloadFact.Matter.refusedFamily(command: "EPSV 2", reply: "522 no")
        run.payloadFacts = [PayloadFact(refused, .tcp, with: .ipv6(synthesised), port: 21, name: "ftp.test")]
        let found = Verdict(run: run, control: onDualStack(questions: questions, flows: [direct(port: 21)])).findings
        #expect(found.map(\.rule.id) == ["V6C-098"])
        #expect(
            found[0].sentences == [#"It sends "EPSV 2" to ftp.test (tcp 21), an IPv4 host, which answers "522 no"."#])
        run.payloadFacts = [PayloadFact(refused, .tcp, with: "2001:db8::21", port: 21)]
        #expect(
            !Verdict(run: run, control: onDualStack(questions: questions, flows: [direct(port: 21)])).ids.contains(
                "V6C-098"))
    }

    @Test func `PORT is quoted, and an address in a payload that nobody waits for is none of the rule's`() {
        var run = here(flows: [translated(port: 21)])
        run.calls = CallEvidence()
        let control = onDualStack(flows: [direct(port: 21)])
        let own = PayloadFact(
            .ownAddress("2e00:2:0:1::2", line: "log 2e00:2:0:1::2"), .tcp, with: .ipv6(synthesised), port: 21)
        run.payloadFacts = [own]
        #expect(!Verdict(run: run, control: control).findings.map(\.rule.id).contains("V6C-013"))
        run.payloadFacts = [
            PayloadFact(
                .portCommand(line: "PORT 2e00:2:0:1::2,1,2"), .tcp, with: .ipv6(synthesised), port: 21,
                name: "ftp.test")
        ]
        let found = Verdict(run: run, control: control).findings
        #expect(found.map(\.rule.id).contains("V6C-013"))
        let told = found.map(\.sentences).joined().map { String($0) }
        #expect(told.contains { $0.contains("\"PORT 2e00:2:0:1::2,1,2\" to ftp.test (tcp 21)") })
    }
}
