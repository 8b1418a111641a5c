// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Testing
import Translation
import Wire

@Suite("RFC 6147 §5.1: AAAA queries")
struct RFC6147Section5_1Tests {
    private static let soa = "test. 120 IN SOA ns.test. who.test. 1 2 3 4 900"

    @Test
    func `AAAA is looked up first, and a real one is answered as it came (§5.1.1)`() throws {
        let outcome = try answer(.noError, ["a.test. 300 IN AAAA 2001:db8::1"], isAuthentic: true)
        let exchange = try Exchange("a.test", .aaaa, outcomes: [outcome])
        #expect(exchange.lookedUp == ["a.test. IN AAAA"])
        #expect(exchange.resolved.map { .answered($0.answer) } == outcome)
        #expect(exchange.resolved?.rule == .realAAAA)
    }

    @Test
    func `a name error is passed on without asking for A (§5.1.2)`() throws {
        let outcome = try answer(.nameError, authority: [Self.soa])
        let exchange = try Exchange("a.test", .aaaa, outcomes: [outcome])
        #expect(exchange.lookedUp.count == 1)
        #expect(exchange.resolved.map { .answered($0.answer) } == outcome)
    }

    @Test(arguments: (1...15).filter { $0 != 3 }.map { ResponseCode(rawValue: $0) })
    func `every other error counts as an empty answer, so A is asked for (§5.1.2)`(code: ResponseCode) throws {
        let exchange = try Exchange(
            "a.test", .aaaa, outcomes: [answer(code), answer(.noError, ["a.test. 700 IN A 203.0.113.1"])])
        #expect(exchange.lookedUp == ["a.test. IN AAAA", "a.test. IN A"])
        // Without a SOA record 600 seconds are the most (§5.1.7).
        #expect(exchange.records == ["a.test. 600 IN AAAA 2001:db8:64::cb00:7101"])
        #expect(exchange.resolved?.rule == .errorIsEmpty)
    }

    @Test
    func `a time-out counts as an error (§5.1.3)`() throws {
        let exchange = try Exchange(
            "a.test", .aaaa, outcomes: [.timedOut, answer(.noError, ["a.test. 300 IN A 203.0.113.1"])])
        #expect(exchange.records == ["a.test. 300 IN AAAA 2001:db8:64::cb00:7101"])
        #expect(exchange.resolved?.rule == .timeOut)
    }

    @Test
    func `where A times out as well, the client is told of a server failure (§5.1.6)`() throws {
        let exchange = try Exchange("a.test", .aaaa, outcomes: [.timedOut, .timedOut])
        #expect(exchange.code == .serverFailure && exchange.records.isEmpty)
    }

    @Test
    func `an error or an empty answer to A is the answer, with the aliases and no A record (§5.1.6)`() throws {
        let failed = try Exchange("a.test", .aaaa, outcomes: [answer(authority: [Self.soa]), answer(.refused)])
        #expect(failed.code == .refused)

        let empty = try Exchange(
            "a.test", .aaaa,
            outcomes: [
                answer(.serverFailure), answer(.noError, ["a.test. 5 IN CNAME b.test."], authority: [Self.soa]),
            ])
        #expect(empty.code == .noError)
        #expect(empty.records == ["a.test. 5 IN CNAME b.test."])
        #expect(empty.resolved?.answer.authority.map(\.description) == [Self.soa])

        let contradictory = try Exchange(
            "a.test", .aaaa, outcomes: [answer(), answer(.serverFailure, ["a.test. 5 IN A 203.0.113.1"])])
        #expect(contradictory.code == .serverFailure && contradictory.records.isEmpty)
    }

    @Test
    func `an alias without AAAA behind it is followed by asking for A (§5.1.5)`() throws {
        let exchange = try Exchange(
            "a.test", .aaaa,
            outcomes: [
                answer(.noError, ["a.test. 5 IN CNAME b.test."], authority: [Self.soa]),
                answer(.noError, ["a.test. 5 IN CNAME b.test.", "b.test. 300 IN A 203.0.113.1"]),
            ])
        #expect(exchange.lookedUp == ["a.test. IN AAAA", "a.test. IN A"])
        #expect(exchange.records == ["a.test. 5 IN CNAME b.test.", "b.test. 120 IN AAAA 2001:db8:64::cb00:7101"])
    }

