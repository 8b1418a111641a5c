// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Testing
import Wire

@testable import Suites

@Suite struct ServerEvidenceTests {
    private func listener(_ address: String, isIPv6Only: Bool = false) -> Listener {
        Listener(
            IPv6Address(address).map { .ipv6($0) } ?? .ipv4(IPv4Address(address)!), port: 80, isIPv6Only: isIPv6Only)
    }

    @Test func `who reaches a listener from another machine`() {
        let rows: [(Listener, Bool, Bool)] = [
            (listener("::"), true, true), (listener("::", isIPv6Only: true), true, false),
            (listener("0.0.0.0"), false, true), (listener("::1"), false, false), (listener("127.0.0.1"), false, false),
            (listener("2001:db8::1"), true, false), (listener("192.0.2.1"), false, true),
        ]
        for (listener, ipv6, ipv4) in rows {
            #expect(listener.takes(.ipv6) == ipv6, "\(listener)")
            #expect(listener.takes(.ipv4) == ipv4, "\(listener)")
        }
    }

    @Test func `where each probe leads to the listener`() {
        func origins(_ network: Network) -> [Probe.Origin] { Probe.Origin.allCases.filter { $0.leads(to: network) } }
        for network in [Network.nat64, .nat64NoDNS64, .nat64CLAT] {
            #expect(origins(network) == [.ipv6, .ipv4ThroughNAT64], "\(network)")
        }
        #expect(origins(.dualStack) == [.ipv6, .ipv4])
        #expect(origins(.ipv4Only) == [.ipv4])
        #expect(origins(.strict) == [.ipv6])
        #expect(origins(.strictNoLoopback4) == [.ipv6])
    }

    @Test func `on dual-stack a server that only IPv6 does not reach fails, and one that nobody reaches is broken`() {
        func outcome(_ results: [(Probe.Origin, ProbeAnswer.Result)]) -> CaseOutcome {
            var server = ServerEvidence()
            server.probes = results.map { ProbeAnswer(Probe($0.0, .tcp(80)), from: $0.0, $0.1) }
            let plain = Sample.attempt(.dualStack)
            let attempt = Attempt(plain.evidence, output: plain.output, expectations: Expectations(), server: server)
            return CaseJudgement(
                Sample.test(network: .dualStack), CaseAttempts(first: attempt, again: attempt), baseline: nil,
                today: Sample.today
            ).outcome
        }
        #expect(outcome([(.ipv6, .connected), (.ipv4, .connected)]) == .pass)
        #expect(outcome([(.ipv6, .refused), (.ipv4, .connected)]) == .fail)
        #expect(outcome([(.ipv6, .refused), (.ipv4, .refused)]) == .broken)
        #expect(outcome([(.ipv6, .closed), (.ipv4, .connected)]) == .fail)
        #expect(outcome([(.ipv6, .closed), (.ipv4, .closed)]) == .pass)
    }

    @Test func `connections that are closed here are compared with those of dual-stack`() {
        func attempt(_ network: Network, _ origin: Probe.Origin, _ result: ProbeAnswer.Result) -> Attempt {
            let answer = ProbeAnswer(Probe(origin, .tcp(80)), from: origin, result)
            var server = ServerEvidence()
            server.probes = [answer]
            var plain = Sample.attempt(network)
            plain.evidence.isProbed = true
            plain.evidence.peerAnswers = [answer].compactMap(\.peerAnswer)
            return Attempt(plain.evidence, output: plain.output, expectations: Expectations(), server: server)
        }
        func attempts(_ there: ProbeAnswer.Result) -> CaseAttempts {
            var attempts = CaseAttempts(first: attempt(.nat64, .ipv6, .closed))
            #expect(attempts.next == .control)
            attempts.add(attempt(.dualStack, .ipv4, there), as: .control)
            return attempts
        }
        let alike = attempts(.closed)
        #expect(alike.next == nil && alike.first.isAsExpected)
        let other = attempts(.connected)
        #expect(!other.first.isAsExpected && other.first.evidence.peerAnswers[0].isAsExpected == false)
        #expect(attempts(.refused).first.isAsExpected)
    }

    @Test func `a redirect that cannot be followed is expected where its status is`() {
        func isAsExpected(_ origin: Probe.Origin, _ obstacle: ProbeAnswer.Obstacle, status: Int? = nil) -> Bool {
            let probe = Probe(origin, .page(PageRequest(.http, 80, path: "/")), status: status)
            return ProbeAnswer(probe, from: origin, .ledAway(status: 302, location: "", obstacle)).isAsExpected
        }
        #expect(isAsExpected(.ipv4, .ipv4) && !isAsExpected(.ipv6, .ipv4) && !isAsExpected(.ipv4ThroughNAT64, .ipv4))
        #expect(!isAsExpected(.ipv4, .ownMachine) && !isAsExpected(.ipv4, .noURL))
        #expect(isAsExpected(.ipv6, .noURL, status: 302) && !isAsExpected(.ipv4, .ipv4, status: 200))
    }
}
