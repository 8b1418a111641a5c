// SPDX-License-Identifier: Apache-2.0
package import Wire

/// What one of several clients may take of the processors' time on its own account: a twelfth of one, and a little in advance.
///
/// A client that takes more is left alone until that is earned again. What is lost by that is its own, in the queue of its own link or
/// socket; and what it takes of a machine does not depend on how fast it asks.
package struct TimeShare: Sendable {
    static let part = 12

    /// What may be taken before it is earned.
    private let advance: Duration
    private var used = Duration.zero
    private var last = Instant.zero

    package init(advance: Duration) {
        self.advance = advance
    }

    /// Counts the time that a turn took.
    /// - Returns: until when the client is to be left alone; `nil` where it has not had more than its share.
    package mutating func rest(after turn: Duration, at now: Instant) -> Instant? {
        used = max(.zero, used - (now - last) / Self.part) + turn
        last = now
        return used > advance ? now + (used - advance) * Self.part : nil
    }
}
