// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Evidence
import Testing
import Translation
import Wire

@testable import Diagnosis

/// Answers of name servers, and effects of socket options and reverse names on a client.
@Suite struct NameFindingTests {
    private let control = onDualStack(questions: [question("shop.test", .a, [server.description])], flows: [direct()])
    private let inIPv4 = question("shop.test", .a, [server.description])
    private let inIPv6 = RepeatedQuery("shop.test", .aaaa, [synthesised.description], from: [server])

    private func ids(_ run: RunEvidence, _ control: RunEvidence? = nil) -> [String] {
        Verdict(run: run, control: control ?? self.control).ids
    }

    @Test func `a tool that asks for IPv4 only is called otherwise, and not changed`() {
        var lookup = Lookup(
            call: .getaddrinfo, node: "shop.test", hints: LookupHints(family: 2, socktype: 1, protocol: 0, flags: 0))
        lookup.site = CallSite(program: "getent")
        let found = Verdict(run: here(questions: [inIPv4], lookups: [lookup]), control: control).findings
        #expect(found.first { $0.rule == .asksForIPv4Only }?.advice.hasPrefix("Call getent ahosts") == true)
        lookup.site.program = "agent"
        let other = Verdict(run: here(questions: [inIPv4], lookups: [lookup]), control: control).findings
        #expect(other.first { $0.rule == .asksForIPv4Only }?.advice.hasPrefix("Call getaddrinfo") == true)
    }

    // MARK: Calls

    private func option(_ number: Int, on kind: SocketKind, _ outcome: TracedCall.Outcome) -> TracedCall {
        TracedCall(
            .setsockopt, .option(level: 0, option: number, on: kind), outcome, at: "ping.c:9", descriptor: 3,
            time: .seconds(1))
    }

