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
