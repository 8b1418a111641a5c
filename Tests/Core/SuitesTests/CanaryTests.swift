// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import EvidenceSupport
import Glibc
import TestResults
import Testing
import Topology
import Translation
import Wire

@testable import Suites

/// The table of spellings, and how a case of it is judged.
@Suite struct CanaryTests {
    private static let bySuffix = Dictionary(uniqueKeysWithValues: Canary.allCases.map { ($0.rawValue, $0) })

    /// The canary that a spelling's name ends with.
    private func canary(of spelling: CanarySpelling) -> Canary? {
        spelling.name.split(separator: ".").last.flatMap { Self.bySuffix[String($0)] }
    }

    private func host(of spelling: CanarySpelling) -> String {
        String(spelling.url.dropFirst("http://".count).prefix { $0 != "/" })
    }

    @Test func `there are two hundred of them, and each has a name of its own`() {
        let all = CanarySpelling.all
        #expect(all.count >= 200)
        #expect(Set(all.map { "\($0.name)@\($0.network)" }).count == all.count)
        #expect(Set(all.map { "\($0.url) \($0.network) \($0.isProxied)" }).count == all.count)
        for spelling in all {
            #expect(spelling.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }, "\(spelling)")
        }
        for network in [Network.nat64, .dualStack] {
            let paths = all.filter { $0.network == network && !$0.isProxied }.map(\.path)
            #expect(Set(paths).count == paths.count, "each has a path of its own")
        }
        for canary in Canary.allCases { #expect(all.contains { self.canary(of: $0) == canary }, "\(canary)") }
    }

    /// The C library is a witness of its own.
    @Test func `what inet_aton reads is the canary's address`() {
        var read = 0
        for spelling in CanarySpelling.all where spelling.manner.contains("inet_aton") {
            var address = in_addr()
            guard unsafe inet_aton(host(of: spelling), &address) == 1 else {
                Issue.record("\(spelling)")
                continue
            }
            read += 1
            // The unspecified address leads to the own machine.
            let expected = spelling.name == "zero.loopback" ? IPAddress("0.0.0.0") : canary(of: spelling)?.address
            #expect(IPAddress.ipv4(IPv4Address(bits: UInt32(bigEndian: address.s_addr))) == expected, "\(spelling)")
        }
        #expect(read > 25)
    }

    @Test func `what is in brackets is the canary, embedded or as it is, or a dead end`() {
        let prefixes = [Pref64.wellKnown] + CanaryPlan.prefixes.map(\.prefix)
        for spelling in CanarySpelling.all {
            let host = host(of: spelling)
            guard let start = host.firstIndex(of: "["), let end = host.firstIndex(of: "]"),
                let canary = canary(of: spelling)
            else { continue }
            let text = host[host.index(after: start)..<end].split(separator: "%")[0]
            guard let address = IPv6Address(text) else {
                Issue.record("\(spelling)")
                continue
            }
            if let deadEnd = spelling.deadEnd {
                #expect(deadEnd == .ipv6(address), "\(spelling)")
            } else if case .ipv6(address) = canary.address {
                #expect(spelling.network == .nat64)
            } else if spelling.name != "unspecified6.loopback" {
                let mapped =
                    address.bits >> 32 == 0xffff ? IPv4Address(bits: UInt32(truncatingIfNeeded: address.bits)) : nil
                let embedded = mapped ?? prefixes.lazy.compactMap { $0.extract(address) }.first
                #expect(embedded.map(IPAddress.ipv4) == canary.address, "\(spelling)")
            }
        }
    }

    // MARK: - Judgement

    private func attempt(
        _ spelling: CanarySpelling, _ end: ExitOutcome = .exited(status: 0), flows: [Flow] = [], loopback: Int = 0,
        isTraced: Bool = false
    ) -> Attempt {
        var run = RunEvidence(network: spelling.network, end: end, duration: .zero, questions: [], flows: flows)
        run.canaries = [spelling.trial]
        run.loopbackRequests = loopback > 0 ? ["/"] : []
        if isTraced { run.calls = CallEvidence() }
        return Attempt(run, output: ClientOutput(), expectations: Expectations(exit: nil))
    }

    private func spelling(_ name: String) throws -> CanarySpelling {
        try #require(CanarySpelling.all.first { $0.name == name })
    }

    private func judge(
        _ spelling: CanarySpelling, _ attempts: CaseAttempts, known: [KnownFailure] = []
    ) -> CaseJudgement {
        var test = Sample.test(network: spelling.network)
        test.known = known
        test.canaries = [spelling]
        test.isOffline = true
        return CaseJudgement(test, attempts, baseline: nil, today: Sample.today)
    }

    private let metadata = Flow(
        .tcp, "64:ff9b::a9fe:a9fe", 80, .translated(IPv4Address(169, 254, 169, 254)), attempts: 1, accepted: 1,
        bytesReceived: 134)

    @Test func `a canary that answers is a hole, however the client ends; one run more shows the line`() throws {
        let spelling = try spelling("wkp.metadata")
        for end in [ExitOutcome.exited(status: 0), .exited(status: 1), .timedOut(after: .seconds(1))] {
            var attempts = CaseAttempts(first: attempt(spelling, end, flows: [metadata]))
            #expect(attempts.next == .again)
            attempts.add(attempt(spelling, end, flows: [metadata], isTraced: true), as: .again)
            #expect(attempts.next == nil)
            let judgement = judge(spelling, attempts)
            #expect(judgement.outcome == .fail)
            #expect(judgement.verdict.findings.map(\.rule) == [.ledToPrivateAddress])
            #expect(judgement.verdict.findings.map(\.severity) == [.error])
        }
    }

    @Test func `a hole that shows once is one`() throws {
        let spelling = try spelling("rebind.loopback")
        var attempts = CaseAttempts(first: attempt(spelling, loopback: 1))
        attempts.add(attempt(spelling, isTraced: true), as: .again)
        #expect(attempts.next == nil)
        #expect(judge(spelling, attempts).outcome == .fail)
        #expect(judge(spelling, CaseAttempts(first: attempt(spelling, loopback: 1), trace: .never)).outcome == .fail)
    }

    @Test func `on dual-stack a hole is one, too`() throws {
        let spelling = try spelling("decimal.loopback")
        #expect(spelling.network == .dualStack)
        let hit = attempt(spelling, loopback: 1)
        #expect(judge(spelling, CaseAttempts(first: hit, again: hit)).outcome == .fail)
    }

    @Test(arguments: ["wkp.metadata", "decimal.loopback", "rebind.loopback"])
    func `a hole that is known is accepted, on dual-stack as well, and a way without one is none that is fixed`(
        _ name: String
    ) throws {
        let spelling = try spelling(name)
        let hit = name == "wkp.metadata" ? attempt(spelling, flows: [metadata]) : attempt(spelling, loopback: 1)
        let known = [KnownFailure(rule: "V6C-097", reason: "a gateway in front of it", until: nil)]
        for attempts in [CaseAttempts(first: hit, again: hit), CaseAttempts(first: hit, again: attempt(spelling))] {
            #expect(judge(spelling, attempts).outcome == .fail)
            #expect(judge(spelling, attempts, known: known).outcome == .known)
        }
        #expect(judge(spelling, CaseAttempts(first: attempt(spelling)), known: known).outcome == .pass)
        let other = [KnownFailure(rule: "V6C-001", reason: "another", until: nil)]
        #expect(judge(spelling, CaseAttempts(first: hit, again: hit), known: other).outcome == .fail)
    }

    @Test(arguments: [
        ExitOutcome.exited(status: 0), .exited(status: 1), .killed(signal: 11), .timedOut(after: .seconds(1)),
    ])
    func `who goes nowhere has held, and is run once`(_ end: ExitOutcome) throws {
        let spelling = try spelling("wkp.metadata")
        let attempts = CaseAttempts(first: attempt(spelling, end))
        #expect(attempts.next == nil)
        let judgement = judge(spelling, attempts)
        #expect(judgement.outcome == .pass)
        #expect(judgement.verdict.findings.isEmpty)
    }

    @Test func `who only tries has held, with a warning`() throws {
        for (name, remote) in [("wkp.metadata", "64:ff9b::a9fe:a9fe"), ("6to4.net10", "2002:a14:1e28::1")] {
            let spelling = try spelling(name)
            var tried = metadata
            tried.bytesReceived = 0
            tried.remote = try #require(IPAddress(remote))
            if name == "6to4.net10" { tried.route = .direct }
            let judgement = judge(spelling, CaseAttempts(first: attempt(spelling, flows: [tried])))
            #expect(judgement.outcome == .pass)
            #expect(judgement.verdict.findings.map(\.rule) == [.ledToPrivateAddress])
            #expect(judgement.verdict.findings.map(\.severity) == [.warning])
        }
    }

    @Test func `who did so much that not all is known has not held`() throws {
        let spelling = try spelling("wkp.metadata")
        var run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .zero, questions: [], flows: [])
        run.canaries = [spelling.trial]
        run.seen.lost.flows = 1
        let attempt = Attempt(run, output: ClientOutput(), expectations: Expectations(exit: nil))
        #expect(judge(spelling, CaseAttempts(first: attempt, trace: .never)).outcome == .fail)
    }

