// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Diagnosis
import Evidence
import Testing
import Wire

/// Findings about where packets went, and what came back.
@Suite struct FlowFindingTests {
    @Test func `who was connected to has no literal`() {
        // FTP's PORT: the server connects from port 20.
        let control = onDualStack(
            questions: [question("ftp.test", .a, ["198.51.100.21"])],
            flows: [
                direct(to: IPv4Address(198, 51, 100, 21), port: 21),
                direct(to: IPv4Address(198, 51, 100, 99), port: 20, accepted: 0, isInbound: true),
            ])
        let run = here(
            questions: [question("ftp.test", .aaaa, ["64:ff9b::c633:6415"])], flows: [translated(port: 21)])
        let findings = Verdict(run: run, control: control).findings
        #expect(findings.map(\.rule) == [.waitsForConnection])
        #expect(
            findings[0].sentences == [
                "On dual-stack 198.51.100.99 connected to it (from tcp 20); through a NAT64 no host can."
            ])
    }

    @Test func `an address out of an ipv4hint is no literal`() {
        let control = onDualStack(
            questions: [question("shop.test", .https, ["1 . alpn=\"h2\" ipv4hint=192.0.2.1,198.51.100.10"])],
            flows: [direct(port: 443)])
        let findings = Verdict(run: here(questions: control.seen.questions), control: control).findings
        #expect(findings.map(\.rule) == [.usesIPv4Hint])
        #expect(findings[0].sentences.first?.contains("an ipv4hint in the HTTPS record of shop.test") == true)
        // With the A record as well, it is the name that was looked up.
        var told = control
        told.seen.questions.append(question("shop.test", .a, [server.description]))
        #expect(!Verdict(run: here(), control: told).ids.contains("V6C-011"))
    }

    @Test func `text that the client made of an answer is no literal, without a control run`() {
        let run = here(
            questions: [question("shop.test", .a, [server.description])],
            lookups: [Lookup(call: .inetAddr, node: server.description, program: "client")])
        #expect(Verdict(run: run, control: nil).ids == ["V6C-002"])
    }

    @Test func `a private address under the well-known prefix is called that, and nothing else`() {
        let drop = Drop(reason: .nonGlobalIPv4, count: 1, example: "TCP …")
        let flow = Flow(
            .tcp, .ipv6(IPv6Address("64:ff9b::a00:1")!), 80, .translated(IPv4Address(10, 0, 0, 1)), attempts: 1,
            refused: 1, unreachable: .prohibited)
        let findings = Verdict(run: here(flows: [flow], drops: [drop]), control: nil).findings
        #expect(findings.map(\.rule) == [.nonGlobalAddress])
        #expect(
            findings[0].sentences == [
                "64:ff9b::a00:1 (tcp 80) stands for 10.0.0.1, and 64:ff9b::/96 carries no private or other non-global "
                    + "address (RFC 6052 §3.1)."
            ])
        // Where the error did not come back, the packet tells.
        let silent = Verdict(run: here(drops: [drop]), control: nil)
        #expect(silent.ids == ["V6C-012"])
    }

    @Test func `a limit of the NAT64's is not called a protocol that cannot be translated`() {
        let drop = Drop(reason: .portsExhausted, count: 3, example: "UDP …")
        #expect(Verdict(run: here(drops: [drop]), control: nil).ids == ["V6C-014"])
    }

    @Test(
        arguments: [
            (.port, "refused the datagram: nothing listens at this port"),
            (.noRoute, "cannot be reached: the world has a record with this address, and no host"),
            (.address, "cannot be reached: no host has this address"),
        ] as [(Flow.Unreachable, String)])
    func `a datagram that came back with an error is a finding`(_ cause: Flow.Unreachable, _ outcome: String) {
        let flow = translated(.udp, port: 9, accepted: 0, refused: 1, unreachable: cause, bytesReceived: 0)
        let findings = Verdict(
            run: here(questions: [question("echo.test", .aaaa, ["64:ff9b::c633:640a"])], flows: [flow]), control: nil
        ).findings
        #expect(findings.map(\.rule) == [.noAnswer])
        #expect(findings[0].sentences == ["echo.test, 64:ff9b::c633:640a (udp 9) \(outcome)."])
    }

    @Test func `datagrams that want no answer are no finding`() {
        let flow = translated(.udp, port: 514, accepted: 0, bytesReceived: 0)
        #expect(Verdict(run: here(flows: [flow]), control: nil).ids.isEmpty)
    }
}
