import Diagnosis
import Evidence
import Testing
import Wire

@Suite struct DiagnosisTests {
    private let server = IPv4Address(198, 51, 100, 10)
    private let synthesised = IPv6Address("64:ff9b::c633:640a")!

    private func question(
        _ name: String, _ type: String, _ answers: [String], code: String = "NOERROR"
    ) -> DNSQuestion {
        DNSQuestion(
            name: name, type: type, transport: "udp", responseCode: code, answers: answers, source: "world",
            synthesisedFrom: [],
            rule: "RFC 6147 §5.1")
    }

    private func rules(_ run: RunEvidence, _ control: RunEvidence?) -> [Rule] {
        Verdict(run: run, control: control).findings.map(\.rule)
    }

    private func failing(questions: [DNSQuestion] = [], flows: [Flow] = [], refusals: [Refusal] = []) -> RunEvidence {
        RunEvidence(
            network: .nat64, end: .exited(status: 1), duration: .zero, questions: questions, flows: flows,
            refusals: refusals)
    }

    private func passing(questions: [DNSQuestion] = [], flows: [Flow] = []) -> RunEvidence {
        RunEvidence(
            network: .dualStack, end: .exited(status: 0), duration: .zero, questions: questions, flows: flows)
    }

    @Test func `an address that no answer gave is a literal`() {
        let flow = Flow(transport: .tcp, remote: .ipv4(server), port: 80, route: .direct, attempts: 1, accepted: 1)
        #expect(rules(failing(), passing(flows: [flow])) == [.literalAddress])
    }

    @Test func `an address that the DNS gave is not a literal`() {
        let flow = Flow(transport: .tcp, remote: .ipv4(server), port: 80, route: .direct, attempts: 1, accepted: 1)
        let control = passing(questions: [question("shop.test", "A", ["198.51.100.10"])], flows: [flow])
        let run = failing(questions: [question("shop.test", "A", ["198.51.100.10"])])
        #expect(rules(run, control) == [.asksForIPv4Only])
    }

    @Test func `a synthesised answer that is not used is a finding`() {
        let questions = [
            question("shop.test", "A", ["198.51.100.10"]), question("shop.test", "AAAA", [synthesised.description]),
        ]
        #expect(rules(failing(questions: questions), nil) == [.ignoresIPv6Answer])
    }

    @Test func `a refused connection is said to be refused`() {
        let flow = Flow(
            transport: .tcp, remote: .ipv6(synthesised), port: 81, route: .translated(server), attempts: 1, refused: 1)
        let run = failing(questions: [question("shop.test", "AAAA", [synthesised.description])], flows: [flow])
        let findings = Verdict(run: run, control: nil).findings
        #expect(findings.map(\.rule) == [.noAnswer])
        #expect(findings[0].evidence == ["shop.test, 64:ff9b::c633:640a (tcp 81) refused the connection."])
    }

