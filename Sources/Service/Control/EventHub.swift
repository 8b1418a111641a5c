import Synchronization

/// Hands every event to every subscriber, and waits for none.
///
/// Each subscriber has a buffer of its own. Where it is full, events are counted instead, and a `lost` event stands in their
/// place as soon as there is room.
package final class EventHub: Sendable {
    private let capacity: Int
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var subscribers: [UInt64: Subscriber] = [:]
        var nextID: UInt64 = 0
        var isFinished = false
    }

    private struct Subscriber {
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
    ///   - capacity: Events that wait for one subscriber.
    ///   - limit: Subscribers at one time.
    package init(capacity: Int = 1024, limit: Int = 16) {
        precondition(capacity > 1 && limit > 0)
        self.capacity = capacity
        self.limit = limit
    }

    /// Events from now on, until the subscriber's task ends or the hub is finished.
    package func subscribe() throws(ControlError) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingOldest(capacity))
        let id: UInt64? = try state.withLock { state throws(ControlError) in
            if state.isFinished { return nil }
            guard state.subscribers.count < limit else {
                throw ControlError(.exhausted, "\(limit) subscribers follow the events already; end one of them first")
            }
            state.nextID += 1
            state.subscribers[state.nextID] = Subscriber(continuation: continuation)
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
        }
        return stream
    }

    package func publish(_ event: Event) {
        state.withLock { state in
            for id in state.subscribers.keys { state.subscribers[id]?.offer(event) }
        }
    }

    /// Ends all streams; there will be no more events.
    ///
    /// A stream's end calls back to here, so none may be ended while the lock is held.
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
    /// Stands where so many events would have been.
    fileprivate static func missing(_ count: Int, before next: Event) -> Event {
        Event(
            .lost, time: next.time, text: "\(count) events are missing here: they came faster than they were read",
            details: ["count": "\(count)"])
    }
}
