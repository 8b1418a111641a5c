// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Synchronization
import Text

/// Delivers every event to every subscriber, and waits for none.
///
/// Each subscriber has a buffer of its own. If it is full, events are counted instead, and replaced by a `lost` event as soon as
/// there is room.
package final class EventHub: Sendable {
    private let capacity: Int
    private let owner: UInt32
    private let state: Mutex<State>

    private struct State {
        var shares: PeerShares
        var subscribers: [UInt64: Subscriber] = [:]
        var nextID: UInt64 = 0
        var isFinished = false
    }

    private struct Subscriber {
        let user: UInt32
        let continuation: AsyncStream<Event>.Continuation
        var lost = 0

        mutating func offer(_ event: Event) {
            if lost > 0 {
                guard case .enqueued = continuation.yield(.missing(lost, before: event)) else { return lost += 1 }
                lost = 0
            }
            if case .dropped = continuation.yield(event) { lost += 1 }
        }
    }

    /// - Parameters:
    ///   - capacity: Events that are queued for one subscriber.
    ///   - limit: Subscribers at one time, of which a user has a share.
    ///   - owner: the daemon's user, whose share is not limited.
    package init(capacity: Int = 1024, limit: Int = 16, ownedBy owner: UInt32) {
        precondition(capacity > 1 && limit > 0)
        self.capacity = capacity
        self.owner = owner
        state = Mutex(State(shares: PeerShares(limit, own: owner)))
    }

    /// Events from now on, until the subscriber's task ends or the hub is finished.
    /// - Parameter user: the subscriber; `nil` for the owner.
    package func subscribe(_ user: UInt32? = nil) throws(ControlError) -> AsyncStream<Event> {
        let user = user ?? owner
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingOldest(capacity))
        let id: UInt64? = try state.withLock { state throws(ControlError) in
            if state.isFinished { return nil }
            guard state.shares.take(for: user) else {
                throw ControlError(
                    .exhausted, state.shares.objection(to: user, of: "streams of events") + "; end one of them first")
            }
            state.nextID += 1
            state.subscribers[state.nextID] = Subscriber(user: user, continuation: continuation)
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                if let gone = state.subscribers.removeValue(forKey: id) { state.shares.give(back: gone.user) }
            }
        }
        return stream
    }

    package func publish(_ event: Event) {
        state.withLock { state in
            for id in state.subscribers.keys { state.subscribers[id]?.offer(event) }
        }
    }

    /// Ends all streams; there are no events after that.
    ///
    /// A stream's end calls back to this hub, so none may be ended while the lock is held.
    package func finish() {
        let subscribers = state.withLock { state in
            state.isFinished = true
            defer { state.subscribers = [:] }
            return state.subscribers.values.map(\.continuation)
        }
        for continuation in subscribers { continuation.finish() }
    }
}

extension Event {
    /// The event that replaces this many lost events.
    fileprivate static func missing(_ count: Int, before next: Event) -> Event {
        Event(
            .lost, time: next.time,
            text: "\(counted(count, "event is", "events are")) missing here: they came faster than they were read",
            details: ["count": "\(count)"])
    }
}
