// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Reports
import Testing
import Wire

@testable import Diagnosis

/// V6C-087 and V6C-090: runs that pass on both networks, compared by the hosts that they reached.
@Suite struct HostsOfDualStackAloneTests {
    private static let metrics = IPv4Address(198, 51, 100, 20)
    private static let main = [
        question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
    ]
    private static let asked = question("metrics.test", .a, ["198.51.100.20"])

    private func udp(to address: IPAddress = .ipv4(Self.metrics), sent: UInt64 = 670_000_000, received: UInt64 = 0)
        -> Flow
    {
        Flow(.udp, address, 5001, .direct, bytesSent: sent, bytesReceived: received)
    }

    /// Runs of a client that works, which reaches shop.test on both networks.
    private func found(
        here questions: [RepeatedQuery] = [Self.asked], _ flows: [Flow] = [], lookups: [Lookup] = [],
        there: [Flow], asked: [RepeatedQuery] = [Self.asked],
        change: (inout RunEvidence, inout RunEvidence) -> Void = { _, _ in }
    ) -> [Finding] {
        var run = here(
            .exited(status: 0), questions: Self.main + questions, flows: [translated()] + flows, lookups: lookups)
        var control = onDualStack(questions: Self.main + asked, flows: [direct()] + there)
        change(&run, &control)
        return Verdict(run: run, control: control).findings
    }

    private func here(
        _ end: ExitOutcome, questions: [RepeatedQuery], flows: [Flow], lookups: [Lookup]
    ) -> RunEvidence {
        RunEvidence(
            network: .nat64, end: end, duration: .zero, questions: questions, flows: flows, profile: .apple,
            lookups: lookups)
    }

