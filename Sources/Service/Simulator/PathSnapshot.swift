package import NAT64
package import Translation

/// What a packet path looks like at one moment, while it works.
package struct PathSnapshot: Sendable {
    package let traffic: LinkTraffic
    package let drops: [Drop]
    /// The NAT64's; nil on a network without one.
    package let counters: Counters?
    /// Entries in the NAT64's tables, over all protocols.
    package let sessions: Int
    package let bindings: Int
}

extension PathSnapshot {
    init(_ loop: PathLoop) {
        traffic = loop.output.traffic
        drops = loop.output.drops.entries
        (counters, sessions, bindings) = loop.tableCounts
    }
}

/// Table entries, as far as they were asked for.
package struct TableExcerpt<Entry: Sendable>: Sendable {
    package let entries: [Entry]
    /// Entries beyond the limit.
    package let omitted: Int
}

extension PathLoop {
    fileprivate var tableCounts: (Counters?, sessions: Int, bindings: Int) {
        var (sessions, bindings) = (0, 0)
        for transport in TransportProtocol.allCases {
            guard let counts = nat64?.tableCounts(of: transport) else { break }
            sessions += counts.sessions
            bindings += counts.bindings
        }
        return (counters, sessions, bindings)
    }

    /// Nil on a network without a NAT64.
    var counters: Counters? {
        func read(_ nat64: borrowing NAT64) -> Counters { nat64.counters }
        return nat64 == nil ? nil : read(nat64!)
    }

    func sessions(limit: Int) -> TableExcerpt<SessionReport> {
        excerpt(limit: limit) { nat64?.forEachSession($0) }
    }

    func bindings(limit: Int) -> TableExcerpt<BindingReport> {
        excerpt(limit: limit) { nat64?.forEachBinding($0) }
    }

    private func excerpt<Entry>(limit: Int, _ visit: ((Entry) -> Void) -> Void) -> TableExcerpt<Entry> {
        var entries: [Entry] = []
        var omitted = 0
        visit { entry in
            if entries.count < limit { entries.append(entry) } else { omitted += 1 }
        }
        return TableExcerpt(entries: entries, omitted: omitted)
    }
}
