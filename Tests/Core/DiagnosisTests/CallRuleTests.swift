// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import DNSWire
import Evidence
import EvidenceSupport
import Reports
import Testing
import Wire

/// Rules that read system calls, on evidence made by hand.
@Suite struct CallRuleTests {
    private let names = [
        question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
    ]

    /// The findings of a client that fails here and passes on dual-stack, where it reaches the server.
    private func findings(
        _ calls: TracedCall..., questions: [RepeatedQuery]? = nil, lookups: [Lookup] = [],
        by programs: [TracedProgram] = [TracedProgram(process: 10, executable: "/app/client")],
        command: [String] = ["./client"]
    ) -> [Finding] {
        var again = here(questions: questions ?? names)
        again.calls = CallEvidence(calls, by: programs)
        let control = onDualStack(questions: [question("shop.test", .a, ["198.51.100.10"])], flows: [direct()])
        return Verdict(
            Runs(first: here(questions: questions ?? names, lookups: lookups), again: again, control: control),
            command: command
        ).findings
    }

    @Test func `a length of sixteen octets for an IPv6 address is the cause, and its line is told`() {
        let found = findings(
            TracedCall(
                .sendto, to: "64:ff9b::c633:6407", 7, length: 16, on: .ipv6Datagram, .failed(.invalid),
                at: "logmsg syslog.c:5"))
        #expect(found.map(\.rule) == [.shortAddress])
        #expect(
            found[0].sentences == [
                "sendto(64:ff9b::c633:6407 port 7, addrlen 16) → EINVAL in logmsg (syslog.c:5): a sockaddr_in6 has 28 octets."
            ])
        #expect(found[0].observations[0].site?.line == 5)
        #expect(found[0].advice.contains("ai_addrlen"))
    }

    @Test func `EINVAL for an address in full is not a short length`() {
        let call = TracedCall(.connect, to: "64:ff9b::c633:6407", 7, on: .ipv6Stream, .failed(.invalid))
        #expect(!findings(call).map(\.rule).contains(.shortAddress))
    }

    @Test func `who tries only the IPv4 address of a name is told so`() {
        #expect(findings(TracedCall(.connect, to: "198.51.100.10", 80)).map(\.rule) == [.takesIPv4Address])
    }

    @Test func `an address that Java maps by itself is the IPv4 address of the name`() {
        let found = findings(
            TracedCall(.connect, to: "::ffff:198.51.100.10", 80, on: .ipv6Stream),
            by: [TracedProgram(process: 10, executable: "/usr/bin/java", arguments: ["java", "Poll"])],
            command: ["java", "Poll"])
        #expect(found.map(\.rule) == [.takesIPv4Address])
    }

    @Test func `who tries both addresses does not take IPv4 alone`() {
        let found = findings(
            TracedCall(.connect, to: "198.51.100.10", 80),
            TracedCall(.connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .failed(.connectionRefused)))
        #expect(!found.map(\.rule).contains(.takesIPv4Address))
    }

    @Test func `the datagram sockets with which getaddrinfo sorts addresses are not the client's`() {
        let found = findings(
            TracedCall(.connect, to: "198.51.100.10", 80, on: .ipv4Datagram),
            TracedCall(.connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Datagram, .succeeded(0)))
        #expect(found.map(\.rule) == [.ignoresIPv6Answer])
    }

    @Test func `a call below getaddrinfo is the library's`() {
        let found = findings(
            TracedCall(.connect, to: "198.51.100.10", 80, on: .ipv4Datagram, at: "connect", "getaddrinfo", "main a.c:3")
        )
        #expect(found.map(\.rule) == [.ignoresIPv6Answer])
    }

    @Test func `an IPv6 address on an IPv4 socket is a mixture of families`() {
        let call = TracedCall(.connect, to: "64:ff9b::c633:640a", 80, .failed(.familyNotSupported))
        #expect(findings(call).map(\.rule) == [.mixesFamilies])
        let echo = TracedCall(
            .sendto, to: "64:ff9b::c633:640a", 0, on: SocketKind(family: 2, type: 2, protocol: 1),
            .failed(.familyNotSupported))
        #expect(findings(echo).first?.advice.hasPrefix("Make a socket of ICMPv6") == true)
    }

    @Test func `a short length has its own cause, and no text is cut`() {
        let call = TracedCall(
            .connect, to: "64:ff9b::", 80, length: 16, on: .ipv6Stream, .failed(.invalid), at: "reach a.c:3")
        #expect(findings(call).map(\.rule) == [.shortAddress])
    }

    @Test func `a socket bound to IPv4 is the cause of what fails on it`() {
        let found = findings(
            TracedCall(.bind, to: "0.0.0.0", 0, on: .ipv4Datagram, .succeeded(0), at: "open quic.c:7"),
            TracedCall(.sendto, to: "64:ff9b::c633:640a", 443, on: .ipv4Datagram, .failed(.familyNotSupported)))
        #expect(found.map(\.rule) == [.bindsToIPv4])
        #expect(found[0].observations[0].site?.file == "quic.c")
    }

    @Test func `a source address that no interface has is the cause`() {
        let call = TracedCall(.bind, to: "192.0.2.5", 0, .failed(.addressNotAvailable))
        #expect(findings(call).map(\.rule) == [.bindsToIPv4])
    }

    @Test func `a server that binds to 0.0.0.0 and is not in the way is no cause`() {
        let found = findings(
            TracedCall(.bind, to: "0.0.0.0", 8080, .succeeded(0), descriptor: 3),
            TracedCall(.connect, to: "198.51.100.10", 80, descriptor: 4))
        #expect(found.map(\.rule) == [.takesIPv4Address])
    }

    @Test func `AF_INET under AI_ADDRCONFIG is ruled out`() {
        let hints = LookupHints(family: 2, socktype: 1, protocol: 0, flags: 0x20)
        let found = findings(
            questions: [], lookups: [Lookup(call: .getaddrinfo, node: "127.0.0.1", hints: hints, result: -9)])
        // No successful look-up of the same kind was seen on dual-stack.
        #expect(found.map(\.rule) == [.nothingAttempted])
    }

    @Test(arguments: ["127.0.0.1", "shop.test"])
    func `what AI_ADDRCONFIG rules out here and not on dual-stack is the cause`(_ node: String) {
        let hints = LookupHints(family: 2, socktype: 1, protocol: 0, flags: 0x20)
        let control = onDualStack(
            flows: [direct()], lookups: [Lookup(call: .getaddrinfo, node: node, hints: hints)])
        let run = here(lookups: [Lookup(call: .getaddrinfo, node: node, hints: hints, result: -2)])
        let found = Verdict(run: run, control: control).findings.map(\.rule)
        #expect(found.contains(.needsIPv4Configured) && !found.contains(.nothingAttempted))
    }

    @Test func `what only the run that confirmed it was seen to ask is the cause, too`() {
        let hints = LookupHints(family: 2, socktype: 1, protocol: 0, flags: 0x20)
        let control = onDualStack(
            flows: [direct()], lookups: [Lookup(call: .getaddrinfo, node: "shop.test", hints: hints)])
        let again = here(lookups: [Lookup(call: .getaddrinfo, node: "shop.test", hints: hints, result: -2)])
        let found = Verdict(Runs(first: here(), again: again, control: control)).findings.map(\.rule)
        #expect(found.contains(.needsIPv4Configured) && !found.contains(.nothingAttempted))
    }

    @Test func `inet_addr of an IPv6 answer is the cause`() {
        let lookup = Lookup(call: .inetAddr, node: "64:ff9b::c633:640a", result: 0)
        #expect(findings(lookups: [lookup]).map(\.rule) == [.readsIPv6AsIPv4])
    }

    @Test func `a mapped address of a name is IPv4`() {
        let call = TracedCall(.connect, to: "::ffff:198.51.100.10", 80, on: .ipv6Stream)
        #expect(findings(call).map(\.rule) == [.mapsIPv4])
    }

    @Test func `who tried an IPv6 address of the name as well does not fail by the mapped one`() {
        let found = findings(
            TracedCall(.connect, to: .ipv6(synthesised), 80, on: .ipv6Stream, .failed(.connectionRefused)),
            TracedCall(.connect, to: "::ffff:198.51.100.10", 80, on: .ipv6Stream))
        #expect(!found.map(\.rule).contains(.mapsIPv4))
    }

    @Test func `an IPv6 address of the command line that inet_addr reads is the cause on both networks`() {
        let lookup = Lookup(call: .inetAddr, node: "2001:db8::7", result: 0)
        let run = here(lookups: [lookup]).traced(TracedCall(.connect, to: "255.255.255.255", 7))
        let control = onDualStack(.exited(status: 1))
        #expect(Verdict(run: run, control: control).findings.map(\.rule) == [.readsIPv6AsIPv4])
        // To ask whether a text is an IPv4 address is no mistake.
        #expect(Verdict(run: here(lookups: [lookup]), control: control).findings.isEmpty)
    }

    @Test func `who is refused by its own machine and listens on 0.0.0.0 misses its own server`() {
        let found = findings(
            TracedCall(.listen, to: "0.0.0.0", 8080, .succeeded(0), at: "svc.py:2"),
            TracedCall(
                .connect, to: "2e00:2:0:1::c0:100", 8080, on: .ipv6Stream, .failed(.connectionRefused), at: "svc.py:9"),
            command: ["python3", "svc.py"])
        #expect(found.map(\.rule) == [.missesOwnServer])
        #expect(found[0].observations[0].site?.line == 2)
        #expect(found[0].advice.contains("dualstack_ipv6=True"))
    }

    @Test func `who listens on both families does not miss its server`() {
        let found = findings(
            TracedCall(.listen, to: "0.0.0.0", 8080, .succeeded(0)),
            TracedCall(.listen, to: "::", 8080, on: .ipv6Stream, .succeeded(0)),
            TracedCall(.connect, to: "::1", 8080, on: .ipv6Stream, .failed(.connectionRefused)))
        #expect(!found.map(\.rule).contains(.missesOwnServer))
    }

    @Test func `who tries one family after the other does not miss its server`() {
        let refused = TracedCall(.connect, to: "::1", 8080, on: .ipv6Stream, .failed(.connectionRefused))
        let found = findings(
            TracedCall(.listen, to: "127.0.0.1", 8080, .succeeded(0)), refused,
            TracedCall(.connect, to: "127.0.0.1", 8080, .succeeded(0)))
        #expect(!found.map(\.rule).contains(.missesOwnServer))
        let elsewhere = findings(
            TracedCall(.listen, to: "127.0.0.1", 8080, .succeeded(0)), refused,
            TracedCall(.connect, to: "127.0.0.1", 8081, .succeeded(0)))
        #expect(elsewhere.map(\.rule).contains(.missesOwnServer))
    }

    @Test(arguments: [
        (["curl", "-s4", "http://shop.test/"], true), (["curl", "--ipv4", "http://shop.test/"], true),
        (["curl", "-m4", "http://shop.test/"], false), (["curl", "http://shop.test/4"], false),
        (["java", "-Djava.net.preferIPv4Stack=true", "-jar", "a.jar"], true),
        (["java", "-Djava.net.preferIPv4Stack=false", "-jar", "a.jar"], false), (["python3", "-4"], false),
        (["nc.openbsd", "-4", "shop.test", "80"], true), (["nc.traditional", "shop.test", "4"], false),
        (["dig", "-4", "shop.test"], true), (["traceroute.db", "-4", "shop.test"], true),
        (["traceroute", "shop.test"], false),
        (["aria2c", "--disable-ipv6", "http://shop.test/"], true), (["openssl", "s_client", "-4"], true),
    ])
    func `an option that leaves IPv6 out is the cause`(_ arguments: [String], _ isMet: Bool) {
        let child = TracedProgram(process: 11, parent: 0, executable: "/usr/bin/\(arguments[0])", arguments: arguments)
        let found = findings(by: [TracedProgram(process: 10, executable: "/app/client"), child])
        #expect(found.map(\.rule).contains(.toldIPv4Only) == isMet)
        if isMet { #expect(found[0].observations[0].site?.program == arguments[0]) }
    }

    @Test func `a literal has its call, its line and its origin`() {
        let found = findings(
            TracedCall(
                .connect, to: "198.51.100.31", 80, at: "connect_server agent.c:12",
                origin: .file(path: "agent.conf", line: 3)))
        // On dual-stack it did not go there: nothing is blamed on that address.
        #expect(found.map(\.rule) == [.ignoresIPv6Answer])
        var run = here()
        run.calls = CallEvidence([
            TracedCall(
                .connect, to: "198.51.100.10", 80, at: "connect_server agent.c:12",
                origin: .file(path: "agent.conf", line: 3))
        ])
        let literal = Verdict(run: run, control: onDualStack(flows: [direct()])).findings
        #expect(literal.map(\.rule) == [.literalAddress])
        #expect(
            literal[0].sentences == [
                "connect(198.51.100.10 port 80, addrlen 16) → ENETUNREACH in connect_server (agent.c:12); the address is from "
                    + "agent.conf:3. No DNS answer gave this address, and there is no IPv4 route here."
            ])
    }

    @Test func `a call that was made on dual-stack alone is told as that`() {
        let call = TracedCall(.connect, to: "198.51.100.10", 80, .succeeded(0), at: "connect_server agent.c:12")
        let control = onDualStack(flows: [direct()]).traced(call)
        let found = Verdict(run: here().traced(), control: control).findings
        #expect(found.map(\.rule) == [.literalAddress])
        #expect(
            found[0].sentences[0].hasPrefix(
                "On dual-stack connect(198.51.100.10 port 80, addrlen 16) → 0 in connect_server"))
    }

    @Test func `the cause of this run comes before that of a later part, which only dual-stack shows`() {
        let later = TracedCall(.connect, to: "203.0.113.5", 80, .succeeded(0), at: "report agent.c:30")
        let control = onDualStack(
            questions: [question("shop.test", .a, ["198.51.100.10"])],
            flows: [direct(), Flow(.tcp, "203.0.113.5", 80, .direct, attempts: 1, accepted: 1, bytesReceived: 9)]
        ).traced(later)
        let run = here(
            questions: [
                question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
            ]
        ).traced(TracedCall(.connect, to: "198.51.100.10", 80, at: "fetch agent.c:12"))
        let found = Verdict(run: run, control: control).findings
        #expect(found.map(\.rule) == [.takesIPv4Address, .literalAddress])
    }

    @Test func `an address that a host sent is told apart`() {
        var run = here()
        run.calls = CallEvidence([
            TracedCall(
                .connect, to: "198.51.100.10", 80,
                origin: .payload(ReceivedLocation(from: "64:ff9b::c633:6415", port: 80, .octet(120))))
        ])
        let found = Verdict(run: run, control: onDualStack(flows: [direct()])).findings
        #expect(found.map(\.rule) == [.receivedAddress] && found[0].advice.contains("Pref64"))
    }

    @Test func `a child that calls is named`() {
        let programs = [
            TracedProgram(process: 10, executable: "/app/client"),
            TracedProgram(process: 11, parent: 0, executable: "/usr/bin/fetcher"),
        ]
        let found = findings(
            TracedCall(.connect, to: "198.51.100.10", 80, at: "get f.c:1", program: 1), by: programs)
        #expect(found[0].sentences[0].hasPrefix("fetcher (started by \"client\"): connect("))
    }

    @Test func `where the client gets nowhere on dual-stack either, its calls are no cause`() {
        let run = here().traced(TracedCall(.connect, to: "64:ff9b::c633:640a", 80, .failed(.familyNotSupported)))
        let found = Verdict(run: run, control: onDualStack(.exited(status: 1))).findings
        #expect(!found.map(\.rule).contains(.mixesFamilies))
    }
}

