// SPDX-License-Identifier: Apache-2.0
import DNSWire
import EvidenceSupport
import Evidence
import Testing
import Wire

@testable import Diagnosis

/// Findings from calls about name servers, assumptions about the machine, and addresses in protocols: groups C to F of the causes.
@Suite struct HostFindingTests {
    private static let resolvConf = TracedCall.Subject.file("/etc/resolv.conf")

    /// The client connected on dual-stack.
    private let control = onDualStack(
        questions: [question("shop.test", .a, [server.description])], flows: [direct(), direct(.udp, port: 53)])
    private let silent = onDualStack(questions: [question("shop.test", .a, [server.description])], flows: [direct()])
    private let told = [question("shop.test", .a, [server.description]), synthesisedQuestion]

    private static var synthesisedQuestion: RepeatedQuery {
        RepeatedQuery("shop.test", .aaaa, [synthesised.description], from: [server])
    }

    private func ids(_ run: RunEvidence, _ control: RunEvidence? = nil) -> [String] {
        Verdict(run: run, control: control ?? silent).ids
    }

    private func sentences(_ run: RunEvidence, _ control: RunEvidence? = nil) -> [String] {
        Verdict(run: run, control: control ?? silent).findings.flatMap(\.sentences)
    }

    // MARK: C, the DNS

