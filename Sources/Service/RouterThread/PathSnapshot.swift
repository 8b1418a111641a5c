// SPDX-License-Identifier: Apache-2.0
package import NAT64
package import Router
package import Translation

/// The state of a packet path at one moment, while it runs.
package struct PathSnapshot: Sendable {
    package let traffic: LinkTraffic
    package let drops: [Drop]
    /// The counters of the NAT64; `nil` on a network without one.
    package let counters: Counters?
    /// Entries in the NAT64's tables, over all protocols.
    package let sessions: Int
    package let bindings: Int
}

extension PathSnapshot {
    init(_ router: borrowing Router) {
        traffic = router.traffic
        drops = router.drops.entries
        counters = router.translatorCounters
        let counts = router.tableCounts
        sessions = counts.sessions
        bindings = counts.bindings
    }
}

/// Table entries, up to the requested limit.
package struct TableExcerpt<Entry: Sendable>: Sendable {
    package let entries: [Entry]
    /// Entries beyond the limit.
    package let omitted: Int
}

extension TableExcerpt {
    /// The first `limit` entries of those that `visit` shows.
    init(limit: Int, _ visit: ((Entry) -> Void) -> Void) {
        var entries: [Entry] = []
        var omitted = 0
        visit { entry in
            if entries.count < limit { entries.append(entry) } else { omitted += 1 }
        }
        self.entries = entries
        self.omitted = omitted
    }
}
