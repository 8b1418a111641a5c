// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@testable import Diagnosis

/// Clients whose network changes during the run.
@Suite struct HandoverRuleTests {
    private static let control = onDualStack(
        questions: [question("shop.test", .a, [server.description]), question("shop.test", .aaaa)], flows: [direct()])

    private func run(_ flows: [Flow], for duration: Duration = .seconds(5), _ status: Int32 = 1) -> RunEvidence {
        var run = RunEvidence(
            network: .nat64, end: .exited(status: status), duration: duration,
            questions: [
                question("shop.test", .a, [server.description]),
                question("shop.test", .aaaa, [synthesised.description]),
            ], flows: flows)
        run.timeline = [
            NetworkChange(time: .zero, network: .dualStack), NetworkChange(time: .seconds(1), network: nil),
            NetworkChange(time: .seconds(2), network: .nat64),
        ]
        return run
    }

    @Test func `a pass before the last network came is none of that network`() {
        var run = run([translated()], for: .milliseconds(30), 0)
        run.timeline = []
        #expect(Verdict(run: run, control: Self.control).findings.isEmpty)
        run.endedBeforeLastNetwork = true
        let found = Verdict(run: run, control: Self.control).findings
        #expect(found.map(\.rule) == [.endsBeforeChange])
        #expect(found[0].severity == .warning)
    }

    private func held(until last: Duration, closed: Duration? = nil) -> Flow {
        var flow = direct()
        flow.times = FlowTimes(first: .milliseconds(10), answer: .milliseconds(11), last: last, end: closed)
        return flow
    }

    private func fresh(at time: Duration, to remote: IPAddress = .ipv6(synthesised)) -> Flow {
        var flow = Flow(.tcp, remote, 80, .translated(server), attempts: 1)
        flow.times = FlowTimes(first: time, last: time)
        return flow
    }

    private func isMet(_ run: RunEvidence) -> Bool {
        Verdict(run: run, control: Self.control).ids.contains("V6C-078")
    }

    @Test func `a connection that stood, and no other to its host since, is told`() {
        let verdict = Verdict(run: run([held(until: .milliseconds(900))]), control: Self.control)
        #expect(verdict.ids == ["V6C-078"])
        #expect(
            verdict.findings[0].sentences == [
                "The connection to shop.test, 198.51.100.10 (tcp 80) stood when dual-stack went; on nat64, which came then, it made none."
            ])
    }

    @Test func `who connects again, has closed it before, or passes does not keep it`() {
        #expect(!isMet(run([held(until: .milliseconds(900)), fresh(at: .seconds(3))])))
        #expect(!isMet(run([held(until: .milliseconds(900), closed: .milliseconds(900))])))
        #expect(!isMet(run([held(until: .milliseconds(900))], 0)))
    }

    @Test func `who has no time on the next network does not keep it`() {
        #expect(!isMet(run([held(until: .milliseconds(900))], for: .milliseconds(2400))))
    }

    @Test func `a connection to another host is no substitute`() {
        let other = fresh(at: .seconds(3), to: .ipv6(IPv6Address("2e00:2:0:cafe::36")!))
        var flow = other
        flow.route = .direct
        #expect(isMet(run([held(until: .milliseconds(900)), flow])))
    }

    // MARK: - UDP

    private func datagrams(
        _ remote: IPAddress, _ route: Flow.Route, from first: Duration, to last: Duration, received: UInt64 = 60
    ) -> Flow {
        var flow = Flow(.udp, remote, 80, route, bytesSent: 60, bytesReceived: received)
        flow.times = FlowTimes(first: first, last: last)
        return flow
    }

    private func verdict(ofDatagrams flows: [Flow], control last: Duration = .seconds(5)) -> Verdict {
        var control = onDualStack(
            questions: Self.control.seen.questions,
            flows: [datagrams(.ipv4(server), .direct, from: .milliseconds(10), to: last)])
        control.end = .exited(status: 0)
        return Verdict(run: run(flows), control: control)
    }

    @Test func `datagrams that went on on dual-stack, and not on the next network, are told`() {
        let kept = datagrams(.ipv4(server), .direct, from: .milliseconds(10), to: .milliseconds(900))
        let verdict = verdict(ofDatagrams: [kept])
        #expect(verdict.ids == ["V6C-078"])
        #expect(
            verdict.findings[0].sentences == [
                "It exchanged datagrams with shop.test, 198.51.100.10 (udp 80) when dual-stack went, and on dual-stack it went on with that; on nat64, which came then, nothing of it came through."
            ])
    }

    @Test func `datagrams of a new socket, that were for once, or unanswered, are not`() {
        let kept = datagrams(.ipv4(server), .direct, from: .milliseconds(10), to: .milliseconds(900))
        let fresh = datagrams(.ipv6(synthesised), .translated(server), from: .seconds(3), to: .seconds(4))
        #expect(!verdict(ofDatagrams: [kept, fresh]).ids.contains("V6C-078"))
        #expect(!verdict(ofDatagrams: [kept], control: .milliseconds(900)).ids.contains("V6C-078"))
        let unanswered = datagrams(
            .ipv4(server), .direct, from: .milliseconds(10), to: .milliseconds(900), received: 0)
        #expect(!verdict(ofDatagrams: [unanswered]).ids.contains("V6C-078"))
    }

    @Test func `who looks the host up again does not keep it`() {
        var run = run([held(until: .milliseconds(900))])
        run.seen.queries = QueryExcerpt([QueryRecord("shop.test", .aaaa, at: .seconds(3))])
        #expect(!isMet(run))
    }

    @Test func `without a hand-over there is nothing to keep`() {
        var run = run([held(until: .milliseconds(900))])
        run.timeline = []
        #expect(!isMet(run))
    }
}
