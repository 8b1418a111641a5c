// SPDX-License-Identifier: Apache-2.0
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
    }

    @Test func `answers over HTTP`() throws {
        func answer(_ text: String) -> HTTPAnswer? { HTTPAnswer(Array(text.utf8)) }
        let plain = try #require(answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more"))
        #expect(plain.status == 200 && plain.body == Array("ok".utf8) && plain.isComplete)
        let chunked = try #require(
            answer("HTTP/1.1 404 x\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\nok\r\n1\r\n!\r\n0\r\n\r\n"))
        #expect(chunked.status == 404 && chunked.body == Array("ok!".utf8) && chunked.isComplete)
        #expect(answer("HTTP/1.0 200\r\n\r\nhalf")?.isComplete == false)
        #expect(answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")?.isComplete == false)
        for text in ["", "HTTP/1.1 200 OK\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "SSH-2.0\r\n\r\n"] {
            #expect(answer(text) == nil, "\(text)")
        }
        for size in ["-1", "ffffffffffffffff", "7fffffffffffffff", "x", ""] {
            let odd = answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nab\r\n")
            #expect(odd?.isComplete == false, "\(size)")
        }
    }
}
