// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import NIOPosix
import Synchronization
import Testing
import Wire

@testable import Control

/// How many are being answered.
private final class Running: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock(\.most) }

    func change(by difference: Int) {
        counts.withLock { counts in
            counts.now += difference
            counts.most = max(counts.most, counts.now)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct RequestTurnsTests {
    /// The most that were answered at a time, of a user's requests that all came at once; and how long they took.
    private func answer(
        _ count: Int, of user: UInt32, _ turns: RequestTurns, taking time: Duration
    ) async throws -> (most: Int, elapsed: Duration) {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let running = Running()
        let begin = MonotonicClock.now()
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    try await turns.answer(user, on: loop) {
                        running.change(by: 1)
                        try await Task.sleep(for: time)
                        running.change(by: -1)
                    }
                }
            }
            try await group.waitForAll()
        }
        return (running.most, MonotonicClock.now() - begin)
    }

    @Test func `a user's requests wait for each other, and for the user's share once the advance is used`() async throws
    {
        let turns = RequestTurns(owner: 0, advance: .milliseconds(10))
        let (most, _) = try await answer(3, of: 1, turns, taking: .milliseconds(5))
        #expect(most == 1)
        let (_, elapsed) = try await answer(2, of: 2, turns, taking: .milliseconds(60))
        #expect(elapsed > .milliseconds(400))
    }

    /// Another request goes on until this one has been answered: what waits for it waits for ever.
    @Test(arguments: [(first: 7, second: 7), (first: 1, second: 2)] as [(first: UInt32, second: UInt32)])
    func `the daemon's own user waits for nothing, nor do users for each other`(users: (first: UInt32, second: UInt32))
        async throws
    {
        let turns = RequestTurns(owner: 7)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let (end, endFirst) = AsyncStream<Void>.makeStream()
        let (begin, beginFirst) = AsyncStream<Void>.makeStream()
        async let first: Void = turns.answer(users.first, on: loop) {
            beginFirst.finish()
            for await _ in end {}
        }
        for await _ in begin {}
        try await turns.answer(users.second, on: loop) {}
        endFirst.finish()
        try await first
    }

    @Test func `an answer that fails lets the next one come`() async throws {
        struct Failure: Error {}
        let turns = RequestTurns(owner: 0)
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        await #expect(throws: Failure.self) { try await turns.answer(1, on: loop) { throw Failure() } }
        let answer = try await turns.answer(1, on: loop) { 5 }
        #expect(answer == 5)
    }
}
