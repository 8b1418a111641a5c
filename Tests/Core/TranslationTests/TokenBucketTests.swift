// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Translation

@Suite struct TokenBucketTests {
    @Test func `the bucket gives its burst at once and its rate in the long run`() {
        var bucket = TokenBucket(perSecond: 10, burst: 5, now: .zero)
        let atOnce = (0..<10).count { _ in bucket.take(at: .zero) }
        #expect(atOnce == 5)
        let before = bucket.take(at: .zero + .milliseconds(99))
        let after = bucket.take(at: .zero + .milliseconds(100))
        #expect(!before && after)
        let second = (1...1_000).count { bucket.take(at: .zero + .milliseconds(100 + $0)) }
        #expect(second == 10)
        let muchLater = (0..<10).count { _ in bucket.take(at: .distantFuture) }
        #expect(muchLater == 5)
        let backAgain = bucket.take(at: .zero)
        #expect(!backAgain, "time that goes back earns nothing")
    }
}