    @Test func `a question to an IPv4 resolver is one to a resolver of the client's own`() {
        let call = TracedCall(.sendto, to: "8.8.8.8", 53, on: .ipv4Datagram, at: "ask dns.c:9")
        let findings = Verdict(run: here().traced(call), control: silent).findings
        #expect(findings.map(\.rule) == [.asksOwnResolver])
        #expect(
            findings[0].sentences == [
                "sendto(8.8.8.8 port 53, addrlen 16) → ENETUNREACH in ask (dns.c:9): a resolver that this network did not announce."
            ])
    }

    @Test func `a public resolver with an IPv6 address synthesises nothing`() {
        let call = TracedCall(.connect, to: "2001:4860:4860::8888", 853, on: .ipv6Stream, .succeeded(0), at: "dns.c:9")
        #expect(ids(here().traced(call)) == ["V6C-035"])
        let ours = TracedCall(.connect, to: "2e00:2:0:1::1", 53, on: .ipv6Datagram, .succeeded(0), at: "dns.c:9")
        #expect(!ids(here().traced(ours)).contains("V6C-035"))
        // The way to find out the machine's own address: nothing is sent.
        let own = TracedCall(.connect, to: "2001:4860:4860::8888", 53, on: .ipv6Datagram, .succeeded(0), at: "a.py:9")
        #expect(!ids(here().traced(own)).contains("V6C-035"))
    }

    @Test func `what a datagram socket was connected to port 53 for, the control run tells`() {
        let call = TracedCall(.connect, to: .ipv4(server), 53, on: .ipv4Datagram, at: "dns.c:9")
        #expect(ids(here().traced(call), control) == ["V6C-035"])
        #expect(ids(here().traced(call), silent) == ["V6C-039"])
    }

    @Test func `a ping that asks for a route first wants the host`() {
        let route = TracedCall(.connect, to: .ipv4(server), 1025, on: .ipv4Datagram, at: "ping")
        let pinged = onDualStack(questions: [], flows: [direct(.icmp, port: 0)])
        #expect(!ids(here().traced(route), pinged).contains("V6C-039"))
        #expect(ids(here().traced(route), silent) == ["V6C-039"])
    }

    @Test func `who reads resolv_conf and asks nobody does not understand it`() {
        let call = TracedCall(.openat, Self.resolvConf, .succeeded(3), at: "res.pl:9")
        #expect(ids(here().traced(call)) == ["V6C-036"])
        #expect(sentences(here().traced(call))[0].contains("in res.pl:9: it read the file and asked no name server"))
        // It fails on both networks: the name server has an IPv6 address there, too.
        #expect(ids(here().traced(call), onDualStack(.exited(status: 1))) == ["V6C-036"])
    }

    @Test func `who reads resolv_conf and asks another resolver is told of that`() {
        let read = TracedCall(.openat, Self.resolvConf, .succeeded(3), at: "res.go:9")
        let call = TracedCall(.connect, to: .ipv4(server), 53, on: .ipv4Datagram, at: "dns.go:9")
        #expect(ids(here().traced(read, call), control) == ["V6C-035"])
    }

    @Test func `the C library and Go read resolv_conf for themselves`() {
        let call = TracedCall(
            .openat, Self.resolvConf, .succeeded(3), at: "__resolv_conf_load", "getaddrinfo", "main a.c:4")
        #expect(!ids(here().traced(call)).contains("V6C-036"))
        // It may find the name in /etc/hosts.
        let go = TracedCall(
            .openat, Self.resolvConf, .succeeded(3), at: "net.open file.go:7", "net.dnsReadConfig conf.go:9",
            "main.main a.go:4")
        #expect(!ids(here().traced(go)).contains("V6C-036"))
        let read = TracedCall(.openat, Self.resolvConf, .succeeded(3), at: "res.pl:9")
        #expect(!ids(here(questions: told).traced(read)).contains("V6C-036"))
        let missing = TracedCall(.openat, Self.resolvConf, .failed(.notFound), at: "res.pl:9")
        #expect(!ids(here().traced(missing)).contains("V6C-036"))
    }

    // MARK: D, the machine

    @Test func `who asks for an interface's IPv4 address and gives up is told the line`() {
        let call = TracedCall(
            .ioctl, .request(0x8915, interface: "eth0"), .failed(.addressNotAvailable), at: "is_online net.c:40")
        let findings = Verdict(run: here().traced(call), control: silent).findings
        #expect(findings.map(\.rule) == [.looksForIPv4Interface])
        #expect(findings[0].observations[0].site?.file == "net.c")
        #expect(findings[0].observations[0].site?.line == 40)
        #expect(
            findings[0].sentences[0].hasSuffix(
                "EADDRNOTAVAIL in is_online (net.c:40), then it gave up: this network has no IPv4, and works all the same."
            ))
    }

    @Test(arguments: [
        TracedCall.Subject.file("/proc/net/route"), .netlink(type: 22, family: 2), .request(0x8912, interface: nil),
    ])
    func `who looks at IPv4 routes and addresses and sends nothing takes that for being offline`(
        _ subject: TracedCall.Subject
    ) {
        let call = TracedCall(.ioctl, subject, at: "net.c:40")
        #expect(ids(here().traced(call)) == ["V6C-037"])
        // Asked for, and gone on: no cause.
        let later = TracedCall(
            .connect, to: .ipv6(synthesised), 80, on: .ipv6Stream, .failed(.connectionRefused), at: "net.c:50",
            time: .seconds(1))
        #expect(!ids(here().traced(call, later)).contains("V6C-037"))
    }

    @Test func `who lists the machine's addresses and sends nothing looked for IPv4 where it goes on with that`() {
        let call = TracedCall(.sendto, .netlink(type: 22, family: 0), at: "have_network net.c:10")
        let found = Verdict(run: here().traced(call), control: silent).findings
        #expect(found.map(\.rule.id) == ["V6C-037"])
        #expect(found[0].sentences[0].hasPrefix("sendto(RTM_GETADDR, AF_UNSPEC)"))
        // Asked the DNS, and gone on.
        let asking = here(questions: [question("shop.test", .aaaa, [synthesised.description])])
        #expect(!ids(asking.traced(call)).contains("V6C-037"))
    }

    @Test func `who knows a name gave up all the same where the control run goes on after the call`() {
        let file = TracedCall(.openat, .file("/proc/net/route"), .succeeded(3))
        let all = TracedCall(.sendto, .netlink(type: 22, family: 0))
        let names = [question("shop.test", .aaaa, [synthesised.description])]
        for call in [file, all] {
            let goesOn = onDualStack(questions: names, flows: [direct()]).traced(
                call, TracedCall(.connect, to: "198.51.100.10", 80, .succeeded(0), time: .seconds(1)))
            #expect(Verdict(run: here(questions: names).traced(call), control: goesOn).ids.contains("V6C-037"))
            let ends = onDualStack(questions: names, flows: [direct()]).traced(call)
            #expect(!Verdict(run: here(questions: names).traced(call), control: ends).ids.contains("V6C-037"))
        }
    }

    @Test func `a ping that is all that a client does is no test of something else`() {
        let call = TracedCall(
            .sendto, to: "198.51.100.10", 0, on: SocketKind(family: SocketKind.ipv4, type: 2, protocol: 1))
        let echo = Flow(
            .icmp, .ipv4(server), 0, .direct, bytesSent: 8, bytesReceived: 8)
        #expect(Verdict(run: here().traced(call), control: onDualStack(flows: [echo])).ids == ["V6C-001"])
        #expect(Verdict(run: here().traced(call), control: onDualStack(flows: [echo, direct()])).ids == ["V6C-038"])
    }

    @Test func `a question for 0_0_0_0 is of one who does not find the IPv6 name server`() {
        let call = TracedCall(.connect, to: "0.0.0.0", 53, .succeeded(0), at: "ask dns.c:7")
        let found = Verdict(run: here().traced(call), control: silent).findings
        #expect(found.map(\.rule) == [.cannotReadNameServer])
        #expect(found[0].sentences[0].contains("res_ninit leaves 0.0.0.0 in nsaddr_list"))
    }

    @Test(arguments: [Network.strict, .strictNoLoopback4])
    func `who looks for IPv4 is told so wherever there is none`(on network: Network) {
        let call = TracedCall(.ioctl, .request(0x8915, interface: "eth0"), .failed(.addressNotAvailable))
        let run = RunEvidence(network: network, end: .exited(status: 1), duration: .zero).traced(call)
        #expect(Verdict(run: run, control: silent).ids == ["V6C-037"])
    }

    @Test func `a ping to an IPv4 address is a test of the wrong thing`() {
        let programs = [
            TracedProgram(process: 10, executable: "/bin/bash", arguments: ["bash", "run.sh"]),
            TracedProgram(process: 11, parent: 0, executable: "/usr/bin/ping", arguments: ["ping", "-c1", "8.8.8.8"]),
        ]
        let run = here().traced(by: programs)
        #expect(ids(run) == ["V6C-038"])
        #expect(sentences(run)[0].hasPrefix("It ran \"ping -c1 8.8.8.8\": 8.8.8.8 cannot be reached"))
        let byName = [
            programs[0],
            TracedProgram(process: 11, parent: 0, executable: "/usr/bin/ping", arguments: ["ping", "shop.test"]),
        ]
        #expect(!ids(here().traced(by: byName)).contains("V6C-038"))
    }

    @Test func `a well-known host is a landmark, another is not`() {
        let landmark = TracedCall(.connect, to: "1.1.1.1", 443, at: "is_online net.py:3")
        #expect(ids(here().traced(landmark)) == ["V6C-038"])
        let other = TracedCall(.connect, to: .ipv4(server), 443, at: "is_online net.py:3")
        #expect(!ids(here().traced(other)).contains("V6C-038"))
    }

    @Test func `a route that is asked for is no host that is wanted`() {
        let call = TracedCall(.connect, to: "8.8.8.8", 80, on: .ipv4Datagram, at: "get_ip app.py:6")
        #expect(ids(here().traced(call)) == ["V6C-039"])
        // To an address of an answer, it is another matter.
        let answer = TracedCall(.connect, to: .ipv4(server), 80, on: .ipv4Datagram, at: "app.py:6")
        #expect(!ids(here(questions: told).traced(answer)).contains("V6C-039"))
    }

    @Test func `a refused group is discovery by IPv4`() {
        let search = TracedCall(.sendto, to: "239.255.255.250", 1900, on: .ipv4Datagram, at: "ssdp.c:9")
        #expect(ids(here().traced(search)) == ["V6C-040"])
        let join = TracedCall(
            .setsockopt, .option(level: 0, option: 35, on: .ipv4Datagram), .failed(.noDevice), at: "a.c:2")
        #expect(ids(here().traced(join)) == ["V6C-040"])
        // The return value of inet_addr for an invalid text.
        let stream = TracedCall(.connect, to: "255.255.255.255", 80, at: "a.c:2")
        #expect(!ids(here().traced(stream)).contains("V6C-040"))
    }

    @Test func `a cloud's metadata service is called that, whatever the other network says`() {
        let call = TracedCall(.connect, to: "169.254.169.254", 80, at: "imds.go:12")
        #expect(ids(here().traced(call)) == ["V6C-041"])
        #expect(ids(here().traced(call), onDualStack(.exited(status: 1))) == ["V6C-041"])
    }

    // MARK: E and F, addresses as data

    @Test func `an address after an FTP control connection is that of PASV`() {
        let call = TracedCall(.connect, to: .ipv4(server), 40000, at: "ftp.c:77")
        let run = here(questions: told, flows: [translated(port: 21)]).traced(call)
        #expect(ids(run) == ["V6C-042"])
        #expect(!ids(here(questions: told, flows: [translated(port: 80)]).traced(call)).contains("V6C-042"))
    }

    @Test func `a private host is a warning where the client passes`() {
        var flow = translated()
        flow.route = .translated(IPv4Address(10, 0, 0, 1))
        #expect(Verdict(run: here(.exited(status: 0), flows: [flow]), control: nil).ids == ["V6C-043"])
        #expect(Verdict(run: here(.exited(status: 0), flows: [translated()]), control: nil).ids == [])
    }

    @Test func `who tries no address at all refuses the synthesised one`() {
        let there = onDualStack(questions: [question("shop.test", .a, [server.description])], flows: [direct()])
        let socket = TracedCall(.openat, .file("/etc/hosts"), at: "__fopen", "getaddrinfo")
        #expect(ids(here(questions: told).traced(socket), there) == ["V6C-044"])
        // Not traced: only that it used none is known.
        #expect(ids(here(questions: told), there) == ["V6C-003"])
        // The IPv4 address alone was tried.
        let tried = TracedCall(.connect, to: .ipv4(server), 80, at: "a.c:3")
        #expect(!ids(here(questions: told).traced(tried), there).contains("V6C-044"))
    }

    @Test(arguments: ["64", "[64", "64:ff9b:"]) func `a beginning of an address is one that was cut`(_ node: String) {
        let lookup = Lookup(call: .getaddrinfo, node: node, result: -2, program: "client")
        #expect(ids(here(questions: told, lookups: [lookup])) == ["V6C-008"])
    }

    @Test(arguments: ["6", "shop", "64:ff9b::c633:640a", "c633", ""]) func `other names are not`(_ node: String) {
        let lookup = Lookup(call: .getaddrinfo, node: node, result: -2, program: "client")
        #expect(!ids(here(questions: told, lookups: [lookup])).contains("V6C-008"))
    }

    @Test func `what waits for a connection is told where it listens, and FTP what PORT carries`() {
        var there = control
        there.seen.flows = [direct(port: 21), direct(port: 20, accepted: 0, isInbound: true)]
        let listen = TracedCall(.listen, to: "::", 4000, on: .ipv6Stream, .succeeded(0), at: "active ftp.c:30")
        let run = here(questions: told, flows: [translated(port: 21)]).traced(listen)
        let findings = Verdict(run: run, control: there).findings
        #expect(findings.map(\.rule) == [.waitsForConnection])
        #expect(findings[0].observations[0].site?.line == 30)
        #expect(findings[0].advice.contains("PORT carries an IPv4 address only"))
    }

    @Test func `a probe of a suite is no host that is waited for`() {
        var there = control
        there.seen.flows = [direct(port: 40_000, accepted: 1, isInbound: true)]
        let listen = TracedCall(.listen, to: "0.0.0.0", 8080, on: .ipv4Stream, .succeeded(0), at: "shopd.c:30")
        var run = here(questions: [], flows: []).traced(listen)
        #expect(Verdict(run: run, control: there).findings.map(\.rule) == [.waitsForConnection])
        run.isProbed = true
        there.isProbed = true
        #expect(!ids(run, there).contains("V6C-013"))
        run.seen.flows = [translated(port: 21), translated(port: 40_000)]
        // The listener's own address in an answer does not ask for a connection, but PORT does.
        let sent = IPAddress.ipv6(IPv6Address("64:ff9b::c633:640a")!)
        run.payloadFacts = [PayloadFact(.ownAddress(sent, line: "Location: /"), .tcp, with: sent, port: 40_000)]
        #expect(!ids(run, there).contains("V6C-013"))
        run.payloadFacts = [PayloadFact(.portCommand(line: "PORT 1"), .tcp, with: sent, port: 21)]
        #expect(ids(run, there).contains("V6C-013"))
    }
}
