// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A client's share of the processors' time on its own account: a twelfth of one processor, and a little in advance.
///
/// A client that exceeds it is not served until it has earned the time again. It alone bears the loss, in the queue of its own link or
/// socket; and its use of the machine does not depend on how fast it asks.
package struct TimeShare: Sendable {
    static let part = 12

    /// The time that a client may use before it has earned it.
    private let advance: Duration
    private var used = Duration.zero
    private var last = Instant.zero

    package init(advance: Duration) {
        self.advance = advance
    }

    /// Counts the time that a turn took.
    /// - Returns: until when the client is not to be served; `nil` if it has not exceeded its share.
    package mutating func rest(after turn: Duration, at now: Instant) -> Instant? {
        used = max(.zero, used - (now - last) / Self.part) + turn
        last = now
        return used > advance ? now + (used - advance) * Self.part : nil
    }
}