    @Test func `a name without address is named`() {
        let run = failing(questions: [
            question("nosuch.test", "A", [], code: "NXDOMAIN"), question("nosuch.test", "AAAA", [], code: "NXDOMAIN"),
        ])
        let findings = Verdict(run: run, control: nil).findings
        #expect(
            findings == [
                Finding(
                    rule: .nameHasNoAddress, evidence: ["nosuch.test: NXDOMAIN."], subjects: ["nosuch.test"])
            ])
    }

    @Test func `silence here and traffic there means that it did not even try`() {
        let control = passing(questions: [question("shop.test", "A", ["198.51.100.10"])])
        #expect(rules(failing(), control) == [.nothingAttempted])
        #expect(rules(failing(), passing()).isEmpty)
    }

    @Test func `what any router refuses is no finding`() {
        for kind in [Refusal.Kind.background, .routing] {
            let noise = Refusal(reason: "", explanation: "", count: 3, example: "", kind: kind)
            #expect(rules(failing(refusals: [noise]), nil).isEmpty)
        }
        let refusal = Refusal(reason: "", explanation: "", count: 1, example: "", kind: .untranslatable)
        #expect(rules(failing(refusals: [refusal]), nil) == [.refusedByTranslator])
    }

    // MARK: - With what the preloaded library saw

    private func lookup(
        _ call: String, _ node: String, family: Int? = nil, flags: Int = 0, answers: [String] = [],
        outcome: SynthesisOutcome? = nil
    ) -> Lookup {
        Lookup(
            call: call, node: node,
            hints: family.map { LookupHints(family: $0, socktype: 1, protocol: 0, flags: flags) },
            answers: answers, outcome: outcome, program: "client", module: "./client", offset: 0x11f0)
    }

    private func evidence(_ lookups: [Lookup], flows: [Flow] = [], questions: [DNSQuestion] = []) -> RunEvidence {
        RunEvidence(
            network: .nat64, end: .exited(status: 1), duration: .zero, questions: questions, flows: flows,
            profile: .apple, lookups: lookups)
    }

    private var literalFlow: Flow {
        Flow(transport: .tcp, remote: .ipv4(server), port: 80, route: .direct, attempts: 1, accepted: 1)
    }

    @Test func `the call that read the literal is named`() {
        let run = evidence([lookup("inet_addr", "198.51.100.10", answers: ["198.51.100.10"])])
        let findings = Verdict(run: run, control: passing(flows: [literalFlow])).findings
        #expect(
            findings == [
                Finding(
                    rule: .literalAddress,
                    evidence: [
                        "client+0x11f0 called inet_addr(\"198.51.100.10\"), which knows IPv4 only. On dual-stack it went to "
                            + "198.51.100.10 (tcp 80); here there is no IPv4 route to it."
                    ])
            ])
    }

    @Test(arguments: [
        (SynthesisOutcome.family, " with AF_INET."),
        (.numericHost, " with AI_NUMERICHOST, which rules literal synthesis out."),
        (.excluded, "; no system synthesises this address."),
    ]) func `what ruled synthesis out is named even without a control run`(
        _ outcome: SynthesisOutcome, _ reason: String
    ) {
        let run = evidence([lookup("getaddrinfo", "198.51.100.10", family: 2, outcome: outcome)])
        let findings = Verdict(run: run, control: nil).findings
        #expect(
            findings == [
                Finding(
                    rule: .literalAddress,
                    evidence: ["client+0x11f0 called getaddrinfo(\"198.51.100.10\")\(reason)"])
            ])
    }

    @Test func `a synthesised address that is not used is the finding`() {
        let run = evidence([
            lookup("getaddrinfo", "198.51.100.10", family: 0, answers: [synthesised.description], outcome: .literal)
        ])
        #expect(rules(run, passing(flows: [literalFlow])) == [.ignoresIPv6Answer])
    }

    @Test func `who asks for IPv4 only is named`() {
        let run = evidence(
            [lookup("gethostbyname", "Shop.test.", answers: ["198.51.100.10"])],
            questions: [question("shop.test", "A", ["198.51.100.10"])])
        let findings = Verdict(run: run, control: nil).findings
        #expect(
            findings.map(\.evidence) == [
                ["It asked for A of shop.test, and never for AAAA: client+0x11f0 called gethostbyname."]
            ])
    }

    @Test func `an address that is cut at a colon is recognised`() {
        let run = evidence([
            lookup("getaddrinfo", "198.51.100.10", family: 0, answers: [synthesised.description], outcome: .literal),
            lookup("getaddrinfo", "64", family: 0),
        ])
        let findings = Verdict(run: run, control: nil).findings
        #expect(findings.map(\.rule) == [.cutsAddressAtColon])
        #expect(findings[0].evidence == ["client+0x11f0 asked for \"64\", which is how 64:ff9b::c633:640a begins."])
    }

    @Test func `synthesis is owed only where it was used and the DNS gave nothing`() {
        let flow = Flow(
            transport: .tcp, remote: .ipv6(synthesised), port: 80, route: .translated(server), attempts: 1, accepted: 1)
        let lookups = [
            lookup("getaddrinfo", "198.51.100.10", family: 0, answers: [synthesised.description], outcome: .literal)
        ]
        #expect(evidence(lookups, flows: [flow]).usedSynthesis == lookups)
        #expect(evidence(lookups).usedSynthesis.isEmpty)
        let told = [question("shop.test", "AAAA", [synthesised.description])]
        #expect(evidence(lookups, flows: [flow], questions: told).usedSynthesis.isEmpty)
    }
}
