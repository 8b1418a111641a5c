// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing
import Wire

@testable import DNS64

@Suite("The table of known replies") struct ReplyTableTests {
    private static let client = Endpoint(.ipv6(.loopback), port: 53)

    private func query(_ number: Int) -> [UInt8] { [0, 0] + Array("a query, number \(number)".utf8) }

    private func record(at second: Int) -> QueryRecord {
        QueryRecord(
            time: .zero + .seconds(second), client: Self.client, transport: .udp, question: nil,
            responseCode: .noError, source: .none, rule: .form)
    }

    private func store(
        _ reply: [UInt8], _ number: Int, in cache: inout ReplyCache, at second: Int,
        aging: QueryFacts.Aging = .never
    ) {
        cache.store(reply, to: query(number).span, network: 0, aging: aging, record: record(at: second))
    }

    private func reply(_ number: Int, in cache: ReplyCache, at second: Int) -> [UInt8]? {
        guard let place = cache.find(query(number).span, .udp, network: 0, at: .zero + .seconds(second)) else {
            return nil
        }
        var octets: [UInt8] = []
        cache.write(place, to: &octets)
        return octets
    }

    /// With an identifier of 0.
    private func octets(_ length: Int, _ value: Int) -> [UInt8] {
        [0, 0] + [UInt8](repeating: UInt8(value), count: length)
    }

    @Test func `eight queries that meet in one set are all known, and the ninth takes the oldest one's place`() {
        var cache = ReplyCache(capacity: 8)
        for number in 0..<8 { store(octets(40, number), number, in: &cache, at: number == 3 ? 0 : 1 + number) }
        for number in 0..<8 { #expect(reply(number, in: cache, at: 9) == octets(40, number)) }
        store(octets(40, 8), 8, in: &cache, at: 10)
        for number in 0..<9 { #expect(reply(number, in: cache, at: 11) == (number == 3 ? nil : octets(40, number))) }
    }

    @Test func `one that has expired goes before an older one that has not`() throws {
        let record = try ResourceRecord(presentation: "a.test. 5 IN A 203.0.113.1", defaultTTL: 0)
        var message = Message(id: 0, flags: .response)
        message.answer = [record]
        var cache = ReplyCache(capacity: 8)
        for number in 0..<7 { store(octets(40, number), number, in: &cache, at: 0) }
        store(message.encoded(), 7, in: &cache, at: 1, aging: .countsDown)
        #expect(reply(7, in: cache, at: 5) != nil && reply(7, in: cache, at: 6) == nil)
        store(octets(40, 8), 8, in: &cache, at: 7)
        for number in [0, 1, 2, 3, 4, 5, 6, 8] { #expect(reply(number, in: cache, at: 8) == octets(40, number)) }
    }

    @Test func `a reply takes the place of another one of any length, and no octet of its neighbours`() {
        var cache = ReplyCache(capacity: 16)
        for number in 0..<3 { store(octets(50, number), number, in: &cache, at: 0) }
        for length in [10, 50, 90, 49, 4094, 3, 200] {
            store(octets(length, length & 0xff), 1, in: &cache, at: 1)
            #expect(reply(1, in: cache, at: 2) == octets(length, length & 0xff))
            for number in [0, 2] { #expect(reply(number, in: cache, at: 2) == octets(50, number)) }
        }
    }

    @Test func `what gets new room again and again does not grow beyond the limit`() {
        var cache = ReplyCache(capacity: 16, octets: 1 << 15)
        for turn in 0..<500 {
            let length = 1 + turn * 37 % 3000
            store(octets(length, 7), turn % 5, in: &cache, at: turn)
            #expect(cache.octets <= 1 << 15)
            #expect(reply(turn % 5, in: cache, at: turn) == octets(length, 7))
        }
    }

    @Test func `what grows little by little leaves less room behind than it has`() {
        var cache = ReplyCache(capacity: 16)
        store(octets(1, 1), 1, in: &cache, at: 0)
        let evidence = cache.octets - 64
        for length in stride(from: 1, through: 4094, by: 9) {
            store(octets(length, 1), 1, in: &cache, at: 1)
            #expect(cache.octets - evidence <= 4 * (query(1).count + length) + 128)
        }
        #expect(reply(1, in: cache, at: 2)?.count == 4089)
    }

    @Test func `nothing is kept where nothing is to be kept`() {
        var cache = ReplyCache(capacity: 0)
        store(octets(4, 1), 1, in: &cache, at: 0)
        #expect(reply(1, in: cache, at: 0) == nil && cache.octets == 0)
        cache = ReplyCache(capacity: 8)
        store(octets(4095, 1), 1, in: &cache, at: 0)
        #expect(reply(1, in: cache, at: 0) == nil && cache.octets == 0)
    }

    @Test func `a record that is changed is another one's no longer`() {
        let first = record(at: 0)
        var second = first
        #expect(first == second && first.hashValue == second.hashValue)
        second.rule = .noAAAA
        second.isTruncated = true
        #expect(first.rule == .form && !first.isTruncated && first != second)
    }
}