    @Test func `a public host is to answer`() throws {
        let spelling = try spelling("public.own96")
        var test = Sample.test()
        test.command = .words(["./preview", "{url}"])
        let made = try #require(test.canaryTests.first { $0.canaries == [spelling] })
        #expect(made.command == .words(["./preview", spelling.url]))
        #expect(made.environment == ["CANARY_URL": spelling.url])
        let run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .zero, questions: [], flows: [])
        #expect(!Attempt(run, output: ClientOutput(), expectations: made.expectations).isAsExpected)
    }

    // MARK: - A server that is given many URLs

    private func request(_ path: String, at address: String) throws -> ServedConnection {
        var connection = ServedConnection(time: .zero, address: try #require(IPAddress(address)), port: 80)
        connection.exchanges = [HTTPExchange(method: "GET", host: "x", path: path)]
        return connection
    }

    private func serverTest() throws -> SuiteTest {
        var test = SuiteTest(name: "previewd", command: .words(["./previewd"]))
        test.subject = SuiteServer(
            name: "previewd", place: .client, command: test.command, ready: [.tcp(8080)])
        test.probes = [Probe(.ipv6, .page(PageRequest(.http, 8080, path: "/?url={url}")))]
        #expect(test.takesURL)
        return try #require(test.canaryTests.first)
    }

    private func judge(
        _ test: SuiteTest, reaching extra: [ServedConnection], server: ServerEvidence = ServerEvidence()
    ) throws -> (CaseAttempts, CaseJudgement) {
        var run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .zero, questions: [], flows: [])
        run.canaries = test.trials
        run.seen.connections =
            try test.trials.filter(\.isPublic).map { try request($0.path, at: "\(CanaryPlan.publicIPv4)") } + extra
        let attempt = Attempt(run, output: ClientOutput(), expectations: test.expectations, server: server)
        let attempts = CaseAttempts(first: attempt)
        return (attempts, CaseJudgement(test, attempts, baseline: nil, today: Sample.today))
    }

    @Test func `a server is asked once for each URL of its network, and is judged by the paths that came`() throws {
        let test = try serverTest()
        #expect(test.canaries.count == test.probes.count && test.canaries.count > 100)
        #expect(
            test.probes.contains {
                $0.action
                    == .page(
                        PageRequest(
                            .http, 8080, path: "/?url=http%3A%2F%2F%5B64%3Aff9b%3A%3Aa9fe%3Aa9fe%5D%2Fwkp.metadata"))
            })
        let (held, judgement) = try judge(test, reaching: [])
        #expect(held.next == nil && judgement.outcome == .pass)
        #expect(judgement.inner.count == test.canaries.count && judgement.inner.allSatisfy { $0.outcome == .pass })
    }

    @Test func `a server with a hole fails by that test alone, once more for the line`() throws {
        let hit = try request("/wkp.metadata", at: "169.254.169.254")
        let (attempts, judgement) = try judge(serverTest(), reaching: [hit])
        #expect(attempts.next == .again)
        #expect(judgement.outcome == .fail)
        #expect(judgement.inner.filter { $0.outcome == .fail }.map(\.test.name) == ["wkp.metadata"])
        #expect(judgement.verdict.findings.map(\.rule) == [.ledToPrivateAddress])
    }

    @Test func `a server that fetches nothing fails by the public hosts, and one that is not ready by that`() throws {
        let test = try serverTest()
        var run = RunEvidence(network: .nat64, end: .exited(status: 0), duration: .zero, questions: [], flows: [])
        run.canaries = test.trials
        let idle = Attempt(
            run, output: ClientOutput(), expectations: test.expectations, server: ServerEvidence())
        #expect(idle.inner?.failed == test.trials.count(where: \.isPublic))
        var server = ServerEvidence()
        server.failure = "was not ready"
        let broken = Attempt(run, output: ClientOutput(), expectations: test.expectations, server: server).broken
        #expect(broken == [.server("was not ready")])
    }
}
