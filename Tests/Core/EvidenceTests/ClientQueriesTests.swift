// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Testing
import Wire

@testable import Evidence

@Suite struct ClientQueriesTests {
    private func log(_ records: [QueryRecord], since start: Duration = .zero) -> ClientQueries {
        var log = ClientQueries(since: .zero + start, resolver: Endpoint("2e00:2:0:1::1", port: 53))
        for record in records { log.take(record) }
        return log
    }

    @Test func `the same question with the same answer is one, however long the answer may be kept`() {
        var later = QueryRecord("shop.test", .a, ["198.51.100.10"], at: .seconds(2), flags: [])
        later.client.port = 40001
        later.answer[0].ttl = 3
        let records = [
            QueryRecord("shop.test", .a, ["198.51.100.10"]), QueryRecord("shop.test", .a, ["198.51.100.11"]), later,
            QueryRecord(nil), QueryRecord("shop.test", .a, ["198.51.100.10"], over: .tcp),
        ]
        let log = log(records)
        #expect(log.questions.map(\.count) == [2, 1, 1])
        #expect(log.questions.map(\.first) == [records[0], records[1], records[4]])
        #expect(log.excerpt == QueryExcerpt(records) && log.lost == 0 && log.refusals.all.isEmpty)
    }

    @Test func `the time of a question is that of the first who asked it, counted from the start of the run`() {
        let records = [5, 7].map { QueryRecord("shop.test", .a, ["198.51.100.10"], at: .seconds($0)) }
        #expect(log(records, since: .seconds(4)).questions.map(\.first.time) == [.zero + .seconds(1)])
    }

    @Test func `what was asked before the client came is another's`() {
        let log = log([QueryRecord("shop.test", .a, at: .seconds(3))], since: .seconds(4))
        #expect(log.questions.isEmpty && log.excerpt == QueryExcerpt())
    }

    @Test func `the latest queries are kept, and their times begin with the client`() {
        let count = QueryExcerpt.maximum + 3
        let excerpt = log((0..<count).map { QueryRecord("shop.test", .a, at: .seconds($0)) }).excerpt
        #expect(excerpt.omitted == 3 && excerpt.queries.count == QueryExcerpt.maximum)
        #expect(excerpt.queries.map(\.time) == (3..<count).map { .zero + .seconds($0) })
    }

    @Test func `names that lead nowhere push out none that lead somewhere, and what is not kept is counted`() {
        let flood = (0..<5000).map { QueryRecord(try! DomainName("n\($0).test"), code: .nameError) }
        let found = (0..<3).map { QueryRecord(try! DomainName("found\($0).test"), .aaaa, ["2001:db8::\($0)"]) }
        let log = log(flood + found + flood.prefix(10))
        let others = ClientQueries.Limits().others
        #expect(log.questions.count == others + 3 && log.lost == 5000 - others)
        #expect(log.questions.first?.first == flood[0] && log.questions.first?.count == 2)
        #expect(log.questions.suffix(3).map(\.question.name) == ["found0.test", "found1.test", "found2.test"])
    }

    @Test func `an answer that is not kept whole is counted`() {
        var record = QueryRecord("many.test", .a, ["198.51.100.10"])
        record.omittedAnswers = 1
        #expect(log([record]).lost == 1)
    }

    @Test func `what the server had no room for is a refusal, one entry for each reason`() {
        var refused = QueryRecord("shop.test", code: .serverFailure, at: .seconds(5))
        refused.refusal = .tooMany
        var log = log([refused, refused], since: .seconds(4))
        log.refuse(.connectionRefused, .tcp, at: .zero + .seconds(7))
        #expect(
            log.refusals.all == [
                WorldRefusal(.queryRefused, .udp, "2e00:2:0:1::1", port: 53, count: 2, first: .seconds(1)),
                WorldRefusal(.connectionRefused, .tcp, "2e00:2:0:1::1", port: 53, first: .seconds(3)),
            ])
    }
}
