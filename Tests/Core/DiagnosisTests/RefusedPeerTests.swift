// SPDX-License-Identifier: Apache-2.0
import Evidence
import EvidenceSupport
import Reports
import Testing

@testable import Diagnosis

/// V6C-102.
@Suite struct RefusedPeerTests {
    private let served = PeerAnswer(isIPv6: false, text: "status 200", isAsExpected: true)
    private let refused = PeerAnswer(isIPv6: true, text: "status 500", isAsExpected: false)
    private let servedByIPv6 = PeerAnswer(isIPv6: true, text: "status 200", isAsExpected: true)
    private let refusedByIPv4 = PeerAnswer(isIPv6: false, text: "status 500", isAsExpected: false)

    private func rules(on network: Network, _ answers: [PeerAnswer], control: [PeerAnswer]? = nil) -> [String] {
        verdict(on: network, answers, control: control).findings.filter { $0.severity == .error }.map(\.rule.id)
    }

    private func verdict(on network: Network, _ answers: [PeerAnswer], control: [PeerAnswer]?) -> Verdict {
        func run(on network: Network, _ answers: [PeerAnswer]) -> RunEvidence {
            let end = ExitOutcome.exited(status: answers.allSatisfy(\.isAsExpected) ? 0 : 1)
            var run = RunEvidence(network: network, end: end, duration: .milliseconds(300))
            run.isProbed = true
            run.peerAnswers = answers
            return run
        }
        return Verdict(run: run(on: network, answers), control: control.map { run(on: .dualStack, $0) })
    }

    @Test func `IPv6 clients turned away, and IPv4 clients served, on this network or on dual-stack`() {
        #expect(rules(on: .nat64, [refused, refused], control: [served, served]) == ["V6C-102"])
        #expect(rules(on: .dualStack, [refused, served]) == ["V6C-102"])
    }

    @Test func `a redirect that all get, and a client through the NAT64 that is served, are told`() throws {
        func told(_ here: [PeerAnswer], _ there: [PeerAnswer]) throws -> Finding {
            try #require(verdict(on: .nat64, here, control: there).findings.first { $0.rule.id == "V6C-102" })
        }
        let away = "status 302 and http://198.51.100.10/"
        let redirect = try told(
            [PeerAnswer(isIPv6: true, text: away, isAsExpected: false, kind: .ledAway)],
            [PeerAnswer(isIPv6: false, text: away, isAsExpected: true, kind: .ledAway)])
        #expect(
            redirect.observations.map { sentence($0.statement) } == [
                "It gives all of its clients \(away): an IPv6 client has no way to an IPv4 address."
            ])
        #expect(redirect.advice.contains("Redirect to a path"))
        let translated = PeerAnswer(isIPv6: true, text: "status 200", isAsExpected: true, isTranslated: true)
        #expect(try told([refused, translated], [served]).advice.contains("Host header"))
    }

    @Test(arguments: [(PeerAnswer.Kind.other, false), (.closed, false), (.denied, true), (.ledAway, true)])
    func `beside its own request by IPv4 that fails, only a decision counts`(kind: PeerAnswer.Kind, isTold: Bool) {
        let answer = PeerAnswer(isIPv6: true, text: "it", isAsExpected: false, kind: kind)
        var run = RunEvidence(network: .nat64, end: .exited(status: 1), duration: .milliseconds(300))
        run.isProbed = true
        run.peerAnswers = [answer]
        var control = run
        (control.network, control.end, control.peerAnswers) = (.dualStack, .exited(status: 0), [served])
        run.calls = CallEvidence([
            TracedCall(
                .connect, to: "198.51.100.31", 80, on: .ipv4Stream, .failed(.networkUnreachable), at: "ask a.c:9")
        ])
        let rules = Verdict(run: run, control: control).findings.map(\.rule.id)
        #expect(rules.contains("V6C-102") == isTold)
    }

    /// IPv4 clients of an IPv6 socket have addresses of ::ffff:0:0/96.
    @Test func `IPv4 clients turned away, and IPv6 clients served, on dual-stack`() {
        #expect(rules(on: .dualStack, [servedByIPv6, refusedByIPv4]) == ["V6C-102"])
    }

    @Test func `a server that serves all, or none, or is not reached, has no such rule`() {
        #expect(!rules(on: .nat64, [refused], control: [refusedByIPv4]).contains("V6C-102"))
        #expect(!rules(on: .dualStack, [refused, refusedByIPv4]).contains("V6C-102"))
        #expect(!rules(on: .dualStack, [servedByIPv6, served]).contains("V6C-102"))
        #expect(!rules(on: .nat64, [servedByIPv6], control: [refusedByIPv4]).contains("V6C-102"))
        #expect(!rules(on: .nat64, [], control: [served]).contains("V6C-102"))
    }
}
