// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Diagnosis
import Evidence
import Testing
import Wire

@Suite struct DiagnosisTests {
    private let server = IPv4Address(198, 51, 100, 10)
    private let synthesised = IPv6Address("64:ff9b::c633:640a")!

    private func rules(_ run: RunEvidence, _ control: RunEvidence?) -> [Diagnosis.Rule] {
        Verdict(run: run, control: control).findings.map(\.rule)
    }

    private func failing(questions: [RepeatedQuery] = [], flows: [Flow] = [], drops: [Drop] = []) -> RunEvidence {
        RunEvidence(
            network: .nat64, end: .exited(status: 1), duration: .zero, questions: questions, flows: flows,
            drops: drops)
    }

    private func passing(questions: [RepeatedQuery] = [], flows: [Flow] = []) -> RunEvidence {
        RunEvidence(
            network: .dualStack, end: .exited(status: 0), duration: .zero, questions: questions, flows: flows)
    }

    @Test func `an address that no answer gave is a literal`() {
        let flow = Flow(.tcp, .ipv4(server), 80, .direct, attempts: 1, accepted: 1)
        #expect(rules(failing(), passing(flows: [flow])) == [.literalAddress])
    }

    @Test func `an address that the DNS gave is not a literal`() {
        let flow = Flow(.tcp, .ipv4(server), 80, .direct, attempts: 1, accepted: 1)
        let control = passing(questions: [question("shop.test", .a, ["198.51.100.10"])], flows: [flow])
        let run = failing(questions: [question("shop.test", .a, ["198.51.100.10"])])
        #expect(rules(run, control) == [.asksForIPv4Only])
    }

    @Test func `a synthesised answer that is not used is a finding`() {
        let questions = [
            question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
        ]
        #expect(rules(failing(questions: questions), nil) == [.ignoresIPv6Answer])
    }

    @Test func `a refused connection is said to be refused`() {
        let flow = Flow(.tcp, .ipv6(synthesised), 81, .translated(server), attempts: 1, refused: 1)
        let run = failing(questions: [question("shop.test", .aaaa, [synthesised.description])], flows: [flow])
        let findings = Verdict(run: run, control: nil).findings
        #expect(findings.map(\.rule) == [.noAnswer])
        #expect(findings[0].sentences == ["shop.test, 64:ff9b::c633:640a (tcp 81) refused the connection."])
    }

