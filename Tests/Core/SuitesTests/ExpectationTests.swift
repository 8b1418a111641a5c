// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Diagnosis
import Evidence
import EvidenceSupport
import Testing
import Wire

@testable import Suites

@Suite struct ExpectationTests {
    @Test(arguments: [
        ("", "7", "7"), ("a", "{\"a\":\"b\"}", "b"), ("a.b[1].c", "{\"a\":{\"b\":[0,{\"c\":1.5}]}}", "1.5"),
        ("[0]", "[true]", "true"), ("[0][1]", "[[1,null]]", "null"), ("a", "{\"a\":3}", "3"),
    ])
    func `a value in JSON`(_ path: String, _ document: String, _ value: String) throws {
        #expect(try #require(JSONPath(path)).value(in: document) == value)
        #expect(TextExpectation.json(path: path, value: value).isMet(by: CapturedText(document)))
        #expect(!TextExpectation.json(path: path, value: value + "x").isMet(by: CapturedText(document)))
    }

    @Test func `there may be none`() throws {
        for (path, document) in [
            ("a", "[]"), ("[0]", "{}"), ("[3]", "[1]"), ("a", "{\"a\":{}}"), ("a", "no JSON"), ("a", ""),
            ("a", String(repeating: "[", count: 100_000)), ("[99999999999999999999]", "[]"),
        ] {
            #expect(JSONPath(path)?.value(in: document) == nil, "\(path)")
        }
        for path in ["[", "[x]", "a..b", ".", "a[0", "[0]b", "a."] { #expect(JSONPath(path) == nil, "\(path)") }
    }

    @Test func `what is reached, by name or address, with its port or without`() {
        let flow = Flow(
            .tcp, .ipv6(IPv6Address("64:ff9b::c633:640a")!), 80, .translated(Sample.server), attempts: 1, accepted: 1)
        let run = RunEvidence(
            network: .nat64, end: .exited(status: 0), duration: .zero,
            questions: [RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"], rule: .noAAAA)], flows: [flow])
        for text in ["shop.test", "SHOP.test tcp/80", "198.51.100.10", "64:ff9b::c633:640a tcp/80"] {
            #expect(FlowExpectation(text)?.isMet(by: run) == true, "\(text)")
        }
        for text in ["other.test", "shop.test tcp/443", "shop.test udp/80"] {
            #expect(FlowExpectation(text)?.isMet(by: run) == false, "\(text)")
        }
        for text in ["", "a b c", "a tcp", "a tcp/x", "a sctp/1", "a tcp/70000"] {
            #expect(FlowExpectation(text) == nil, "\(text)")
        }
    }

    private func attempt(_ network: Network, _ time: Duration) -> Attempt {
        var attempt = Sample.attempt(network)
        attempt.evidence.duration = time
        return attempt
    }

    @Test func `slower than on dual-stack, twice`() {
        var attempts = CaseAttempts(first: attempt(.nat64, .seconds(3)), slowness: 2)
        #expect(attempts.next == .control)
        attempts.add(attempt(.dualStack, .seconds(1)), as: .control)
        #expect(attempts.next == .again)
        attempts.add(attempt(.nat64, .milliseconds(2500)), as: .again)
        #expect(attempts.next == nil)
        #expect(attempts.first.broken == [.slower(.seconds(3), than: .seconds(1), limit: 2)])
        #expect(CaseJudgement(Sample.test(), attempts, baseline: nil, today: Sample.today).outcome == .fail)
    }

    @Test func `slower once, or a little, is as expected`() {
        var once = CaseAttempts(first: attempt(.nat64, .seconds(3)), slowness: 2)
        once.add(attempt(.dualStack, .seconds(1)), as: .control)
        once.add(attempt(.nat64, .seconds(1)), as: .again)
        #expect(once.next == nil)
        #expect(CaseJudgement(Sample.test(), once, baseline: nil, today: Sample.today).outcome == .pass)
        var little = CaseAttempts(first: attempt(.nat64, .milliseconds(90)), slowness: 2)
        little.add(attempt(.dualStack, .milliseconds(10)), as: .control)
        #expect(little.next == nil)
        #expect(CaseAttempts(first: attempt(.dualStack, .seconds(1)), slowness: 2).next == nil)
    }

    @Test func `IPv4 where there is IPv6`() {
        let expectations: Expectations = {
            var expectations = Expectations()
            expectations.ipv4Attempts = 0
            return expectations
        }()
        let tried = Sample.attempt(.dualStack, to: [Sample.server], expecting: expectations)
        #expect(tried.broken == [.ipv4Attempts(1, limit: 0)])
        #expect(Sample.attempt(.dualStack, expecting: expectations).isAsExpected)
    }
}