    @Test func `a host that was asked for here and reached on dual-stack alone is told with the amounts`() {
        let findings = found(there: [udp(), udp(sent: 1_000_000, received: 1500)])
        #expect(findings.map(\.rule) == [.reachedOnDualStackAlone])
        #expect(
            findings[0].sentences == [
                "metrics.test, 198.51.100.20 (udp 5001): 671 MB sent and 1.5 kB received on dual-stack, nothing here, although it asked for A of it."
            ])
        #expect(findings[0].observations.map(\.subject) == [.name("metrics.test")])
    }

    @Test func `what it tried here and came to nothing is told with what it sent`() {
        var refused = Flow(
            .udp, .ipv6(IPv6Address("64:ff9b::c633:6414")!), 5001, .translated(Self.metrics), bytesSent: 50)
        refused.refused = 1
        let findings = found(here: [], [refused], there: [udp()], asked: [Self.asked])
        #expect(findings.map(\.rule) == [.reachedOnDualStackAlone])
        #expect(
            findings[0].sentences[0].hasSuffix("670 MB sent on dual-stack, 50 B sent here, and nothing came through."))
        let connecting = Flow(
            .tcp, .ipv6(IPv6Address("64:ff9b::c633:6414")!), 5001, .translated(Self.metrics), attempts: 2)
        #expect(found([connecting], there: [udp()])[0].sentences[0].hasSuffix("nothing here, although it tried."))
    }

    @Test func `an address as text, which it read here, is wanted here`() {
        let read = Lookup(call: .inetAddr, node: "198.51.100.20", result: 1)
        let findings = found(here: [], lookups: [read], there: [udp()], asked: [])
        #expect(findings.map(\.rule) == [.reachedOnDualStackAlone])
        #expect(findings[0].sentences[0].hasSuffix("nothing here, although it was given the address."))
    }

    @Test func `a host for which it did not ask here is a note`() {
        let findings = found(here: [], there: [udp()])
        #expect(findings.map(\.rule) == [.leavesHostOut])
        #expect(
            findings[0].sentences == [
                "metrics.test, 198.51.100.20 (udp 5001): 670 MB sent on dual-stack, and here it did not ask for it."
            ])
        #expect(found(here: [], there: [udp()], asked: []).map(\.rule) == [.leavesHostOut])
    }

    @Test func `a host that is reached here by any name or way is reached`() {
        let through = Flow(
            .tcp, .ipv6(IPv6Address("64:ff9b::c633:6414")!), 443, .translated(Self.metrics), attempts: 1, accepted: 1)
        // By its address, with the synthesis undone.
        #expect(found(here: [], [through], there: [udp()]).isEmpty)
        // By its name, at an address of its own.
        let own = IPAddress("2e00:2:0:cafe::20")
        let native = question("metrics.test", .aaaa, ["2e00:2:0:cafe::20"])
        let direct = Flow(.udp, own, 5001, .direct, bytesSent: 50)
        #expect(found(here: [native], [direct], there: [udp()]).isEmpty)
        // By another name, at an address that the control run was told.
        let other = question("m2.test", .aaaa, ["2e00:2:0:cafe::20"])
        #expect(found(here: [other], [direct], there: [udp()], asked: [Self.asked, native]).isEmpty)
        // A connection that was closed before its answer came.
        var late = through
        (late.accepted, late.late) = (0, 1)
        #expect(found([late], there: [udp()]).isEmpty)
    }

    @Test func `a host that is used in two ways, and here in one, is told for the other`() {
        let through = Flow(
            .tcp, .ipv6(IPv6Address("64:ff9b::c633:6414")!), 443, .translated(Self.metrics), attempts: 1, accepted: 1)
        let there = Flow(.tcp, .ipv4(Self.metrics), 443, .direct, attempts: 1, accepted: 1)
        let found = found(here: [], [through], there: [there, udp()])
        #expect(found.count == 1 && found[0].sentences[0].contains("(udp 5001)"))
        let quic = Flow(.udp, .ipv4(Self.metrics), 443, .direct, bytesSent: 1200, bytesReceived: 1200)
        #expect(self.found(here: [], [through], there: [there, quic]).isEmpty)
    }

    @Test func `a port for which a host was looked up, and which it did not go to here, is told beside another`() {
        let address: IPAddress = .ipv6(IPv6Address("64:ff9b::c633:6414")!)
        let through = Flow(.tcp, address, 443, .translated(Self.metrics), attempts: 1, accepted: 1)
        let web = Flow(.tcp, .ipv4(Self.metrics), 443, .direct, attempts: 1, accepted: 1)
        let queue = Flow(.tcp, .ipv4(Self.metrics), 5672, .direct, attempts: 1, accepted: 1)
        func lookup(_ service: String?) -> Lookup {
            Lookup(call: .getaddrinfo, node: "metrics.test", service: service, answers: [address])
        }
        let asked = [question("metrics.test", .aaaa, [address.description])]
        let found = found(here: asked, [through], lookups: [lookup("443"), lookup("5672")], there: [web, queue])
        #expect(found.map(\.rule) == [.reachedOnDualStackAlone])
        #expect(
            found[0].sentences[0].contains("(tcp 5672): reached on dual-stack, nothing here, although the DNS gave it"))
        for service in ["443", "amqp", nil] {
            #expect(
                self.found(here: asked, [through], lookups: [lookup(service)], there: [web, queue]).isEmpty,
                "a port that it may choose anew")
        }
    }

    @Test func `what nothing answers on dual-stack is no host that was reached`() {
        var refused = udp()
        refused.refused = 1
        let unanswered = Flow(.tcp, .ipv4(Self.metrics), 80, .direct, attempts: 3, refused: 3)
        #expect(found(there: [refused, unanswered]).isEmpty)
    }

    @Test func `name servers, routers, groups and the machine itself are of the network`() {
        let flows = [
            Flow(.udp, "198.51.100.53", 53, .direct, bytesSent: 40, bytesReceived: 80),
            Flow(.tcp, "198.51.100.53", 853, .direct, attempts: 1, accepted: 1),
            Flow(.udp, "192.0.2.1", 5351, .direct, bytesSent: 2),
            Flow(.icmp, "2e00:2:0:1::1", 0, .direct, bytesSent: 8, bytesReceived: 8),
            Flow(.udp, "224.0.0.251", 5353, .direct, bytesSent: 40),
            Flow(.udp, "239.255.255.250", 1900, .direct, bytesSent: 40),
            Flow(.udp, "255.255.255.255", 67, .direct, bytesSent: 40),
            Flow(.udp, "ff02::fb", 5353, .direct, bytesSent: 40), Flow(.udp, "fe80::1", 9, .direct, bytesSent: 40),
            Flow(.tcp, "198.51.100.30", 80, .direct, attempts: 1, accepted: 1, isInbound: true),
        ]
        #expect(found(here: [], there: flows, asked: []).isEmpty)
    }

    @Test func `runs that cannot be compared say nothing`() {
        #expect(found(there: [udp()]) { _, control in control.end = .exited(status: 1) }.map(\.rule.id) == ["V6C-088"])
        #expect(found(there: [udp()]) { run, _ in run.end = .exited(status: 1) }.allSatisfy { $0.rule.id < "V6C-087" })
        #expect(found(there: [udp()]) { run, _ in run.seen.lost.flows = 1 }.isEmpty)
        #expect(found(there: [udp()]) { _, control in control.seen.lost.flows = 1 }.isEmpty)
        #expect(found(there: [udp()]) { run, _ in run.seen.lost.path = true }.isEmpty)
        #expect(found(there: []).isEmpty)
    }

    @Test func `a rule that tells of the host what it is about makes another's sentence of the same name superfluous`()
    {
        let other = Rule(id: "V6C-900", title: "t", severity: .warning, advice: "A.", clients: .all) { _ in
            [Observation("It asked for A of metrics.test.", about: .name("metrics.test")), Observation("It did more.")]
        }
        let better = Rule(
            id: "V6C-901", title: "t", severity: .warning, advice: "A.", clients: .all, supersedes: ["V6C-900"]
        ) { _ in [Observation(.name("metrics.test"), "metrics.test: nothing.")] }
        let examination = Examination(run: here(.exited(status: 0), questions: [], flows: [], lookups: []))
        let findings = Diagnosis(examination, rules: [other, better]).findings
        #expect(findings.map(\.sentences) == [["It did more."], ["metrics.test: nothing."]])
    }

    @Test func `a name that getaddrinfo did not ask for was wanted, too`() {
        let lookup = Lookup(
            call: .getaddrinfo, node: "metrics.test",
            hints: LookupHints(
                family: LookupHints.ipv4, socktype: 1, protocol: 0, flags: LookupHints.addressConfigured), result: -2)
        let findings = found(here: [], lookups: [lookup], there: [udp()])
        #expect(findings.map(\.rule).contains(.reachedOnDualStackAlone))
        #expect(findings.flatMap(\.sentences).contains { $0.hasSuffix("although it called getaddrinfo for it.") })
    }

    @Test func `a source address that does not exist here is why, and nothing where no host is lost`() {
        let bind = TracedCall(.bind, to: "192.0.2.100", 0, .failed(.addressNotAvailable), at: "report main.c:9")
        let findings = found(there: [udp()]) { run, _ in run.calls = CallEvidence([bind]) }
        #expect(findings.map(\.rule) == [.bindsToIPv4] && findings[0].severity == .warning)
        #expect(
            findings[0].sentences[0].hasSuffix("metrics.test, 198.51.100.20 (udp 5001): 670 MB sent on dual-stack."))
        #expect(found(there: []) { run, _ in run.calls = CallEvidence([bind]) }.isEmpty)
    }

    @Test func `an address that is cut is told, though the client passes`() {
        let call = TracedCall(
            .connect, to: "64:ff9b::c633:6", 80, on: .ipv6Stream, .failed(.networkUnreachable), at: "dial a.c:9")
        let asked = question("metrics.test", .aaaa, ["64:ff9b::c633:640b"])
        let findings = found(here: [asked], there: []) { run, _ in run.calls = CallEvidence([call]) }
        #expect(findings.map(\.rule) == [.cutsAddress] && findings[0].severity == .warning)
    }

    @Test func `where dual-stack has the same address, the advice is to look at what it asks before`() {
        let own = IPAddress("2e00:2:0:cafe::20")
        let native = question("metrics.test", .aaaa, [own.description])
        let there = Flow(.udp, own, 5001, .direct, bytesSent: 50, bytesReceived: 50)
        let findings = found(here: [native], there: [there], asked: [native])
        #expect(findings.map(\.rule) == [.reachedOnDualStackAlone])
        #expect(findings[0].advice.hasPrefix("On dual-stack it went there by the same IPv6 address."))
    }

    @Test func `a traced attempt tells it with its line`() {
        let call = TracedCall(.sendto, to: "198.51.100.20", 5001, at: "report main.c:9")
        let findings = found(there: [udp()]) { run, _ in run.calls = CallEvidence([call]) }
        #expect(findings.map(\.rule) == [.missesHost] && findings[0].observations[0].site?.line == 9)
    }
}