    @Test func `a name without address is named`() {
        let run = failing(questions: [
            question("nosuch.test", .a, [], code: .nameError), question("nosuch.test", .aaaa, [], code: .nameError),
        ])
        let findings = Verdict(run: run, control: nil).findings
        #expect(
            findings.map(\.rule) == [.nameHasNoAddress])
        #expect(findings[0].sentences == ["nosuch.test: NXDOMAIN."])
        #expect(findings[0].observations.map(\.subject) == [.name("nosuch.test")])
    }

    @Test func `silence here and traffic there means that it did not even try`() {
        let control = passing(questions: [question("shop.test", .a, ["198.51.100.10"])])
        #expect(rules(failing(), control) == [.nothingAttempted])
        #expect(rules(failing(), passing()).isEmpty)
    }

    @Test func `what any router refuses is no finding`() {
        for reason in DropReason.allCases where [.background, .routing].contains(reason.kind) {
            // A rule of their own speaks of these.
            if [.nonGlobalIPv4, .faultBlackHole].contains(reason) { continue }
            #expect(rules(failing(drops: [Drop(reason: reason, count: 3, example: "")]), nil).isEmpty)
        }
        let drop = Drop(reason: .unsupportedTransport, count: 1, example: "")
        #expect(rules(failing(drops: [drop]), nil) == [.untranslatable])
    }

    // MARK: - With what the preloaded library saw

    private func lookup(
        _ call: LookupFunction, _ node: String, family: Int? = nil, flags: Int = 0, answers: [IPAddress] = [],
        outcome: SynthesisOutcome? = nil
    ) -> Lookup {
        Lookup(
            call: call, node: node,
            hints: family.map { LookupHints(family: $0, socktype: 1, protocol: 0, flags: flags) },
            answers: answers, outcome: outcome, program: "client", module: "./client", offset: 0x11f0)
    }

    private func evidence(_ lookups: [Lookup], flows: [Flow] = [], questions: [RepeatedQuery] = []) -> RunEvidence {
        RunEvidence(
            network: .nat64, end: .exited(status: 1), duration: .zero, questions: questions, flows: flows,
            profile: .apple, lookups: lookups)
    }

    private var literalFlow: Flow {
        Flow(.tcp, .ipv4(server), 80, .direct, attempts: 1, accepted: 1)
    }

    @Test func `the call that read the literal is named`() {
        let run = evidence([lookup(.inetAddr, "198.51.100.10", answers: ["198.51.100.10"])])
        let findings = Verdict(run: run, control: passing(flows: [literalFlow])).findings
        #expect(
            findings.map(\.sentences) == [
                [
                    "client+0x11f0 called inet_addr(\"198.51.100.10\"), which knows IPv4 only. On dual-stack it went to "
                        + "198.51.100.10 (tcp 80); here there is no IPv4 route to it."
                ]
            ])
        #expect(findings.map(\.rule) == [.literalAddress])
        #expect(
            findings[0].observations[0].site == CallSite(program: "client", module: "./client", offset: 0x11f0))
    }

    @Test(arguments: [
        (SynthesisOutcome.family, " with AF_INET."),
        (.numericHost, " with AI_NUMERICHOST, which rules literal synthesis out."),
        (.excluded, "; no system synthesises this address."),
    ]) func `what ruled synthesis out is named even without a control run`(
        _ outcome: SynthesisOutcome, _ reason: String
    ) {
        let run = evidence([lookup(.getaddrinfo, "198.51.100.10", family: 2, outcome: outcome)])
        let findings = Verdict(run: run, control: nil).findings
        #expect(
            findings.map(\.sentences) == [["client+0x11f0 called getaddrinfo(\"198.51.100.10\")\(reason)"]])
        #expect(findings.map(\.rule) == [.literalAddress])
    }

    @Test func `a synthesised address that is not used is the finding`() {
        let run = evidence([
            lookup(.getaddrinfo, "198.51.100.10", family: 0, answers: [.ipv6(synthesised)], outcome: .literal)
        ])
        #expect(rules(run, passing(flows: [literalFlow])) == [.ignoresIPv6Answer])
    }

    @Test func `who asks for IPv4 only is named`() {
        let run = evidence(
            [lookup(.gethostbyname, "Shop.test.", answers: ["198.51.100.10"])],
            questions: [question("shop.test", .a, ["198.51.100.10"])])
        let findings = Verdict(run: run, control: nil).findings
        #expect(
            findings.map(\.sentences) == [
                ["It asked for A of shop.test, and never for AAAA: client+0x11f0 called gethostbyname."]
            ])
    }

    @Test func `an address that is cut at a colon is recognised`() {
        let run = evidence([
            lookup(.getaddrinfo, "198.51.100.10", family: 0, answers: [.ipv6(synthesised)], outcome: .literal),
            lookup(.getaddrinfo, "64", family: 0),
        ])
        let findings = Verdict(run: run, control: nil).findings
        #expect(findings.map(\.rule) == [.cutsAddress])
        #expect(findings[0].sentences == ["client+0x11f0 asked for \"64\", which is how 64:ff9b::c633:640a begins."])
    }

    @Test(arguments: [("64:ff9b::c633:6", true), ("64:ff9b::c633:7", false), ("64:ff9b::c6", false)])
    func `an address that is cut after 15 characters is recognised`(_ tried: String, _ isCut: Bool) {
        let address = IPAddress(tried)!
        var run = evidence(
            [lookup(.getaddrinfo, tried, family: 0, answers: [address])],
            questions: [question("shop.test", .aaaa, ["64:ff9b::c633:640a"])])
        run.calls = CallEvidence([
            TracedCall(.connect, to: address, 80, on: .ipv6Stream, .failed(.hostUnreachable), at: "main host.c:23")
        ])
        let findings = Verdict(run: run, control: nil).findings
        #expect(findings.map(\.rule).contains(.cutsAddress) == isCut)
        if isCut { #expect(findings[0].sentences[0].hasSuffix("(host.c:23): this is how 64:ff9b::c633:640a begins.")) }
    }

    @Test func `synthesis is owed where it was used, whatever the DNS gave`() {
        let flow = Flow(.tcp, .ipv6(synthesised), 80, .translated(server), attempts: 1, accepted: 1)
        let lookups = [
            lookup(.getaddrinfo, "198.51.100.10", family: 0, answers: [.ipv6(synthesised)], outcome: .literal)
        ]
        #expect(evidence(lookups, flows: [flow]).usedSynthesis == lookups)
        #expect(evidence(lookups).usedSynthesis.isEmpty)
        let told = [question("shop.test", .aaaa, [synthesised.description])]
        #expect(evidence(lookups, flows: [flow], questions: told).usedSynthesis == lookups)
        let ofName = [lookup(.getaddrinfo, "shop.test", family: 0, answers: [.ipv6(synthesised)], outcome: .name)]
        #expect(evidence(ofName, flows: [flow]).usedSynthesis == ofName)
        #expect(evidence(ofName, flows: [flow], questions: told).usedSynthesis.isEmpty)
        var otherPort = lookups
        otherPort[0].service = "81"
        #expect(evidence(otherPort, flows: [flow]).usedSynthesis.isEmpty)
    }
}
