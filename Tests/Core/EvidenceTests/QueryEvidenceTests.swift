import DNS64
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@Suite struct QueryEvidenceTests {
    @Test func `the same question with the same answer is one, however long the answer may be kept`() {
        var later = QueryRecord("shop.test", .a, ["198.51.100.10"], at: .seconds(2), flags: [])
        later.client.port = 40001
        later.answer[0].ttl = 3
        let records = [
            QueryRecord("shop.test", .a, ["198.51.100.10"]), QueryRecord("shop.test", .a, ["198.51.100.11"]), later,
            QueryRecord(nil), QueryRecord("shop.test", .a, ["198.51.100.10"], over: .tcp),
        ]
        let questions = [RepeatedQuery](records, since: .zero)
        #expect(questions.map(\.count) == [2, 1, 1])
        #expect(questions.map(\.first) == [records[0], records[1], records[4]])
    }

    @Test func `the time of a question is that of the first who asked it, counted from the start of the run`() {
        let records = [5, 7].map { QueryRecord("shop.test", .a, ["198.51.100.10"], at: .seconds($0)) }
        let questions = [RepeatedQuery](records, since: .zero + .seconds(4))
        #expect(questions.map(\.first.time) == [.zero + .seconds(1)])
    }

    @Test func `of an address query the addresses are the answer, and else what there is`() {
        let query = RepeatedQuery("www.shop.test", .a, ["CNAME shop.test.", "198.51.100.10"])
        #expect(query.answer == [.a(IPv4Address(198, 51, 100, 10))])
        #expect(query.addresses == ["198.51.100.10"])
        #expect(RepeatedQuery("www.shop.test", .aaaa, ["CNAME shop.test."]).answer == [.cname("shop.test")])
    }

    @Test func `the latest queries are kept, and their times begin with the client`() {
        let records = (0..<(QueryExcerpt.maximum + 3)).map { QueryRecord("shop.test", .a, at: .seconds($0)) }
        let excerpt = QueryExcerpt(records, since: .zero + .seconds(2), lost: 5)
        #expect(excerpt.omitted == 8)
        #expect(excerpt.queries.count == QueryExcerpt.maximum)
        #expect(excerpt.queries.first?.time == .zero + .seconds(1))
    }

    @Test func `a flow has the name that the DNS gave for its address, and no other`() {
        let run = RunEvidence(
            network: .nat64, end: .exited(status: 0), duration: .zero,
            questions: [RepeatedQuery("shop.test", .aaaa, ["64:ff9b::c633:640a"])])
        #expect(run.name(of: Flow(.tcp, "64:ff9b::c633:640a", 80, .direct)) == "shop.test")
        #expect(run.name(of: Flow(.tcp, "64:ff9b::c633:640b", 80, .direct)) == nil)
    }
}