    @Test(arguments: [
        (300, "test. 120 IN SOA a. b. 1 2 3 4 900", 120), (60, "test. 120 IN SOA a. b. 1 2 3 4 900", 60),
        (300, "test. 900 IN SOA a. b. 1 2 3 4 30", 30), (300, "test. 900 IN SOA a. b. 1 2 3 4 0", 0),
        (900, "test. 900 IN NS a.", 600), (10, "test. 900 IN NS a.", 10),
    ])
    func `the TTL is the least of the A record's, the SOA record's and its MINIMUM (§5.1.7, RFC 2308 §5)`(
        a: UInt32, authority: String, expected: UInt32
    ) throws {
        let exchange = try Exchange(
            "a.test", .aaaa,
            outcomes: [answer(authority: [authority]), answer(.noError, ["a.test. \(a) IN A 203.0.113.1"])])
        #expect(exchange.resolved?.answer.answer.map(\.ttl) == [expected])
    }

    @Test
    func `a synthesised record has the owner of its A record, in its case, and class IN (§5.1.7)`() throws {
        let exchange = try Exchange(
            "a.test", .aaaa, outcomes: [answer(), answer(.noError, ["A.Test. 1 IN A 203.0.113.1"])])
        #expect(exchange.records == ["A.Test. 1 IN AAAA 2001:db8:64::cb00:7101"])
    }

    @Test
    func `authority and additional sections are those of the last look-up, unchanged (§5.3.2, §5.4)`() throws {
        var last = Answer(source: .world)
        last.answer = [try ResourceRecord(presentation: "a.test. 1 IN A 203.0.113.1", defaultTTL: 0)]
        last.authority = [try ResourceRecord(presentation: "test. 1 IN NS ns.test.", defaultTTL: 0)]
        last.additional = [try ResourceRecord(presentation: "ns.test. 1 IN A 203.0.113.53", defaultTTL: 0)]
        let exchange = try Exchange("a.test", .aaaa, outcomes: [answer(authority: [Self.soa]), .answered(last)])
        #expect(exchange.resolved?.answer.authority == last.authority)
        #expect(exchange.resolved?.answer.additional == last.additional)
    }

    @Test func `signatures over the A records do not survive what is made of them (§5_5)`() throws {
        let signature = "a.test. 1 IN RRSIG A 5 2 1 20300101000000 20200101000000 1 test. AAAA"
        let exchange = try Exchange(
            "a.test", .aaaa,
            outcomes: [
                answer(authority: [Self.soa]), answer(.noError, ["a.test. 1 IN A 203.0.113.1", signature]),
            ])
        #expect(exchange.records == ["a.test. 1 IN AAAA 2001:db8:64::cb00:7101"])
    }

    @Test func `only what was mapped is said to be behind an answer, and why the rest was not (RFC 6052 §3_1)`() throws
    {
        let outcomes = [
            try answer(authority: [Self.soa]),
            try answer(.noError, ["a.test. 1 IN A 10.1.2.3", "a.test. 1 IN A 9.9.9.9"]),
        ]
        let exchange = try Exchange("a.test", .aaaa, policy: .init(prefix: .wellKnown), outcomes: outcomes)
        #expect(exchange.resolved?.synthesisedFrom == [IPv4Address(9, 9, 9, 9)])
        #expect(exchange.resolved?.reason == .notGlobal([IPv4Address(10, 1, 2, 3)]))
    }

    @Test
    func `of a signed set of AAAA records, what the exclusion leaves is unsigned (§5.1.4)`() throws {
        let exchange = try Exchange(
            "a.test", .aaaa,
            outcomes: [
                answer(
                    .noError,
                    [
                        "a.test. 1 IN AAAA 2001:db8::1", "a.test. 1 IN AAAA ::ffff:203.0.113.1",
                        "a.test. 1 IN RRSIG AAAA 5 2 1 20300101000000 20200101000000 1 test. AAAA",
                    ], isAuthentic: true)
            ])
        #expect(exchange.records == ["a.test. 1 IN AAAA 2001:db8::1"])
        #expect(exchange.resolved?.answer.isAuthentic == false)
    }

    @Test
    func `in classes other than IN there is no DNS64 (§5.1)`() throws {
        let question = Question(name: try DomainName("a.test"), type: .aaaa, recordClass: .chaos)
        var resolution = Resolution(.init(question, client: .ipv6(.loopback)), policy: .test)
        #expect(resolution.start() == .lookUp(question))
        guard case .respond(let resolved) = try resolution.receive(answer()) else {
            Issue.record("a second look-up")
            return
        }
        #expect(resolved.answer == Answer(source: .world) && resolved.rule == .otherClass)
    }
}