    @Test func `an option of IPv4 that an IPv6 socket refuses is told where the socket is given up`() {
        let raw = SocketKind(family: SocketKind.ipv6, type: SocketKind.raw, protocol: 58)
        let refused = option(2, on: raw, .failed(.noProtocolOption))
        #expect(ids(here(questions: [inIPv6]).traced(refused)) == ["V6C-045"])
        #expect(!ids(here(questions: [inIPv6]).traced(option(2, on: raw, .succeeded(0)))).contains("V6C-045"))
        #expect(
            !ids(here(questions: [inIPv6]).traced(option(2, on: .ipv4Stream, .failed(.invalid)))).contains("V6C-045"))
        // It went on with the socket.
        let later = TracedCall(
            .connect, to: .ipv6(synthesised), 80, on: raw, .failed(.connectionRefused), at: "ping.c:12",
            time: .seconds(2))
        #expect(!ids(here(questions: [inIPv6]).traced(refused, later)).contains("V6C-045"))
    }

    @Test
    func
        `an option that an IPv6 socket takes to no effect is told where no call failed, and dual-stack has an IPv4 socket there`()
    {
        let there = control.traced(option(2, on: .ipv4Datagram, .succeeded(0)))
        let taken = option(2, on: .ipv6Datagram, .succeeded(0))
        let used = TracedCall(.connect, to: .ipv6(synthesised), 80, on: .ipv6Datagram, .succeeded(0), at: "ping.c:12")
        #expect(ids(here(questions: [inIPv6]).traced(taken, used), there) == ["V6C-045"])
        #expect(!ids(here(questions: [inIPv6]).traced(taken, used), control.traced(taken)).contains("V6C-045"))
        let failed = TracedCall(.connect, to: .ipv4(server), 80, at: "ping.c:12")
        #expect(!ids(here(questions: [inIPv6]).traced(taken, failed), there).contains("V6C-045"))
        // IP_TOS tunes.
        let tuned = [control.traced(option(1, on: .ipv4Datagram, .succeeded(0)))]
        #expect(
            !ids(here(questions: [inIPv6]).traced(option(1, on: .ipv6Datagram, .succeeded(0))), tuned[0]).contains(
                "V6C-045"))
    }

    @Test func `a datagram socket that is connected uses the address`() {
        let used = TracedCall(.connect, to: .ipv6(synthesised), 80, on: .ipv6Datagram, .succeeded(0), at: "ask.c:12")
        #expect(ids(here(questions: [inIPv6])) == ["V6C-003"])
        #expect(!ids(here(questions: [inIPv6]).traced(used)).contains("V6C-003"))
    }

    @Test(arguments: ["2001:db8:64::/96", "2001:db8::/32", "2001:db8:1:100::/56", "64:ff9b:1::/48"])
    func `an address under a prefix of another network is known by the host's IPv4 address in it`(_ text: String) throws
    {
        let prefix = try Pref64(text)
        func flow(to address: IPv6Address) -> Flow {
            Flow(
                .tcp, .ipv6(address), 80, .direct, attempts: 1, refused: 1, unreachable: .noRoute, bytesSent: 0,
                bytesReceived: 0)
        }
        let found = Verdict(run: here(questions: [inIPv6], flows: [flow(to: prefix.embed(server))]), control: control)
            .findings
        #expect(found.map(\.rule.id) == ["V6C-099"])
        #expect(found[0].sentences[0].contains("stands for \(server) (shop.test) under \(prefix)"))
        let other = flow(to: prefix.embed(IPv4Address(203, 0, 113, 9)))
        #expect(ids(here(questions: [inIPv6], flows: [other])) == ["V6C-005"])
    }

    @Test(arguments: [("127.0.0.1", []), ("127.0.0.2", ["V6C-046"]), ("127.255.255.255", ["V6C-046"]), ("::1", [])])
    func `a loopback address other than 127_0_0_1 is a note where the client passes`(_ text: String, _ rules: [String])
    {
        let bind = TracedCall(.bind, to: IPAddress(text)!, 80, on: .ipv4Stream, .succeeded(0), at: "a.c:2")
        let run = here(.exited(status: 0), questions: [inIPv6], flows: [translated()]).traced(bind)
        #expect(Verdict(run: run, control: nil).ids == rules)
    }

    // MARK: Names

    @Test(arguments: ["localhost", "LOCALHOST", "localhost.example.test"] as [DomainName])
    func `localhost is no name of the DNS`(_ name: DomainName) {
        let asked = missing(name)
        #expect(ids(here(questions: asked), onDualStack(.exited(status: 1), questions: asked)) == ["V6C-047"])
        // It went on.
        #expect(!ids(here(questions: asked + [inIPv6])).contains("V6C-047"))
    }

    @Test func `a reverse name that is missing at the end is a cause`() {
        let reverse = question(ReverseName.name(of: synthesised), .ptr, code: .nameError)
        #expect(ids(here(questions: [inIPv6, reverse], flows: [translated()])) == ["V6C-048"])
        #expect(!ids(here(questions: [reverse, inIPv6], flows: [translated()])).contains("V6C-048"))
        let other = question(ReverseName.name(of: IPv6Address("2001:db8::1")!), .ptr, code: .nameError)
        #expect(!ids(here(questions: [inIPv6, other], flows: [translated()])).contains("V6C-048"))
    }

    @Test func `who sets DO and CD has to synthesise`() {
        let unsynthesised = RepeatedQuery("shop.test", .aaaa, [], rule: .validatingClient)
        #expect(ids(here(questions: [unsynthesised, inIPv4])) == ["V6C-049"])
        #expect(!ids(here(questions: [RepeatedQuery("shop.test", .aaaa, []), inIPv4])).contains("V6C-049"))
    }

    @Test func `who asks for keys refuses what has no signature`() {
        let keys = question("shop.test", .dnskey)
        #expect(ids(here(questions: [inIPv6, keys])) == ["V6C-049"])
        #expect(!ids(here(questions: [inIPv6, keys], flows: [translated(accepted: 0)])).contains("V6C-049"))
    }

    @Test(arguments: [ResponseCode.serverFailure, .nameError, .refused, .notImplemented, nil])
    func `an error for AAAA beside an answer for A is the server's`(_ code: ResponseCode?) {
        let failing = question("shop.test", .aaaa, code: code)
        #expect(ids(here(questions: [failing, inIPv4])) == ["V6C-050"])
        // That the name has an IPv4 address, the other run may tell.
        #expect(ids(here(questions: [failing])) == ["V6C-050"])
        #expect(!ids(here(questions: [failing, inIPv4, inIPv6])).contains("V6C-050"))
        #expect(
            !ids(here(questions: missing("shop.test")), onDualStack(questions: missing("shop.test"))).contains(
                "V6C-050"))
    }

    @Test func `a slow answer beside one that was not used is a cause`() {
        let slow = question("shop.test", .a, [server.description], faults: [.delay(.seconds(3))])
        #expect(ids(here(questions: [inIPv6, slow])) == ["V6C-051"])
        #expect(!ids(here(questions: [inIPv6, slow], flows: [translated(accepted: 0)])).contains("V6C-051"))
        let quick = question("shop.test", .a, [server.description], faults: [.delay(.milliseconds(20))])
        #expect(!ids(here(questions: [inIPv6, quick])).contains("V6C-051"))
    }

    @Test func `an IPv4-mapped address in an AAAA record is the zone's mistake`() {
        let mapped = question("shop.test", .aaaa, ["::ffff:198.51.100.10"])
        let call = TracedCall(.connect, to: "::ffff:198.51.100.10", 80, on: .ipv6Stream, at: "a.c:7")
        #expect(ids(here(questions: [mapped]).traced(call)) == ["V6C-052"])
        #expect(!ids(here(questions: [inIPv6]).traced(call)).contains("V6C-052"))
    }

    // MARK: Resolver, or test for being online

    @Test func `what was sent on dual-stack tells a question from a test`() {
        let call = TracedCall(.connect, to: "1.1.1.1", 53, at: "a.c:7")
        var flow = direct(to: IPv4Address(1, 1, 1, 1), port: 53)
        #expect(ids(here().traced(call), onDualStack(flows: [flow])) == ["V6C-035"])
        flow.bytesSent = 0
        #expect(ids(here().traced(call), onDualStack(flows: [flow])) == ["V6C-038"])
    }

    @Test func `DNS over HTTPS to a known resolver is a question`() {
        let call = TracedCall(.connect, to: "1.1.1.1", 443, at: "a.c:7")
        let flow = direct(to: IPv4Address(1, 1, 1, 1), port: 443)
        #expect(ids(here().traced(call), onDualStack(flows: [flow])) == ["V6C-035"])
    }

    // MARK: Guards

    @Test func `who could not open its socket refuses nothing`() {
        let failed = TracedCall(.socket, .socket(.ipv6Stream), .failed(.familyNotSupported), at: "a.c:7")
        #expect(!ids(here(questions: [inIPv6]).traced(failed)).contains("V6C-044"))
        #expect(!ids(here(.timedOut(after: .seconds(9)), questions: [inIPv6]).traced()).contains("V6C-044"))
    }
}
