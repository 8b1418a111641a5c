// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Wire

@Suite("The log of queries")
struct QueryLogTests {
    /// A log of four places with this many queries, told apart by their names.
    private func log(_ count: Int) throws -> QueryLog {
        var resolver = Resolver(
            ResolverConfiguration(store: RecordStore([]), networks: [ServedNetwork(policy: .plain)]),
            random: SplitMix64(seed: 1))
        var log = QueryLog(capacity: 4)
        for number in 0..<count {
            let query = Message(
                id: 1, questions: [Question(name: try DomainName("n\(number)"), type: .a)]
            ).encoded()
            var actions: [Resolver.Action] = []
            resolver.receive(
                query.span, from: Endpoint(.ipv6(.loopback), port: 9), over: .udp, ticket: 1, at: .zero, into: &actions)
            for case .record(let record) in actions { log.append(record) }
        }
        return log
    }

    private func names(_ records: [QueryRecord]) -> [String] {
        records.map { $0.question.map { String($0.name.description.dropLast()) } ?? "?" }
    }

    @Test
    func `the oldest query makes room, and every query keeps its number`() throws {
        let log = try log(6)
        #expect(names(log.all) == ["n2", "n3", "n4", "n5"])
        #expect(log.lost == 2 && log.next == 7)
    }

    @Test
    func `a reader asks for what comes next, and learns what it missed`() throws {
        let log = try log(6)
        let all = log.records(from: 0)
        #expect(names(all.records) == ["n2", "n3", "n4", "n5"] && all.first == 3 && all.lost == 2 && all.next == 7)
        let part = log.records(from: 4, limit: 2)
        #expect(names(part.records) == ["n3", "n4"] && part.first == 4 && part.lost == 0 && part.next == 6)
        let none = log.records(from: 7)
        #expect(none.records.isEmpty && none.next == 7 && none.lost == 0)
        #expect(log.records(from: 99).next == 7)
        #expect(try self.log(0).records(from: 0).next == 1)
    }

    @Test(arguments: [(200, 4, 128), (100, 4, 100), (20, 1000, 8)])
    func `of an answer so many records and octets are kept, and the others counted`(
        records: Int, octets: Int, kept: Int
    ) throws {
        let name = try DomainName("many.test")
        let type = RecordType(rawValue: 65_280)
        let store = RecordStore(
            (0..<records).map { number in
                let data = [UInt8](repeating: 0, count: octets - 2) + [UInt8(number >> 8), UInt8(number & 255)]
                return ResourceRecord(name: name, ttl: 60, data: .other(type, data))
            }, zones: [.root])
        var resolver = Resolver(
            ResolverConfiguration(store: store, networks: [ServedNetwork(policy: .plain)]),
            random: SplitMix64(seed: 1))
        let query = Message(id: 1, questions: [Question(name: name, type: type)]).encoded()
        var actions: [Resolver.Action] = []
        resolver.receive(
            query.span, from: Endpoint(.ipv6(.loopback), port: 9), over: .tcp, ticket: 1, at: .zero, into: &actions)
        for case .record(let record) in actions {
            #expect(record.answer.count == kept && record.omittedAnswers == records - kept)
        }
        #expect(actions.count == 2)
    }
}
