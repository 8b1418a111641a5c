// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LinuxNet
import NIOCore
import Synchronization
import Topology
import Wire

/// Queues the requests of a user, one at a time and within the user's share of the processors: a user that asks for long answers
/// without end delays no other user.
/// A request whose connection has ended meanwhile is skipped, and requests beyond the limit that wait for one user are refused.
final class RequestTurns: Sendable {
    private struct Queue {
        /// Kept after the last request, so that used time still counts.
        var share: TimeShare
        var last: EventLoopFuture<Void>?
        var waiting = 0
    }

    /// The daemon's user, whose requests never wait.
    private let owner: UInt32
    private let advance: Duration
    private let queues = Mutex([UInt32: Queue]())

    /// Requests per user, more than there can be connections: some of them have ended.
    private static let waitingLimit = 256
    /// Users that are remembered although they have no waiting request.
    private static let limit = 256

    /// - Parameter advance: enough for some ten of the longest answers.
    init(owner: UInt32, advance: Duration = .seconds(1)) {
        self.owner = owner
        self.advance = advance
    }

    /// - Parameter isWanted: whether there is still a connection to answer.
    func answer<Answer>(
        _ user: UInt32, on loop: any EventLoop, ifWanted isWanted: () -> Bool = { true },
        _ answer: () async throws -> Answer
    ) async throws -> Answer {
        guard user != owner else { return try await answer() }
        let end = loop.makePromise(of: Void.self)
        let previous = try queues.withLock { queues throws(PeerGate.Refusal) in
            if queues.count > Self.limit { queues = queues.filter { $0.value.waiting > 0 } }
            var queue = queues[user, default: Queue(share: TimeShare(advance: advance))]
            guard queue.waiting < Self.waitingLimit else { throw Self.refusal }
            let previous = queue.last
            queue.last = end.futureResult
            queue.waiting += 1
            queues[user] = queue
            return previous
        }
        try? await previous?.get()
        let begin = MonotonicClock.now()
        defer { finish(end, of: user, begun: begin, on: loop) }
        guard isWanted() else { throw ChannelError.alreadyClosed }
        return try await answer()
    }

    private static let refusal = PeerGate.Refusal(
        problem: Problem(.tooManyRequests, "\(waitingLimit) requests of this user wait for their turn already"))

    private func finish(_ end: EventLoopPromise<Void>, of user: UInt32, begun begin: Instant, on loop: any EventLoop) {
        let now = MonotonicClock.now()
        let rest = queues.withLock { queues in
            queues[user]?.waiting -= 1
            return queues[user]?.share.rest(after: now - begin, at: now)
        }
        loop.scheduleTask(in: TimeAmount((rest ?? now) - now)) { end.succeed() }
    }
}
