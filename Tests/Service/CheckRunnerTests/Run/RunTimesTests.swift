// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import CheckRunner

@Suite struct `The times of a client that runs` {
    private let start = Instant.zero + .seconds(1000)

    private func times(_ timeout: Duration?, grace: Duration = .zero) -> RunTimes {
        RunTimes(start: start, timeout: timeout, grace: grace)
    }

    @Test func `have no end without a limit`() {
        var times = times(nil)
        #expect(times.next(at: start + .seconds(86400), graceEnd: nil) == .wait(until: nil))
        #expect(times.exceeded == nil)
    }

    @Test func `end a client at its limit, not before`() {
        var times = times(.seconds(10))
        #expect(times.next(at: start, graceEnd: nil) == .wait(until: start + .seconds(10)))
        #expect(
            times.next(at: start + .milliseconds(9999), graceEnd: nil) == .wait(until: start + .seconds(10)))
        #expect(times.next(at: start + .seconds(10), graceEnd: nil) == .end(after: .seconds(10)))
    }

    @Test func `ask it to end once, and give it its grace`() {
        var times = times(.seconds(10), grace: .seconds(5))
        #expect(times.next(at: start + .seconds(10), graceEnd: nil) == .askToEnd)
        #expect(times.exceeded == .seconds(10), "it ended by itself because it was asked to")
        #expect(times.next(at: start + .seconds(10), graceEnd: nil) == .wait(until: start + .seconds(15)))
        #expect(times.next(at: start + .seconds(15), graceEnd: nil) == .end(after: .seconds(10)))
    }

    @Test func `end a client that was looked at too late to be asked`() {
        var times = times(.seconds(10), grace: .seconds(5))
        #expect(times.next(at: start + .seconds(60), graceEnd: nil) == .end(after: .seconds(10)))
    }

    @Test func `end with the grace of a signal from the user, if that is earlier`() {
        var times = times(.seconds(10))
        let grace = start + .seconds(3)
        #expect(times.next(at: start + .seconds(1), graceEnd: grace) == .wait(until: grace))
        #expect(times.next(at: grace, graceEnd: grace) == .end(after: .seconds(3)))
        #expect(
            times.next(at: start + .seconds(1), graceEnd: start + .seconds(30)) == .wait(until: start + .seconds(10)))
    }
}
