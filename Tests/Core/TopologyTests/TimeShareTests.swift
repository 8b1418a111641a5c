// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Topology

@Suite struct TimeShareTests {
    private let begin = Instant.zero + .seconds(100)

    @Test func `who takes less than the share is never left alone`() {
        var share = TimeShare(advance: .milliseconds(20))
        for turn in 0..<10_000 {
            let rest = share.rest(after: .microseconds(80), at: begin + .milliseconds(turn))
            #expect(rest == nil)
        }
    }

    @Test func `who takes all that there is has the share, and the advance once`() {
        var share = TimeShare(advance: .milliseconds(20))
        var (now, served) = (begin, Duration.zero)
        while now - begin < .seconds(10) {
            let end = now + .microseconds(200)
            served += .microseconds(200)
            now = share.rest(after: .microseconds(200), at: end) ?? end
        }
        #expect(.milliseconds(840)...(.milliseconds(870)) ~= served)
    }

    @Test func `the advance comes again with time, and not more than that`() {
        var share = TimeShare(advance: .milliseconds(20))
        let first = share.rest(after: .milliseconds(30), at: begin)
        #expect(first == begin + .milliseconds(120))
        let later = share.rest(after: .milliseconds(20), at: begin + .seconds(60))
        #expect(later == nil)
        let last = share.rest(after: .milliseconds(1), at: begin + .seconds(60))
        #expect(last == begin + .seconds(60) + .milliseconds(12))
    }
}