/// Warnings about clients that pass, which a traced first run gives.
@Suite struct PassingCallRuleTests {
    private func findings(_ calls: TracedCall..., flows: [Flow] = []) -> [Finding] {
        var run = here(
            .exited(status: 0),
            questions: [
                question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
            ], flows: flows)
        run.calls = CallEvidence(calls)
        return Verdict(run: run, control: nil).findings
    }

    @Test func `a failed IPv4 attempt is told, and whether a fallback hid it`() {
        let call = TracedCall(.connect, to: "198.51.100.10", 80, at: "get a.c:4")
        let fallback = TracedCall(
            .connect, to: "64:ff9b::c633:640a", 80, on: .ipv6Stream, .succeeded(0), time: .seconds(1))
        let hidden = findings(call, fallback, flows: [translated()])
        #expect(hidden.map(\.rule) == [.hiddenIPv4])
        #expect(hidden[0].sentences[0].hasSuffix("; then it reached shop.test at 64:ff9b::c633:640a, 1.0 s later."))
        let lost = findings(call)[0]
        #expect(
            lost.sentences[0].hasSuffix(": it did not reach shop.test, and did not try its 64:ff9b::c633:640a."))
        #expect(lost.advice.hasPrefix(Rule.takesIPv4Address.advice))
        let other = findings(TracedCall(.connect, to: "192.0.2.1", 80))
        #expect(other[0].sentences[0].hasSuffix("; it did not get there."))
    }

    @Test func `a run without a trace tells nothing of attempts`() {
        #expect(Verdict(run: here(.exited(status: 0)), control: nil).findings.isEmpty)
    }

    @Test(arguments: [
        ("0.0.0.0", true), ("192.0.2.7", true), ("::ffff:0.0.0.0", true), ("127.0.0.1", false),
        ("::ffff:127.0.0.1", false), ("::", false),
    ])
    func `a listener of IPv4 alone is told, unless it is for the machine`(_ address: String, _ isMet: Bool) throws {
        let call = TracedCall(.listen, to: try #require(IPAddress(address)), 80, .succeeded(0))
        #expect(findings(call).map(\.rule) == (isMet ? [.listensOnIPv4] : []))
    }
}

