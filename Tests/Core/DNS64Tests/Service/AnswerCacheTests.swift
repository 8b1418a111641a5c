// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing
import Wire

@testable import DNS64

@Suite("RFC 9520 §3.2: failures in the cache") struct AnswerCacheTests {
    private let key = AnswerCache.Key(
        question: Question(name: try! DomainName("a.test"), type: .a), dnssecOK: false, checkingDisabled: false)
    private let failure = FailedLookUp(
        outcome: .timedOut, failures: [ForwarderFailure(Endpoint(.ipv6(.loopback), port: 53), .hungUp)])

    @Test func `a failure is remembered for twice as long each time, up to five minutes`() {
        var cache = AnswerCache(capacity: 8)
        var now = Instant.zero
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            cache.store(failure, for: key, at: now)
            #expect(cache.failure(of: key, at: now + .milliseconds(1000 * seconds - 1))?.failures == failure.failures)
            now = now + .seconds(seconds)
            #expect(cache.failure(of: key, at: now) == nil)
        }
        // After five quiet minutes it begins anew.
        now = now + .seconds(300)
        cache.store(failure, for: key, at: now)
        #expect(cache.failure(of: key, at: now + .seconds(1)) == nil)
    }

    @Test func `an answer ends what was known of failures`() throws {
        var cache = AnswerCache(capacity: 8)
        cache.store(failure, for: key, at: .zero)
        let record = try ResourceRecord(presentation: "a.test 5 A 9.9.9.9", defaultTTL: 1)
        cache.store(Answer(answer: [record], source: .none), for: key, at: .zero + .seconds(1))
        cache.store(failure, for: key, at: .zero + .seconds(10))
        #expect(cache.failure(of: key, at: .zero + .seconds(11)) == nil)
    }

    @Test func `there are no more of them than the cache holds, and with none nothing is kept`() throws {
        var cache = AnswerCache(capacity: 4)
        for number in 0..<5 {
            var other = key
            other.question = Question(name: try DomainName("a\(number).test"), type: .a)
            cache.store(failure, for: other, at: .zero)
            #expect(cache.failure(of: other, at: .zero) != nil)
        }
        var none = AnswerCache(capacity: 0)
        none.store(failure, for: key, at: .zero)
        #expect(none.failure(of: key, at: .zero) == nil)
    }
}

@Suite struct CacheOctetTests {
    private func key(_ number: Int) throws -> AnswerCache.Key {
        AnswerCache.Key(
            question: Question(name: try DomainName("n\(number).test"), type: .txt), dnssecOK: false,
            checkingDisabled: false)
    }

    private func answer(octets: Int) -> Answer {
        let record = ResourceRecord(name: .root, ttl: 60, data: .other(.txt, [UInt8](repeating: 0, count: octets)))
        return Answer(answer: [record], source: .none)
    }

    @Test func `large answers drive each other out long before the cache has as many as it may`() throws {
        var cache = AnswerCache(capacity: 65_536, octets: 1 << 20)
        for number in 0..<200 {
            cache.store(answer(octets: 60_000), for: try key(number), at: .zero)
            #expect(cache.octets <= 1 << 20)
        }
        #expect(cache.answer(to: try key(199), at: .zero) != nil)
        #expect(cache.answer(to: try key(0), at: .zero) == nil)
        // Small ones still fit beside them, all of them.
        for number in 1000..<1100 { cache.store(answer(octets: 10), for: try key(number), at: .zero) }
        for number in 1000..<1100 { #expect(cache.answer(to: try key(number), at: .zero) != nil) }
        #expect(cache.octets <= 1 << 20)
    }

    @Test func `what is replaced, or has expired, no longer counts`() throws {
        var cache = AnswerCache(capacity: 8, octets: 1 << 20)
        cache.store(answer(octets: 1000), for: try key(0), at: .zero)
        let once = cache.octets
        cache.store(answer(octets: 1000), for: try key(0), at: .zero)
        #expect(once > 1000 && cache.octets == once)
        #expect(cache.answer(to: try key(0), at: .zero + .seconds(60)) == nil)
        #expect(cache.octets == 0)
    }

    @Test func `an answer that would drive out all others is not kept`() throws {
        var cache = AnswerCache(capacity: 8, octets: 4096)
        cache.store(answer(octets: 10), for: try key(0), at: .zero)
        cache.store(answer(octets: 4000), for: try key(1), at: .zero)
        #expect(cache.answer(to: try key(1), at: .zero) == nil)
        #expect(cache.answer(to: try key(0), at: .zero) != nil)
    }

    @Test func `remembered replies are bounded in octets too`() throws {
        var cache = ReplyCache(capacity: 1024, octets: 1 << 16)
        let endpoint = Endpoint(.ipv6(.loopback), port: 53)
        let record = QueryRecord(
            time: .zero, client: endpoint, transport: .tcp, question: nil, responseCode: .noError, source: .none,
            rule: .form)
        for number in 0..<200 {
            let query: [UInt8] = [0, 0] + Array("a query, with number \(number)".utf8)
            cache.store(
                [UInt8](repeating: 0, count: 4000), to: query.span, network: 0, aging: .never, record: record)
            #expect(cache.octets <= 1 << 16)
            #expect(cache.find(query.span, .tcp, network: 0, at: .zero) != nil)
        }
    }
}
