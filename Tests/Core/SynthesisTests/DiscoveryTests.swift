// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Discovery against a scripted server that is the host's resolver.
@Suite(
    "Discovery",
    .enabled(if: Host.isAvailable && isInstalled("python3"), "needs unshare, ip, user namespaces and python3"))
struct DiscoveryTests {
    struct Exchange {
        var answers: [Substring]
        var queries: [Substring]
        var errors: String
    }

    static let literal = #"198.51.100.10\#t80\#t10,1,0,0"#
    static let wkp = ["64:ff9b::c000:aa", "64:ff9b::c000:ab"]
    static let synthesised: Substring = "0 0/10/1/6/28/80/64:ff9b::c633:640a/0/0/-"
    /// The real getaddrinfo's EAI_ADDRFAMILY.
    static let unsynthesised: Substring = "-9"

    /// Asks, with this server as the resolver, and tells what the server was asked.
    private func exchange(
        _ mode: String, ttl: Int = 300, _ addresses: [String] = wkp, ask: [String] = [], resolver: String? = nil,
        input: [String] = [literal]
    ) throws -> Exchange {
        let log = FileManager.default.temporaryDirectory.appending(path: "queries-\(UUID().uuidString)")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        var host = Host.ipv6Only
        host.resolver = resolver ?? "# a comment\n\nnameserver ::1 # ours\noptions timeout:1\n"
        host.companion =
            ["python3", Toolchain.helpers.appending(path: "nameserver.py").path, log.path, mode, "\(ttl)"] + addresses
        let clock = try Toolchain.build(
            Toolchain.helpers.appending(path: "clock.c"), as: "clock.so", flags: ["-shared", "-fPIC"])
        let outcome = try host.run(
            [try Toolchain.helper("ask")] + ask, preload: [try Toolchain.shim.get(), clock],
            input: input.joined(separator: "\n") + "\n"
        ).successful()
        return Exchange(
            answers: outcome.text.split(separator: "\n"),
            queries: try String(contentsOf: log, encoding: .utf8).split(separator: "\n"), errors: outcome.standardError)
    }

    @Test
    func `The prefix is found by one query over UDP, in mixed case, RD=1 and CD=0`() throws {
        let exchange = try exchange("plain")
        #expect(exchange.answers == [Self.synthesised])
        #expect(exchange.queries == ["udp mixed 0100"] || exchange.queries == ["udp lower 0100"])
    }

    @Test
    func `Two prefixes are both used, in the server's order`() throws {
        let exchange = try exchange("plain", ["2001:db8:64:0:c0:0:aa00:0"] + Self.wkp)
        #expect(
            exchange.answers
                == ["0 0/10/1/6/28/80/2001:db8:64:0:c6:3364:a00:0/0/0/- 0/10/1/6/28/80/64:ff9b::c633:640a/0/0/-"])
    }

    @Test
    func `A truncated answer is asked for again over TCP, and read in pieces`() throws {
        let exchange = try exchange("truncated")
        #expect(exchange.answers == [Self.synthesised])
        #expect(exchange.queries.map { $0.prefix(3) } == ["udp", "tcp"])
    }

    @Test(arguments: ["forged-id", "forged-question", "forged-case", "garbage"])
    func `Forged and broken messages before the answer change nothing`(mode: String) throws {
        #expect(try exchange(mode).answers == [Self.synthesised])
    }

    @Test
    func `A server that folds the case of names is asked once more, without`() throws {
        let exchange = try exchange("folded")
        #expect(exchange.answers == [Self.synthesised])
        #expect(exchange.queries.last == "udp lower 0100")
    }

    @Test(arguments: ["servfail", "nxdomain", "loop", "elsewhere", "cut", "flood", "silent"])
    func `Without a usable answer nothing is synthesised`(mode: String) throws {
        #expect(try exchange(mode).answers == [Self.unsynthesised])
    }

    @Test
    func `An A record is no evidence of DNS64`() throws {
        #expect(try exchange("a-records", ["192.0.0.170", "192.0.0.171"]).answers == [Self.unsynthesised])
    }

    @Test
    func `What was learnt is kept for the records' TTL, and asked for again after it`() throws {
        let advance = { (seconds: Int) in "@advance\t\(seconds)\t\\N" }
        let exchange = try exchange(
            "plain", ttl: 300,
            input: [Self.literal, Self.literal, advance(299), Self.literal, advance(2), Self.literal])
        #expect(exchange.answers == Array(repeating: Self.synthesised, count: 4))
        #expect(exchange.queries.count == 2)
    }

    @Test
    func `That there is no DNS64 is remembered for as long as the SOA says`() throws {
        let exchange = try exchange(
            "soa", ttl: 40, [],
            input: [Self.literal, "@advance\t39\t\\N", Self.literal, "@advance\t2\t\\N", Self.literal])
        #expect(exchange.answers == Array(repeating: Self.unsynthesised, count: 3))
        #expect(exchange.queries.count == 2)
    }

    @Test
    func `A failure is remembered for a while that doubles`() throws {
        // Two rounds at a time: at once, after 5 s, after 10 more.
        let waits = [4, 2, 8, 3].flatMap { ["@advance\t\($0)\t\\N", Self.literal] }
        let exchange = try exchange("servfail", input: [Self.literal] + waits)
        #expect(exchange.answers == Array(repeating: Self.unsynthesised, count: 5))
        #expect(exchange.queries.count == 6)
    }

    @Test(arguments: ["ip addr add 2e00:2:0:1::3/64 dev lo nodad", "echo nameserver fe80::1%lo >>/etc/resolv.conf"])
    func `Another address or another resolver is another network`(command: String) throws {
        let exchange = try exchange("plain", input: [Self.literal, "@run\t\(command)\t\\N", Self.literal])
        #expect(exchange.answers == [Self.synthesised, Self.synthesised])
        #expect(exchange.queries.count == 2)
    }

    @Test
    func `A server that does not answer is passed over for the next`() throws {
        let exchange = try exchange("plain", resolver: "nameserver 2e00:2:0:1::2\nnameserver ::1")
        #expect(exchange.answers == [Self.synthesised])
        #expect(exchange.queries.count == 1)
    }

    @Test(arguments: [["threads", "64"], ["fork"]])
    func `Threads wait for the one that asks, children know what their parent knew`(ask: [String]) throws {
        let exchange = try exchange("plain", ask: ask)
        #expect(exchange.answers == [Self.synthesised])
        #expect(exchange.queries.count == 1)
    }

    @Test
    func `A name with an IPv6 address, and numbers, ask nobody`() throws {
        let exchange = try exchange(
            "plain", input: ["localhost\t80\t\\N", "127.0.0.1\t80\t\\N", "127.1\t80\t0,1,0,0", "::1\t80\t\\N"])
        #expect(exchange.queries == [])
    }
}
