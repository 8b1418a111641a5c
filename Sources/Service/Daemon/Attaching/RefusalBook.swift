// SPDX-License-Identifier: Apache-2.0
import Wire

/// The refusals that the log has not told yet, by user: a user who is refused all the time has one line a minute.
struct RefusalBook {
    struct Entry {
        var count = 0
        /// The last one's.
        var reason: String
        var end: Instant
    }

    private var entries: [UInt32: Entry] = [:]

    private static let interval = Duration.seconds(60)
    /// Users; what happens to more of them is not told.
    private static let maximumUsers = 256

    /// - Returns: whether it is the first in a while, and to be told now.
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

    /// Takes what is to be told now.
    mutating func due(at now: Instant) -> [(user: UInt32, entry: Entry)] {
        let due = entries.filter { $0.value.end <= now }
        for (user, entry) in due {
            entries[user] = entry.count == 0 ? nil : Entry(reason: entry.reason, end: now + Self.interval)
        }
        return due.filter { $0.value.count > 0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