@Suite struct LanguageAdviceTests {
    /// The advice to the author of a client that takes the IPv4 address.
    private func advice(_ line: String, executable: String = "/app/client", command: [String] = ["./client"]) -> String?
    {
        var run = here(questions: [
            question("shop.test", .a, ["198.51.100.10"]), question("shop.test", .aaaa, [synthesised.description]),
        ])
        run.calls = CallEvidence(
            [TracedCall(.connect, to: "198.51.100.10", 80, at: line)],
            by: [TracedProgram(process: 1, executable: executable, arguments: command)])
        return Verdict(run: run, control: onDualStack(flows: [direct()]), command: command).findings.first {
            $0.rule == .takesIPv4Address
        }?.advice
    }

    @Test(arguments: [
        ("main a.c:1", "/app/client", ["./client"], "getaddrinfo"),
        ("app.rb:1", "/usr/bin/ruby3.1", ["ruby", "app.rb"], "Socket.tcp"),
        ("connect", "/usr/bin/node", ["node", "a.js"], "autoSelectFamily"),
        ("connect", "/usr/lib/jvm/bin/java", ["java", "-jar", "a.jar"], "preferIPv6Addresses"),
        ("connect", "/usr/bin/python3.11", ["./tool"], "create_connection"),
        ("main.main main.go:9", "/app/client", ["./client"], "tcp4"),
    ])
    func `advice is for the language of the line, else of the program`(
        _ line: String, _ executable: String, _ command: [String], _ words: String
    ) throws {
        #expect(try #require(advice(line, executable: executable, command: command)).contains(words))
    }
}
