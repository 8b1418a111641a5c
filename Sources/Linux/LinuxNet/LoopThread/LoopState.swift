// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The state that a loop thread owns. Only that thread calls these methods.
///
/// A round is: wait; `begin`; the work items and questions of other threads; `handle` for each descriptor that is ready;
/// `advance`.
package protocol LoopState: ~Copyable, SendableMetatype {
    /// When a round begins even if nothing is ready; `nil` if only descriptors and other threads wake the loop.
    var nextDeadline: Instant? { get }

    /// A round begins at this time.
    mutating func begin(at now: Instant)

    /// A watched descriptor is ready. It is reported again in the next round unless it was handled.
    mutating func handle(_ event: Epoll.Event)

    /// The round's events were handled; now handle expired deadlines.
    mutating func advance()

    /// The last call, after a final round that handled the requests from before the stop.
    mutating func finish()
}

extension LoopState where Self: ~Copyable {
    package var nextDeadline: Instant? { nil }
    package mutating func begin(at now: Instant) {}
    package mutating func advance() {}
    package mutating func finish() {}
}
