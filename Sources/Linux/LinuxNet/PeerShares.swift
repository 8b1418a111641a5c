// SPDX-License-Identifier: Apache-2.0
/// Divides a number of slots among users, so that no user takes the slots that others need.
///
/// A user that has slots can take more as long as enough are free for others: up to `factor` times the number of free slots. So a
/// single user can have a large part (a half with factor 1, three quarters with 3), and each further user a part of the rest.
/// The last eighth is reserved for root and this process's own user, which can take any free slot.
package struct PeerShares: Sendable {
    package let capacity: Int
    private let factor: Int
    private let reserve: Int
    private let own: UInt32
    private var held: [UInt32: Int] = [:]
    package private(set) var free: Int

    /// - Parameter own: this process's user.
    package init(_ capacity: Int, factor: Int = 1, own: UInt32) {
        self.capacity = capacity
        self.factor = factor
        self.own = own
        reserve = capacity / 8
        free = capacity
    }

    package func count(of user: UInt32) -> Int { held[user, default: 0] }

    package func admits(_ user: UInt32) -> Bool {
        if user == 0 || user == own { return free > 0 }
        let count = count(of: user)
        // A user that already has slots leaves one for a user without any.
        return count == 0 ? free > reserve : count < factor * (free - reserve - 1)
    }

    package mutating func take(for user: UInt32) -> Bool {
        guard admits(user) else { return false }
        held[user, default: 0] += 1
        free -= 1
        return true
    }

    package mutating func give(back user: UInt32) {
        guard let count = held[user] else { preconditionFailure("a slot that nobody took") }
        held[user] = count == 1 ? nil : count - 1
        free += 1
    }

    /// The reason that a user gets no slot now, as part of a sentence.
    /// - Parameter things: the name of the slots, such as "connections".
    package func objection(to user: UInt32, of things: String) -> String {
        let count = count(of: user)
        return free == 0 || count == 0
            ? "all \(capacity) \(things) are in use"
            : "user \(user) has \(count) of the \(capacity) \(things), which is a user's share now"
    }
}
