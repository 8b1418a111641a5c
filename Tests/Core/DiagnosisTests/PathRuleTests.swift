// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Reports
import Testing
import Translation
import Wire

@testable import Diagnosis

/// Rules of paths, proxies and the environment, on evidence made by hand.
@Suite struct PathRuleTests {
    private let names = [
        question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
    ]

    // MARK: - V6C-032

    /// A connection that began after 100 ms.
    private func flow(_ accepted: Int = 0, late: Int = 0, answer: Duration? = nil, sent: UInt64 = 0) -> Flow {
        var flow = Flow(
            .tcp, .ipv6(synthesised), 80, .translated(server), attempts: 1, accepted: accepted, bytesSent: sent)
        flow.late = late
        flow.times = FlowTimes(first: .milliseconds(100), answer: answer, last: answer ?? .milliseconds(100))
        return flow
    }

    private func hurried(_ flow: Flow, _ length: Duration, control: RunEvidence? = nil) -> [Finding] {
        var run = here(questions: names, flows: [flow])
        run.duration = length
        return Verdict(run: run, control: control ?? onDualStack(questions: names, flows: [direct()])).findings
    }

    @Test func `who ends a connection before the answer comes is told how long it waited`() {
        let found = hurried(flow(), .milliseconds(350))
        #expect(found.map(\.rule) == [.givesUpEarly])
        #expect(
            found[0].sentences == ["shop.test, 64:ff9b::c633:640a (tcp 80) had 250 ms to answer, then it gave up."])
        let late = hurried(flow(1, late: 1, answer: .milliseconds(1500)), .seconds(3))
        #expect(late.map(\.rule) == [.givesUpEarly])
        #expect(late[0].sentences[0].contains("answered after 1.4 s, and it had closed the socket by then"))
    }

    @Test func `who waited, was refused or used the connection did not give up early`() {
        #expect(hurried(flow(), .seconds(2)).map(\.rule) == [.noAnswer])
        #expect(
            !hurried(flow(1, late: 1, answer: .milliseconds(400), sent: 6), .seconds(1)).map(\.rule).contains(
                .givesUpEarly))
        var refused = flow()
        refused.refused = 1
        #expect(hurried(refused, .milliseconds(350)).map(\.rule) == [.noAnswer])
    }

    @Test func `what is given up early on both networks is no cause`() {
        var there = onDualStack(.exited(status: 1), questions: names, flows: [direct(accepted: 0, bytesReceived: 0)])
        there.seen.flows[0].bytesSent = 0
        there.seen.flows[0].times = FlowTimes(first: .zero, last: .zero)
        there.duration = .milliseconds(250)
        #expect(!hurried(flow(), .milliseconds(350), control: there).map(\.rule).contains(.givesUpEarly))
    }

    // MARK: - V6C-033

    private func given(sends: Bool = false, control: RunEvidence? = onDualStack(.exited(status: 1))) -> [Finding] {
        var run = here(questions: sends ? names : [])
        var calls = CallEvidence([])
        calls.given = [
            GivenAddress(IPv6Address("2e00:2:0:cafe::7")!, from: AddressOrigin(.file(path: "app.conf", line: 2)))
        ]
        run.calls = calls
        return Verdict(run: run, control: control).findings
    }

    @Test func `an IPv6 address that led to nothing on either network was refused`() {
        let found = given()
        #expect(found.map(\.rule) == [.refusesGivenAddress])
        #expect(
            found[0].sentences == [
                "It was given 2e00:2:0:cafe::7 (app.conf:2), and ended before any call to the network."
            ])
    }

    @Test func `who asks or sends anything did not refuse what it was given`() {
        #expect(!given(sends: true).map(\.rule).contains(.refusesGivenAddress))
        #expect(
            !given(control: onDualStack(questions: names, flows: [direct()])).map(\.rule).contains(.refusesGivenAddress)
        )
    }

    // MARK: - V6C-034, V6C-053

    private func proxied(_ calls: TracedCall..., settings: [(String, String)], arguments: [String]) -> [Finding] {
        var run = here(questions: names)
        run.calls = CallEvidence(
            calls, by: [TracedProgram(process: 1, executable: "/app/client", arguments: arguments)])
        run.calls?.proxies = settings.compactMap { ProxySetting(variable: $0.0, value: $0.1) }
        return Verdict(run: run, control: onDualStack(questions: names, flows: [direct()])).findings
    }

    @Test(arguments: [AddressOrigin.Place.environment(variable: "HTTPS_PROXY"), .argument(2, of: "/usr/bin/curl")])
    func `a proxy at an IPv4 address is named with its origin`(_ origin: AddressOrigin.Place) {
        let found = proxied(
            TracedCall(.connect, to: "192.0.2.9", 3128, at: "get a.c:4", origin: origin), settings: [],
            arguments: ["curl", "-x", "192.0.2.9:3128", "http://shop.test/"])
        #expect(found.map(\.rule) == [.proxyByIPv4])
        #expect(found[0].sentences[0].contains("this is a proxy; the address is from "))
        #expect(found[0].observations[0].site?.line == 4)
    }

    @Test func `a proxy is known by its variable where the origin is not`() {
        let found = proxied(
            TracedCall(.connect, to: "192.0.2.9", 3128), settings: [("all_proxy", "http://u:p@192.0.2.9:3128/")],
            arguments: ["client"])
        #expect(found.map(\.rule) == [.proxyByIPv4])
    }

    @Test func `an address that is none of a proxy is a literal`() {
        let found = proxied(
            TracedCall(.connect, to: "198.51.100.10", 80, origin: .argument(1, of: "/app/client")), settings: [],
            arguments: ["client", "198.51.100.10"])
        #expect(!found.map(\.rule).contains(.proxyByIPv4))
    }

    @Test(arguments: [
        ("shop.test", ["client", "http://shop.test:8080/"]), (".test", ["client", "http://shop.test/"]),
        ("198.51.100.0/24", ["client"]), ("[2001:db8::7]", ["client", "http://[2001:DB8:0::7]/"]),
        ("2001:db8::/32", ["client", "2001:db8::7"]),
    ])
    func `who goes by the proxy to what no_proxy names is told so`(_ exceptions: String, _ arguments: [String]) {
        var run = here(questions: [question("proxy.test", .aaaa, ["2001:db8:1::9"])])
        run.calls = CallEvidence(
            [TracedCall(.connect, to: "2001:db8:1::9", 3128, on: .ipv6Stream, .succeeded(0), at: "a.js:9")],
            by: [TracedProgram(process: 1, executable: "/app/client", arguments: arguments)])
        run.calls?.proxies = [("http_proxy", "http://proxy.test:3128"), ("no_proxy", "localhost,\(exceptions)")]
            .compactMap { ProxySetting(variable: $0.0, value: $0.1) }
        let control = onDualStack(questions: [question("shop.test", .a, ["198.51.100.10"])], flows: [direct()])
        let found = Verdict(run: run, control: control).findings
        #expect(found.map(\.rule) == [.ignoresNoProxy])
        #expect(found[0].observations[0].site?.line == 9)
        // A list of others is none of this.
        run.calls?.proxies[1].exceptions = ["other.test", "192.0.2.0/24", "2001:db8:7::/48"]
        #expect(!Verdict(run: run, control: control).findings.map(\.rule).contains(.ignoresNoProxy))
    }

    // MARK: - V6C-054, V6C-055

    @Test func `large packets that vanish are the cause, unless they vanish on both networks`() {
        let drop = Drop(reason: .faultBlackHole, count: 3, example: "TCP …")
        let run = here(questions: names, flows: [translated()], drops: [drop])
        var control = onDualStack(questions: names, flows: [direct()])
        #expect(Verdict(run: run, control: control).findings.map(\.rule) == [.losesLargePackets])
        control.end = .exited(status: 1)
        control.seen.drops = [drop]
        #expect(Verdict(run: run, control: control).findings.isEmpty)
    }

    @Test func `the connection whose packets vanish is told with its line`() {
        let drop = Drop(
            reason: .faultBlackHole, count: 3, example: "TCP 2e00:2:0:1::c0:100.4 → \(synthesised).80, 1500 octets")
        let run = here(questions: names, flows: [translated()], drops: [drop]).traced(
            TracedCall(.connect, to: .ipv6(synthesised), 80, on: .ipv6Stream, .succeeded(0), at: "up a.c:9"))
        let found = Verdict(run: run, control: onDualStack(questions: names, flows: [direct()])).findings
        #expect(found.map(\.rule) == [.losesLargePackets])
        #expect(found[0].observations[0].site?.line == 9)
    }

    @Test func `a datagram that fits IPv4 alone is the cause at its line`() {
        let call = TracedCall(
            .sendto, to: .ipv6(synthesised), 5004, on: .ipv6Datagram, .failed(.messageTooLong), at: "send m.c:20")
        let there = TracedCall(.sendto, to: "198.51.100.10", 5004, on: .ipv4Datagram, .failed(.messageTooLong))
        let control = onDualStack(questions: names, flows: [direct(.udp, port: 5004)])
        let found = Verdict(run: here(questions: names).traced(call), control: control).findings
        #expect(found.map(\.rule).first == .losesLargePackets)
        #expect(found[0].observations[0].site?.line == 20)
        let both = Verdict(run: here(questions: names).traced(call), control: control.traced(there)).findings
        #expect(!both.map(\.rule).contains(.losesLargePackets))
    }

    @Test func `a datagram that a connected socket refuses is known by the client's words`() {
        var run = here(questions: names)
        run.lastLines = [PrintedLine(text: "sending", place: nil), PrintedLine(text: "write: Message too long")]
        var control = onDualStack(questions: names, flows: [direct(.udp, port: 5004)])
        let found = Verdict(run: run.traced(), control: control).findings
        #expect(found.map(\.rule).first == .losesLargePackets)
        #expect(found[0].sentences[0].hasPrefix("It reported \"write: Message too long\": with the headers of IPv6"))
        control.lastLines = run.lastLines
        let both = Verdict(run: run.traced(), control: control).findings
        #expect(!both.map(\.rule).contains(.losesLargePackets))
    }

    private func quic(_ flows: Flow...) -> [Rule] {
        let control = onDualStack(questions: names, flows: [direct(.udp, port: 443)])
        return Verdict(run: here(questions: names, flows: flows), control: control).findings.map(\.rule)
    }

    @Test func `QUIC without an answer and without TCP is the cause`() {
        let initial = Flow(.udp, .ipv6(synthesised), 443, .translated(server), bytesSent: 3600)
        #expect(quic(initial) == [.leavesQUICUnanswered])
        #expect(!quic(initial, translated(port: 443)).contains(.leavesQUICUnanswered))
        var small = initial
        small.bytesSent = 100
        #expect(!quic(small).contains(.leavesQUICUnanswered))
        var answered = initial
        answered.bytesReceived = 1200
        #expect(!quic(answered).contains(.leavesQUICUnanswered))
    }

    // MARK: - Warnings

    @Test func `a name of the NTP pool that DNS64 helps is a warning, and the one with AAAA is not`() {
        func findings(_ questions: RepeatedQuery...) -> [Rule] {
            Verdict(run: here(.exited(status: 0), questions: questions), control: nil).findings.map(\.rule)
        }
        let made = RepeatedQuery("0.pool.ntp.org", .aaaa, ["64:ff9b::cb00:717b"], from: [IPv4Address(203, 0, 113, 123)])
        let native = question("2.pool.ntp.org", .aaaa, ["2e00:2:0:cafe::124"])
        #expect(findings(made) == [.asksIPv4Pool])
        #expect(findings(native).isEmpty)
        #expect(findings(made, native).isEmpty)
        #expect(findings(question("pool.ntp.org.example", .a, ["203.0.113.1"])).isEmpty)
    }

    private func lasting(_ length: Duration, _ there: Duration) -> [Finding] {
        var run = here(.exited(status: 0), questions: names, flows: [translated()])
        run.duration = length
        run.seen.flows[0].times = FlowTimes(first: length - .milliseconds(20), last: length - .milliseconds(10))
        var control = onDualStack(questions: names, flows: [direct()])
        control.duration = there
        return Verdict(run: run, control: control).findings
    }

    @Test func `who passes much later than on dual-stack is told how much, and where it waited`() {
        let found = lasting(.milliseconds(1900), .milliseconds(110))
        #expect(found.map(\.rule) == [.losesTime])
        #expect(
            found[0].sentences == [
                "It took 1.9 s here, and 110 ms on dual-stack: 1.9 s of it before the first thing that was seen of it."
            ])
        #expect(lasting(.milliseconds(900), .milliseconds(110)).isEmpty)
        #expect(lasting(.seconds(9), .seconds(7)).isEmpty)
    }

    @Test func `of several runs here the fastest pass is the measure: a machine stands still now and then`() {
        var (slow, quick) = (here(.exited(status: 0), questions: names), here(.exited(status: 0), questions: names))
        (slow.duration, quick.duration) = (.seconds(4), .milliseconds(200))
        var control = onDualStack(questions: names)
        control.duration = .milliseconds(110)
        #expect(Verdict(Runs(first: slow, control: control, later: quick)).findings.isEmpty)
        #expect(Verdict(Runs(first: slow, control: control, later: slow)).findings.map(\.rule) == [.losesTime])
        quick.end = .exited(status: 1)
        #expect(Verdict(Runs(first: slow, control: control, later: quick)).findings.map(\.rule) == [.losesTime])
    }

    @Test func `an IPv4 attempt that a fallback hid says how long it took`() {
        var run = here(.exited(status: 0), questions: names, flows: [translated()])
        run.calls = CallEvidence([
            TracedCall(.connect, to: "198.51.100.10", 80),
            TracedCall(
                .connect, to: .ipv6(synthesised), 80, on: .ipv6Stream, .succeeded(0), time: .milliseconds(3000)),
        ])
        let found = Verdict(run: run, control: nil).findings
        #expect(found.map(\.rule) == [.hiddenIPv4])
        #expect(found[0].sentences[0].hasSuffix("then it reached shop.test at 64:ff9b::c633:640a, 3.0 s later."))
    }

    @Test(arguments: [
        ("/var/run/docker.sock", TracedCall.Outcome.succeeded(0), true),
        ("/run/user/1000/podman/podman.sock", .succeeded(0), true),
        ("/run/nscd/socket", .failed(.notFound), false), ("/run/nscd/socket", .succeeded(0), true),
        ("@/tmp/.X11-unix/X0", .succeeded(0), false), ("/tmp/app.sock", .succeeded(0), false),
    ])
    func `a service of the machine that works for the client is a warning`(
        _ path: String, _ outcome: TracedCall.Outcome, _ isMet: Bool
    ) {
        let kind = SocketKind(family: SocketKind.unix, type: SocketKind.stream)
        let call = TracedCall(.connect, .address(.unix(path), length: 110, on: kind), outcome, at: "a.py:8")
        let found = Verdict(run: here(.exited(status: 0)).traced(call), control: nil).findings
        #expect(found.map(\.rule) == (isMet ? [.leavesNetwork] : []))
    }

    @Test(arguments: [
        ("/var/run/docker.sock", true), ("/run/user/1000/podman/podman.sock", true), ("docker.sock", true),
        // For an untraced run, only container engines are reported.
        ("/run/dbus/system_bus_socket", false), ("/run/proxy.sock", false), ("/tmp/app.sock", false),
    ])
    func `a run that was not traced tells of container engines`(_ path: String, _ isMet: Bool) {
        var run = here(.exited(status: 0))
        run.localConnections = Array(repeating: LocalConnection(path: path, program: "deploy"), count: 2)
        let found = Verdict(run: run, control: nil).findings
        #expect(found.map(\.rule) == (isMet ? [.leavesNetwork] : []))
        if isMet {
            #expect(
                found[0].sentences
                    == ["deploy connected to \(path): what listens there is on the machine's own network."])
        }
    }

    // MARK: - The calling program

    @Test func `a helper is named with the command that started it`() {
        let programs = [
            TracedProgram(process: 10, executable: "/bin/sh", arguments: ["sh", "update.sh"]),
            TracedProgram(process: 11, parent: 0, executable: "/usr/bin/curl", arguments: ["curl", "-s", "x"]),
        ]
        var run = here(questions: names)
        run.calls = CallEvidence([TracedCall(.connect, to: "198.51.100.10", 80, program: 1)], by: programs)
        let control = onDualStack(questions: names, flows: [direct()])
        let found = Verdict(run: run, control: control).findings
        #expect(found[0].sentences[0].hasPrefix("curl (started by \"sh update.sh\"): connect("))
        // The user's own command need not be repeated.
        run.calls?.programs[0].arguments = ["sh", "-c", "cc a.c && ./a"]
        #expect(Verdict(run: run, control: control).findings[0].sentences[0].hasPrefix("curl: connect("))
        // A shell's parent is reported as well.
        run.calls?.programs = [
            TracedProgram(process: 10, executable: "/usr/bin/ruby", arguments: ["ruby", "a.rb"]),
            TracedProgram(process: 11, parent: 0, executable: "/bin/sh", arguments: ["sh", "-c", "curl -s x || true"]),
            TracedProgram(process: 12, parent: 1, executable: "/usr/bin/curl", arguments: ["curl", "-s", "x"]),
        ]
        run.calls?.calls[0].program = 2
        #expect(
            Verdict(run: run, control: control).findings[0].sentences[0].hasPrefix(
                "curl (started by \"sh -c curl -s x || true\", by \"ruby a.rb\"): connect("))
        // A circle of parents is none.
        run.calls?.programs[2].parent = 2
        #expect(Verdict(run: run, control: control).findings[0].sentences[0].hasPrefix("curl: connect("))
    }

    // MARK: - V6C-035, by the resolver's name

    @Test func `an IPv4 address that only a resolver of one's own gave is not a literal`() {
        let resolver = question("dns.google", .aaaa, [synthesised.description])
        let flow = Flow(
            .tcp, .ipv6(synthesised), 443, .translated(server), attempts: 1, accepted: 1, bytesSent: 300,
            bytesReceived: 400)
        let there = onDualStack(flows: [direct(to: IPv4Address(203, 0, 113, 9), port: 7)])
        func found(_ origin: AddressOrigin.Place?, _ flows: [Flow]) -> [Rule] {
            let run = here(questions: [resolver], flows: flows).traced(
                TracedCall(.connect, to: "203.0.113.9", 7, at: "main a.c:3", origin: origin))
            return Verdict(run: run, control: there).findings.map(\.rule)
        }
        #expect(found(nil, [flow]) == [.asksOwnResolver])
        #expect(found(.file(path: "a.conf", line: 1), [flow]) == [.literalAddress])
        #expect(found(nil, []) == [.literalAddress, .ignoresIPv6Answer])
    }

    private func asked(
        _ carrier: ServedQuery.Carrier, _ name: String, _ type: RecordType = .a, _ addresses: String...
    ) -> ServedQuery {
        ServedQuery(
            address: "198.51.100.53", port: carrier == .tls ? 853 : 443, carrier: carrier,
            question: Question(name: try! DomainName(name), type: type), addresses: addresses.map { IPAddress($0)! })
    }

    @Test func `an address that a resolver of the world gave is not a literal either, whatever the resolver's name`() {
        let there = onDualStack(flows: [direct(to: IPv4Address(203, 0, 113, 9), port: 7)])
        func found(_ queries: ServedQuery..., origin: AddressOrigin.Place? = nil) -> [Finding] {
            var run = here().traced(TracedCall(.connect, to: "203.0.113.9", 7, at: "main a.c:3", origin: origin))
            run.seen.servedQueries = queries
            return Verdict(run: run, control: there).findings
        }
        let plain = found(asked(.https, "a.test", .a, "203.0.113.9"), asked(.https, "a.test", .aaaa))
        #expect(plain.map(\.rule) == [.asksOwnResolver])
        #expect(
            plain.flatMap(\.sentences) == [
                "connect(203.0.113.9 port 7, addrlen 16) → ENETUNREACH in main (a.c:3): no answer of the network's DNS gave this address. "
                    + "198.51.100.53 gave it, which it had asked for a.test by DNS over HTTPS."
            ])
        let both = found(asked(.tls, "a.test", .a, "203.0.113.9"), asked(.tls, "a.test", .aaaa, "2e00:2:0:cafe::1"))
        #expect(both.map(\.rule) == [.asksOwnResolver])
        #expect(both[0].sentences[0].hasSuffix("for a.test by DNS over TLS, and 2e00:2:0:cafe::1 too."))
        // The same by HTTPDNS, and what was not told at all.
        #expect(found(asked(.httpDNS, "a.test", .a, "203.0.113.9")).map(\.rule) == [.doesItsOwnDNS])
        let inFile = found(asked(.httpDNS, "a.test", .a, "203.0.113.9"), origin: .file(path: "a.conf", line: 1))
        #expect(inFile.map(\.rule) == [.literalAddress])
        #expect(found(asked(.https, "a.test", .a, "203.0.113.1")).map(\.rule).contains(.literalAddress))
        let written = found(asked(.https, "a.test", .a, "203.0.113.9"), origin: .file(path: "a.conf", line: 1))
        #expect(written.map(\.rule) == [.literalAddress])
    }

    @Test func `what a resolver of the world was asked on dual-stack is a question here, too`() {
        var there = onDualStack(flows: [direct(to: IPv4Address(198, 51, 100, 53), port: 443)])
        let run = here().traced(TracedCall(.connect, to: "198.51.100.53", 443, at: "main a.c:3"))
        #expect(Verdict(run: run, control: there).findings.map(\.rule) == [.literalAddress])
        there.seen.servedQueries = [asked(.https, "a.test", .a, "203.0.113.9")]
        #expect(Verdict(run: run, control: there).findings.map(\.rule) == [.asksOwnResolver])
    }

    @Test func `who asked a question over TLS was content with the certificate`() {
        var connection = ServedConnection(
            time: .zero, address: "198.51.100.53", port: 853, tls: TLSHandshake(serverName: nil, dependsOnName: true))
        connection.tls?.end = .completed
        connection.wasEndedByClient = true
        func found() -> [Rule] {
            var run = here()
            run.seen.connections = [connection]
            return Verdict(run: run, control: onDualStack(flows: [])).findings.map(\.rule)
        }
        #expect(found().contains(.namesNoServer))
        connection.queries = 1
        #expect(!found().contains(.namesNoServer))
    }

    // MARK: - V6C-059

    private func forgotten(_ reason: DropReason, _ example: String, _ flow: Flow) -> [Finding] {
        let drop = Drop(reason: reason, count: 3, example: example)
        let run = here(questions: names, flows: [flow], drops: [drop]).traced(
            TracedCall(.connect, to: .ipv6(synthesised), 80, .succeeded(0), at: "main a.c:3"))
        return Verdict(run: run, control: onDualStack(questions: names, flows: [direct()])).findings
    }

    @Test func `a connection that the NAT64 has no session for any more was forgotten`() {
        let example = "IPv6 2e00:2:0:1::c0:100.40000 > \(synthesised).80"
        let stood = flow(1, sent: 6)
        let found = forgotten(.tcpWithoutSession, example, stood)
        #expect(found.map(\.rule) == [.keepsForgottenConnection])
        #expect(found[0].sentences[0].contains("the NAT64 knew the connection no more: 3 × tcp-without-session"))
        #expect(found[0].sentences[0].contains("main (a.c:3)"))
        #expect(!forgotten(.tcpWithoutSession, example, flow()).map(\.rule).contains(.keepsForgottenConnection))
        #expect(!forgotten(.tcpWithoutSession, "IPv6 a > b", stood).map(\.rule).contains(.keepsForgottenConnection))
    }

    @Test func `an answer without a binding belongs to a way back that was forgotten`() {
        let example = "IPv4 \(server).53 > 192.0.2.64.40000"
        var stood = Flow(.udp, .ipv6(synthesised), 53, .translated(server), bytesSent: 6, bytesReceived: 6)
        let found = forgotten(.noBinding, example, stood)
        #expect(found.map(\.rule).contains(.keepsForgottenConnection))
        #expect(found[0].sentences[0].contains("the NAT64 knew the way back no more: 3 × no-binding"))
        stood.bytesReceived = 0
        #expect(!forgotten(.noBinding, example, stood).map(\.rule).contains(.keepsForgottenConnection))
    }
}
