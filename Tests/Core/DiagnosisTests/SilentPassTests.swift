// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Topology
import Translation
import Wire

@testable import Diagnosis

/// Findings from the kernel's counters for passing, untraced clients.
@Suite struct SilentPassTests {
    /// - Parameter unrouted: IPv4 attempts without a route.
    private func passing(
        _ questions: [RepeatedQuery] = [], flows: [Flow] = [], unrouted: Int = 0, loopback: Int = 0, sent: Int = 0
    ) -> RunEvidence {
        var run = here(.exited(status: 0), questions: questions, flows: flows)
        run.counters = NamespaceCounters(unroutedIPv4: unrouted, loopback: loopback, sent: sent)
        return run
    }

    private func findings(_ run: RunEvidence) -> [Finding] { Verdict(run: run, control: nil).findings }

    private let metric = question("metrics.test", .a, ["198.51.100.35"])
    private let shop = [
        question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
    ]

    /// To shop.test, which answers at once.
    private var prompt: Flow {
        var flow = translated()
        flow.times = FlowTimes(first: .zero, answer: .milliseconds(1), last: .milliseconds(2))
        return flow
    }

    // MARK: - V6C-085, V6C-089

    @Test func `a host that was asked for by A alone and not reached is a warning with an attempt, and a note without`()
    {
        let missed = findings(passing([metric] + shop, flows: [prompt], unrouted: 2))
        #expect(missed.map(\.rule) == [.missesHost])
        #expect(
            missed[0].sentences == [
                "It asked for A of metrics.test, and never for AAAA. It did not reach metrics.test, and an attempt by IPv4 failed."
            ])
        // One connect is that of the look-up of shop.test.
        var traced = passing([metric] + shop, flows: [prompt], unrouted: 2)
        traced.calls = CallEvidence([TracedCall(.sendto, to: "198.51.100.35", 8125, on: .ipv4Datagram)])
        #expect(findings(traced).map(\.rule) == [.missesHost])
        #expect(
            findings(traced)[0].sentences[0].contains("It did not reach metrics.test: sendto(198.51.100.35 port 8125"))
        let asked = findings(passing([metric] + shop, flows: [prompt], unrouted: 1))
        #expect(asked.map(\.rule) == [.looksUpIPv4Only])
        #expect(asked[0].rule.severity == .note)
        #expect(asked[0].sentences[0].hasSuffix("It sent nothing to metrics.test."))
    }

    @Test(arguments: Network.allCases) func `it is told where there is IPv4 on loopback alone`(_ network: Network) {
        var run = passing([metric], unrouted: 1)
        run.network = network
        let isTold = [.nat64, .nat64NoDNS64, .strict].contains(network)
        #expect(findings(run).contains { $0.rule == .missesHost } == isTold)
    }

    @Test func `of a run without counters, and of one that fails, nothing is told`() {
        var run = passing([metric], unrouted: 1)
        run.end = .exited(status: 1)
        #expect(!findings(run).contains { $0.rule == .missesHost })
        run.end = .exited(status: 0)
        run.counters = nil
        #expect(findings(run).isEmpty)
    }

    @Test func `an answer that is no host's address, and a name without one, are no host that is missed`() {
        for quiet in [
            question("2.0.0.127.list.test", .a, ["127.0.0.2"]), question("ipv4only.arpa", .a, ["192.0.0.170"]),
            question("none.test", .a, code: .nameError), question("six.test", .a, []),
        ] {
            #expect(!findings(passing([quiet], unrouted: 1)).contains { $0.rule == .missesHost }, "\(quiet.question)")
            let isUnknown = quiet.first.responseCode == .nameError
            #expect(findings(passing([quiet], unrouted: 0)).map(\.rule) == (isUnknown ? [.nameOutsideWorld] : []))
        }
    }

    @Test func `an AAAA query that was answered with nothing, or not at all, was asked`() {
        for answer in [
            question("metrics.test", .aaaa, []),
            question("metrics.test", .aaaa, code: nil, faults: [.drop]),
        ] {
            #expect(!findings(passing([metric, answer], unrouted: 1)).contains { $0.rule == .missesHost })
        }
    }

    @Test func `where the network loses packets the AAAA query may be among them`() {
        var run = passing([metric], unrouted: 1)
        run.seen.conditions = ConditionEvidence(written: ["loss=20%"])
        run.seen.conditions?.up.lost = 1
        #expect(!findings(run).contains { $0.rule == .missesHost })
        run.seen.conditions?.up.lost = 0
        #expect(findings(run).contains { $0.rule == .missesHost })
    }

    @Test(arguments: [(ProxiedRequest.Result.connected, false), (.unroutable, true)])
    func `a host to which a proxy went is not missed`(_ result: ProxiedRequest.Result, isMissed: Bool) {
        var run = passing([metric])
        var connection = ServedConnection(time: .zero, address: "2e00:2:0:cafe::24", port: 1080)
        connection.proxied = ProxiedRequest(.socks4, host: "198.51.100.35", port: 80, result: result)
        run.seen.connections = [connection]
        #expect(findings(run).map(\.rule).contains(.looksUpIPv4Only) == isMissed)
    }

    @Test
    func `a host that was reached by another name, by an address of its own or by literal synthesis is not missed`() {
        let alias = question("www.shop.test", .a, ["198.51.100.10"])
        #expect(findings(passing([alias] + shop, flows: [prompt], unrouted: 1)).isEmpty)
        // No name led there: getaddrinfo made the address of the literal that gethostbyname gave.
        let run = passing([alias], flows: [prompt], unrouted: 0)
        #expect(!findings(run).contains { [.missesHost, .looksUpIPv4Only].contains($0.rule) })
        let dual = [
            question("both.test", .a, ["198.51.100.20"]), question("six.test", .aaaa, ["2e00:2:0:cafe::20"]),
            question("six.test", .a, ["198.51.100.20"]),
        ]
        let direct = Flow(.tcp, .ipv6(IPv6Address("2e00:2:0:cafe::20")!), 80, .direct, attempts: 1, accepted: 1)
        #expect(findings(passing(dual, flows: [direct], unrouted: 0)).isEmpty)
    }

    // MARK: - V6C-024

    @Test func `an attempt that no look-up explains is told, and whether all hosts were reached`() {
        let reached = findings(passing(shop, flows: [prompt], unrouted: 2))
        #expect(reached.map(\.rule) == [.hiddenIPv4])
        #expect(
            reached[0].sentences == ["An IPv4 attempt failed: no route; it reached every host that it looked up."])
        #expect(reached[0].advice.contains("--trace always") && !reached[0].advice.contains("telemetry"))
        let missed = findings(passing(shop, unrouted: 3))
        #expect(missed[0].sentences == ["2 IPv4 attempts failed: no route; it did not reach shop.test."])
        #expect(findings(passing(unrouted: 1))[0].sentences == ["An IPv4 attempt failed: no route."])
    }

    @Test func `the connects of look-ups are none of the client's attempts`() {
        // As getaddrinfo sorts what it found: once for each address of each look-up.
        var twice = [
            question("two.test", .a, ["198.51.100.10", "198.51.100.11"]),
            question("two.test", .aaaa, [synthesised.description]),
        ]
        twice[0].count = 2
        #expect(findings(passing(twice, flows: [prompt], unrouted: 4)).isEmpty)
        #expect(!findings(passing(twice, flows: [prompt], unrouted: 5)).isEmpty)
        let one = question("two.test", .a, ["198.51.100.10", "198.51.100.11"])
        #expect(findings(passing([one], flows: [prompt], unrouted: 2)).isEmpty)
        // A single address is not sorted.
        #expect(!findings(passing([metric], unrouted: 1)).isEmpty)
    }

    @Test func `of look-ups that the library saw, only those that compare addresses are allowed for`() {
        var shop = shop
        shop[0].count = 2
        let metric = Lookup(call: .gethostbyname, node: "shop.test", answers: ["198.51.100.10"])
        let page = Lookup(
            call: .getaddrinfo, node: "shop.test", hints: nil, answers: ["198.51.100.10", .ipv6(synthesised)])
        var run = passing(shop, flows: [prompt], unrouted: 2)
        run.profile = .linux
        run.lookups = [metric, page]
        #expect(findings(run).map(\.rule) == [.hiddenIPv4])
        // Both compare: no attempt is left.
        run.lookups = [page]
        run.lookups[0].count = 2
        #expect(findings(run).isEmpty)
        // A resolver of its own, such as Go's, may have compared, too.
        run.lookups = [page]
        #expect(findings(run).isEmpty)
        run.lookups = [metric, page]
        run.lostLookups = 1
        #expect(findings(run).isEmpty)
    }

    @Test func `a datagram without an answer is no reason for a second family`() {
        let log = Flow(.udp, .ipv6(synthesised), 514, .translated(server), bytesSent: 20)
        #expect(findings(passing(shop, flows: [log], unrouted: 2)).map(\.rule) == [.hiddenIPv4])
        let quic = Flow(.udp, .ipv6(synthesised), 443, .translated(server), bytesSent: 20)
        #expect(findings(passing(shop, flows: [quic], unrouted: 2)).isEmpty)
    }

    @Test func `an IPv4 packet on the link is an attempt, unless it is a search in a group or the host was reached`() {
        let licence = Flow(.udp, "198.51.100.7", 7, .direct, bytesSent: 5)
        let found = findings(passing(shop, flows: [prompt, licence], unrouted: 1))
        #expect(found.map(\.rule) == [.hiddenIPv4])
        #expect(found[0].sentences == ["It sent 5 B to 198.51.100.7 (udp 7) on a link without IPv4."])
        for quiet in ["239.255.255.250", "255.255.255.255", "198.51.100.10"] as [IPAddress] {
            let flow = Flow(.udp, quiet, 1900, .direct, bytesSent: 5)
            #expect(findings(passing(shop, flows: [prompt, flow], unrouted: 1)).isEmpty, "\(quiet)")
        }
    }

    @Test func `a name that is not asked for, as there is no IPv4, was looked up for IPv4 alone`() {
        var run = passing(shop, flows: [prompt], unrouted: 1)
        let hints = LookupHints(
            family: LookupHints.ipv4, socktype: 1, protocol: 0, flags: LookupHints.addressConfigured)
        run.lookups = [Lookup(call: .getaddrinfo, node: "echo.test", hints: hints, result: -2)]
        #expect(findings(run).map(\.rule) == [.looksUpIPv4Only])
        run.lookups[0].hints?.flags = LookupHints.numericHost
        #expect(findings(run).isEmpty, "AI_NUMERICHOST asks whether it is an address")
        run.lookups[0].hints?.flags = LookupHints.addressConfigured
        for node in ["64:ff9b::1", "192.0.2.1", ""] {
            run.lookups[0].node = node
            #expect(findings(run).isEmpty, "\(node)")
        }
    }

    @Test func `Happy Eyeballs may try IPv4 where IPv6 answers late, and only there`() {
        var flow = prompt
        flow.times?.answer = .milliseconds(300)
        #expect(findings(passing(shop, flows: [flow], unrouted: 2)).isEmpty)
        flow.times?.answer = .milliseconds(20)
        #expect(findings(passing(shop, flows: [flow], unrouted: 2)).map(\.rule) == [.hiddenIPv4])
    }

    @Test func `after a refusal of the host itself comes its IPv4 address, as getaddrinfo lists them`() {
        var refused = translated(accepted: 0, refused: 1, bytesReceived: 0)
        refused.times = FlowTimes(first: .zero, answer: .milliseconds(1), last: .milliseconds(1))
        #expect(findings(passing(shop, flows: [refused], unrouted: 2)).isEmpty)
        #expect(findings(passing(shop, flows: [refused], unrouted: 3)).map(\.rule) == [.hiddenIPv4])
    }

    @Test func `of a traced run an IPv4 attempt after one by IPv6 at the same host is no hidden one`() {
        let ipv6 = TracedCall(.connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .failed(.connectionRefused))
        let ipv4 = TracedCall(.connect, to: "198.51.100.10", 80, descriptor: 4, time: .milliseconds(300))
        var run = passing(shop, flows: [prompt])
        run.calls = CallEvidence([ipv6, ipv4])
        #expect(findings(run).isEmpty)
        run.seen.flows = [translated(accepted: 0, refused: 1, bytesReceived: 0)]
        #expect(findings(run).isEmpty, "it is the host that refuses")
        run.calls = CallEvidence([TracedCall(.connect, to: "198.51.100.10", 80)])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4])
        let connected = TracedCall(.connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0))
        run.seen.flows = [prompt]
        run.calls = CallEvidence([connected, ipv4])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4], "it had its answer long before")
        var second = connected
        second.time = .milliseconds(200)
        second.outcome = .pending
        run.calls = CallEvidence([connected, second, ipv4])
        #expect(findings(run).isEmpty, "it may race with the second connection")
        let metric = TracedCall(.sendto, to: "198.51.100.10", 80, on: .ipv4Datagram, time: .milliseconds(2))
        run.calls = CallEvidence([connected, metric])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4], "datagrams go elsewhere")
        run.calls = CallEvidence([
            connected, TracedCall(.connect, to: "198.51.100.10", 80, descriptor: 4, time: .milliseconds(2)),
        ])
        #expect(findings(run).isEmpty, "they race")
        let placed = TracedCall(
            .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), at: "main a.go:4",
            time: .milliseconds(1))
        let later = TracedCall(
            .connect, to: "198.51.100.10", 80, at: "main a.go:6", descriptor: 4, time: .milliseconds(2))
        run.calls = CallEvidence([placed, later])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4], "another line, when the connection was there")
        #expect(Examination(run: run).hasSeparateAttempts)
    }

    /// A fallback has as many connections here as on dual-stack, where its first one serves.
    @Test(arguments: [
        ("fetch a.py:9", 2, 50, true), ("fetch a.py:9", 1, 50, false), ("fetch a.py:9", 1, 90, true),
        ("main a.py:3", 2, 50, false),
    ])
    func `of a traced run an IPv4 attempt is hidden if another line goes to the host for something else`(
        _ line: String, _ accepted: Int, _ octets: UInt64, _ isHidden: Bool
    ) {
        var run = passing(shop, flows: [prompt], unrouted: 1)
        run.calls = CallEvidence([
            TracedCall(.connect, to: "198.51.100.10", 80, at: "main a.py:3"),
            TracedCall(
                .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), at: line, time: .milliseconds(9)
            ),
        ])
        var flow = direct(accepted: accepted)
        flow.bytesSent = octets
        let there = onDualStack(questions: [shop[0]], flows: [flow])
        let found = Verdict(run: run, control: there).findings
        #expect(found.map(\.rule) == (isHidden ? [.hiddenIPv4] : []))
        #expect(Examination(run: run).hasSeparateAttempts == (line != "main a.py:3"))
        if isHidden {
            #expect(
                found[0].sentences[0].contains(
                    "(a.py:3); it went to shop.test at 64:ff9b::c633:640a for something else"))
        }
        #expect(findings(run).isEmpty, "without a control run nothing is known")
    }

    @Test func `a client that goes nowhere after an IPv4 attempt is told of the hosts that it left out`() {
        var run = passing(unrouted: 1)
        run.calls = CallEvidence([TracedCall(.connect, to: "198.51.100.99", 80, on: .ipv4Datagram, at: "ip a.py:3")])
        #expect(Examination(run: run).goesNowhereAfterAttempt)
        let there = onDualStack(questions: [shop[0]], flows: [direct()])
        let found = Verdict(run: run, control: there).findings
        #expect(found.map(\.rule) == [.hiddenIPv4, .leavesHostOut])
        run.seen.flows = [prompt]
        #expect(!Examination(run: run).goesNowhereAfterAttempt)
    }

    @Test func `a client that reaches nothing, and asks for a name that the world lacks, proves nothing`() {
        let found = findings(passing(missing("nosuch.test")))
        #expect(found.map(\.rule) == [.nameOutsideWorld] && found[0].severity == .note)
        #expect(findings(passing(missing("nosuch.test") + shop, flows: [prompt])).isEmpty)
    }

    @Test(arguments: [(1, 0, 54, false), (1, 2, 54, true), (1, 2, 53, false), (0, 2, 54, false)])
    func `questions for each family from a socket of its own are a sign of attempts that a look-up does not make`(
        _ unrouted: Int, _ milliseconds: Int, _ port: UInt16, _ isSign: Bool
    ) {
        var run = passing(shop, flows: [prompt], unrouted: unrouted)
        run.seen.questions[1].first.time = run.seen.questions[1].first.time + .milliseconds(milliseconds)
        run.seen.questions[0].first.client.port = 53
        run.seen.questions[1].first.client.port = port
        #expect(run.hasHiddenIPv4 == isSign)
    }

    @Test func `a literal that is reached by a synthesised address afterwards did get there`() {
        var run = passing(flows: [prompt])
        let next = TracedCall(
            .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), time: .milliseconds(9))
        run.calls = CallEvidence([TracedCall(.connect, to: "198.51.100.10", 80), next])
        #expect(findings(run)[0].sentences[0].hasSuffix("; then it reached that host at 64:ff9b::c633:640a."))
        run.calls = CallEvidence([
            TracedCall(.connect, to: "198.51.100.10", 80, time: .milliseconds(10)), next,
        ])
        #expect(
            findings(run)[0].sentences[0].hasSuffix("; it reached that host in another way."), "that was before")
        run.calls = CallEvidence([TracedCall(.connect, to: "198.51.100.10", 81), next])
        #expect(
            findings(run)[0].sentences[0].hasSuffix("; it reached that host in another way."), "by another port")
    }

    @Test func `after the connection is closed, or long there, an IPv4 attempt is for something else`() {
        var first = TracedCall(.connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0))
        var second = TracedCall(.connect, to: "198.51.100.10", 80, time: .milliseconds(9))
        (first.descriptor, second.descriptor) = (3, 4)
        var run = passing(shop, flows: [prompt])
        run.calls = CallEvidence([first, second])
        #expect(findings(run).isEmpty, "both are there at a time")
        second.descriptor = 3
        run.calls = CallEvidence([first, second])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4], "the first is closed")
        #expect(findings(run)[0].advice.contains("telemetry"))
        (second.descriptor, second.time) = (4, .milliseconds(90))
        run.calls = CallEvidence([first, second])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4], "the first has long been there")
    }

    @Test func `of a search in groups of both families the IPv4 half loses nothing`() {
        let ipv4 = TracedCall(.sendto, to: "239.255.255.250", 1900, on: .ipv4Datagram, time: .milliseconds(1))
        let ipv6 = TracedCall(.sendto, to: "ff02::c", 1900, on: .ipv6Datagram, .succeeded(9))
        var run = passing()
        run.calls = CallEvidence([ipv6, ipv4])
        #expect(!findings(run).map(\.rule).contains(.hiddenIPv4))
        run.calls = CallEvidence([ipv4])
        #expect(findings(run).map(\.rule).contains(.findsByIPv4Multicast))
        #expect(!findings(run).map(\.rule).contains(.hiddenIPv4))
    }

    @Test func `a group that is joined for IPv4 alone is a search that fails`() {
        let joins = { (level: Int, option: Int, socket: SocketKind, outcome: TracedCall.Outcome) in
            TracedCall(.setsockopt, .option(level: level, option: option, on: socket), outcome)
        }
        let ipv4 = joins(0, 35, .ipv4Datagram, .failed(.noDevice))
        var run = passing(shop, flows: [prompt])
        run.calls = CallEvidence([ipv4])
        #expect(findings(run).map(\.rule) == [.findsByIPv4Multicast])
        #expect(findings(run)[0].severity == .warning)
        run.calls = CallEvidence([ipv4, joins(41, 20, .ipv6Datagram, .succeeded(0))])
        #expect(findings(run).isEmpty)
        run.end = .exited(status: 1)
        run.calls = CallEvidence([ipv4])
        #expect(findings(run).first { $0.rule == .findsByIPv4Multicast }?.severity == .error)
    }

    @Test func `a question for the machine's own address of either family loses nothing`() {
        let ipv4 = TracedCall(.connect, to: "8.8.8.8", 53, on: .ipv4Datagram)
        let ipv6 = TracedCall(.connect, to: "2001:4860:4860::8888", 53, on: .ipv6Datagram, .succeeded(0))
        var run = passing(shop, flows: [prompt])
        run.calls = CallEvidence([ipv4, ipv6])
        #expect(findings(run).isEmpty)
        run.calls = CallEvidence([ipv4])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4])
        // It asked its own resolver on the link by IPv6.
        let resolver = TracedCall(.connect, to: "2e00:2:0:1::1", 53, on: .ipv6Datagram, .succeeded(0))
        run.calls = CallEvidence([ipv4, resolver])
        #expect(findings(run).map(\.rule) == [.hiddenIPv4])
    }

    @Test func `a resolver by IPv4 beside one that answers by IPv6 is no finding`() {
        let ask = TracedCall(.sendto, to: "8.8.8.8", 53, on: .ipv4Datagram, at: "ask dns.py:4")
        var run = passing(shop, flows: [prompt], unrouted: 1)
        run.calls = CallEvidence([ask])
        #expect(findings(run).map(\.rule) == [.asksOwnResolver])
        run.seen.flows.append(Flow(.udp, "2e00:2:0:cafe::88", 53, .direct, bytesSent: 40, bytesReceived: 80))
        #expect(findings(run).isEmpty)
    }

    // MARK: - V6C-025

    @Test func `a datagram socket that waits at an IPv4 address is out of reach`() {
        func bind(_ address: IPAddress, _ port: UInt16, _ kind: SocketKind, descriptor: Int32 = 3) -> TracedCall {
            TracedCall(.bind, to: address, port, on: kind, .succeeded(0), descriptor: descriptor)
        }
        let server = bind("0.0.0.0", 5300, .ipv4Datagram)
        func told(_ calls: TracedCall...) -> [Finding] {
            var run = passing(shop, flows: [prompt])
            run.calls = CallEvidence(calls)
            return findings(run)
        }
        #expect(told(server).map(\.rule) == [.listensOnIPv4])
        #expect(told(server)[0].sentences[0].hasSuffix("no IPv6 host can send to it."))
        #expect(told(server)[0].advice.contains("IPV6_V6ONLY"))
        #expect(told(server, bind("::", 5300, .ipv6Datagram, descriptor: 4)).isEmpty, "it waits on both")
        #expect(told(bind("127.0.0.1", 5300, .ipv4Datagram)).isEmpty, "it is for its own machine")
        #expect(told(bind("0.0.0.0", 0, .ipv4Datagram)).isEmpty, "no other host knows the port")
        #expect(told(bind("224.0.0.251", 5353, .ipv4Datagram)).isEmpty, "it is a search")
        let sends = TracedCall(.sendto, to: "198.51.100.10", 9, on: .ipv4Datagram, descriptor: 3)
        #expect(!told(server, sends).map(\.rule).contains(.listensOnIPv4), "it is a client")
    }

    @Test func `a server at a port that the kernel chose is no server for others`() {
        let bind = TracedCall(.bind, to: "0.0.0.0", 0, .succeeded(0), descriptor: 3)
        let listen = TracedCall(.listen, to: "0.0.0.0", 40123, .succeeded(0), descriptor: 3, time: .milliseconds(1))
        let own = TracedCall(.connect, to: "127.0.0.1", 40123, .succeeded(0), descriptor: 4, time: .milliseconds(2))
        func told(_ calls: TracedCall...) -> [Rule] {
            var run = passing(shop, flows: [prompt])
            run.calls = CallEvidence(calls)
            return findings(run).map(\.rule)
        }
        #expect(told(bind, listen, own).isEmpty)
        #expect(told(bind, listen).isEmpty)
        let known = TracedCall(.bind, to: "0.0.0.0", 40123, .succeeded(0), descriptor: 3)
        #expect(told(known, listen, own) == [.listensOnIPv4], "others may know the port, too")
    }

    // MARK: - V6C-037

    @Test func `a part that is left out for want of an IPv4 address is told if dual-stack has it`() {
        let asked = TracedCall(.ioctl, .request(0x8915, interface: "eth0"), .failed(.addressNotAvailable))
        func verdict(_ control: [Flow], asks: Bool = true) -> Verdict {
            var run = passing(shop, flows: [prompt])
            run.calls = CallEvidence(asks ? [asked] : [])
            let there = onDualStack(questions: [question("shop.test", .a, ["198.51.100.10"])], flows: control)
            return Verdict(run: run, control: there)
        }
        let more = verdict([direct(accepted: 3)])
        #expect(more.findings.map(\.rule) == [.looksForIPv4Interface] && more.findings[0].severity == .warning)
        #expect(more.findings[0].sentences[0].hasSuffix("On dual-stack it connected to shop.test 3 times, not once."))
        #expect(verdict([direct()]).findings.isEmpty, "it only lists addresses")
        #expect(verdict([direct(accepted: 3)], asks: false).findings.isEmpty)
    }

    @Test func `where the wait for a fallback is told, the attempt is not told beside it`() {
        var run = passing(shop, flows: [prompt], unrouted: 4)
        run.duration = .seconds(3)
        var control = onDualStack(questions: shop, flows: [direct()])
        control.duration = .milliseconds(100)
        #expect(Verdict(run: run, control: control).findings.map(\.rule) == [.losesTime])
    }

    @Test func `of a client that came to several networks no attempt is counted`() {
        var run = passing(shop, flows: [prompt], unrouted: 9)
        run.timeline = [NetworkChange(time: .seconds(1), network: nil)]
        #expect(run.failedIPv4Attempts == nil && findings(run).isEmpty)
    }

    @Test func `a fallback that worked is no loss of telemetry`() {
        var run = passing(shop, flows: [prompt], unrouted: 1)
        let attempt = TracedCall(.connect, to: "198.51.100.10", 80)
        func fallback(after time: Duration) -> TracedCall {
            TracedCall(.connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), time: time)
        }
        run.calls = CallEvidence([attempt, fallback(after: .milliseconds(500))])
        #expect(!findings(run)[0].advice.contains("telemetry"))
        run.calls = CallEvidence([attempt, fallback(after: .milliseconds(4))])
        #expect(findings(run).isEmpty, "it tries one address of the answer after the other")
        run.calls?.calls[0].origin = AddressOrigin(.file(path: "/srv/agent.conf", line: 3))
        #expect(findings(run).map(\.rule) == [.hiddenIPv4], "the address is not from the answer")
        run.calls?.calls[0].origin = nil
        run.seen.flows = []
        #expect(findings(run)[0].advice.contains("telemetry"))
    }

    // MARK: - V6C-086

    @Test(arguments: Network.allCases) func `a pass without the network is told on each`(_ network: Network) {
        var run = passing()
        run.network = network
        #expect(findings(run).map(\.rule) == [.sendsNothing])
    }

    @Test func `loopback, multicast, an attempt without a route and a question are a use of the network`() {
        for run in [passing(loopback: 2), passing(sent: 1), passing(unrouted: 1), passing(shop)] {
            #expect(!findings(run).contains { $0.rule == .sendsNothing })
        }
        var older = passing()
        older.counters = nil
        #expect(findings(older).isEmpty)
        var incomplete = passing()
        incomplete.seen.lost.flows = 1
        #expect(findings(incomplete).isEmpty)
    }
}
