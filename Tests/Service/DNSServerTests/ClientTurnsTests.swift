// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Testing
import Wire

@testable import DNSServer

@Suite struct ClientTurnsTests {
    /// Keeps the processor for so long.
    private func work(_ time: Duration) {
        let begin = ThreadClock.now()
        while ThreadClock.now() - begin < time {}
    }

    @Test func `a client that takes more than its share rests eight times as long as that`() throws {
        let turns = ClientTurns(advance: .milliseconds(10))
        turns.take {}
        #expect(turns.rest == nil)
        turns.take { work(.milliseconds(20)) }
        let rest = try #require(turns.rest)
        // Time that passes while the turn is counted is no rest any more.
        #expect(rest > MonotonicClock.now() + .milliseconds(40))
        let isEarly = turns.resume(MonotonicClock.now())
        let isOver = turns.resume(rest)
        #expect(!isEarly && isOver && turns.rest == nil)
    }

    @Test func `where there are no others it never rests`() {
        let turns = ClientTurns(advance: nil)
        turns.take { work(.milliseconds(20)) }
        #expect(turns.rest == nil)
    }
}
