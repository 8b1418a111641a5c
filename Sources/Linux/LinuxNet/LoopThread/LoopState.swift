// SPDX-License-Identifier: Apache-2.0
package import Wire

/// What a loop thread has in hand. The thread calls all of this, and no other does.
///
/// A round is: wait; `begin`; the work items and questions of other threads; `handle` for each descriptor that is ready;
/// `advance`.
package protocol LoopState: ~Copyable, SendableMetatype {
    /// When a round begins though nothing is ready; `nil` if only descriptors and other threads wake the loop.
    var nextDeadline: Instant? { get }

    /// A round begins, and this is the time.
    mutating func begin(at now: Instant)

    /// A watched descriptor is ready. It is reported again in the next round unless that was dealt with.
    mutating func handle(_ event: Epoll.Event)

    /// The round's events were dealt with; what time has brought is next.
    mutating func advance()

    /// The last call, after a last round that took what had come before the stop.
    mutating func finish()
}

extension LoopState where Self: ~Copyable {
    package var nextDeadline: Instant? { nil }
    package mutating func begin(at now: Instant) {}
    package mutating func advance() {}
    package mutating func finish() {}
}
