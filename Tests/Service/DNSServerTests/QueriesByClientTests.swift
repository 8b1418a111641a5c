// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Evidence
import Testing
import Wire

@testable import DNSServer

@Suite struct QueriesByClientTests {
    private static let resolver = Endpoint(.ipv6(IPv6Address("2e00:2:0:1::1")!), port: 53)

    private func query(_ text: String, from number: Int) throws -> QueryRecord {
        let name = try DomainName(text)
        var record = QueryRecord(
            time: .zero, client: Endpoint(.ipv6(IPv6Address(bits: 0xfd00 << 112 | UInt128(number))), port: 4000),
            transport: .udp, question: Question(name: name, type: .a), responseCode: .noError, source: .world,
            rule: .noAAAA)
        record.answer = [
            ResourceRecord(name: name, ttl: 60, data: try RecordData(type: .a, presentation: "198.51.100.10"))
        ]
        return record
    }

    @Test func `each address has its own questions`() throws {
        var askers = QueriesByClient(limit: 4, resolver: Self.resolver)
        for (name, number) in [("a.test", 1), ("b.test", 1), ("a.test", 2), ("a.test", 1)] {
            askers.take(try query(name, from: number))
        }
        #expect(askers.all.map { $0.queries.questions.map(\.count) } == [[2, 1], [1]])
        #expect(askers.all.allSatisfy { $0.queries.lost == 0 && $0.queries.excerpt.queries.isEmpty })
    }

    @Test func `who is not served has no place`() throws {
        var askers = QueriesByClient(limit: 4, resolver: Self.resolver)
        var refused = try query("a.test", from: 1)
        refused.refusal = .otherClient
        askers.take(refused)
        #expect(askers.all.isEmpty)
    }

    @Test func `one that asks for 50,000 names fills its own place`() throws {
        var askers = QueriesByClient(limit: 4, resolver: Self.resolver)
        for number in 0..<50_000 { askers.take(try query("n\(number).test", from: 1)) }
        askers.take(try query("shop.test", from: 2))
        #expect(askers.all.map(\.queries.questions.count) == [512, 1])
        #expect(askers.all[0].queries.lost == 50_000 - 512)
    }

    @Test func `all addresses together have so much room`() throws {
        var askers = QueriesByClient(limit: 1000, resolver: Self.resolver)
        var records = try (0..<120).map { try query("n\($0).test", from: 0) }
        for asker in 0..<1000 {
            let client = try query("n.test", from: asker).client
            for number in records.indices {
                records[number].client = client
                askers.take(records[number])
            }
        }
        let counts = askers.all.map(\.queries.questions.count)
        let all = counts.reduce(0, +)
        #expect(all <= 108_200)
        #expect(counts.allSatisfy { $0 >= 8 })
    }
}
