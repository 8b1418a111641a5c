// SPDX-License-Identifier: Apache-2.0
import Wire

/// The refusals that are not logged yet, by user: a user that is refused all the time gets one line a minute.
struct RefusalBook {
    struct Entry {
        var count = 0
        /// The reason of the last refusal.
        var reason: String
        var end: Instant
    }

    private var entries: [UInt32: Entry] = [:]

    private static let interval = Duration.seconds(60)
    /// Limit of users; the refusals of further users are not logged.
    private static let maximumUsers = 256

    /// - Returns: whether it is the first in a while, and to be logged now.
    mutating func note(_ user: UInt32, _ reason: String, at now: Instant) -> Bool {
        if entries[user] != nil {
            entries[user]?.count += 1
            entries[user]?.reason = reason
            return false
        }
        guard entries.count < Self.maximumUsers else { return false }
        entries[user] = Entry(reason: reason, end: now + Self.interval)
        return true
    }

    /// Removes and returns the entries that are due.
    mutating func due(at now: Instant) -> [(user: UInt32, entry: Entry)] {
        let due = entries.filter { $0.value.end <= now }
        for (user, entry) in due {
            entries[user] = entry.count == 0 ? nil : Entry(reason: entry.reason, end: now + Self.interval)
        }
        return due.filter { $0.value.count > 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
