import NAT64
public import Translation

/// What a gateway has done since it was made. What needs state is zero without.
public struct GatewayCounters: Sendable {
    public var receivedFromIPv6: UInt64 = 0
    public var receivedFromIPv4: UInt64 = 0
    /// Fragments, ICMP errors and probes of its own included.
    public var emittedToIPv6: UInt64 = 0
    public var emittedToIPv4: UInt64 = 0
    public var hairpinned: UInt64 = 0
    /// Packets that had to wait: fragments and IPv4 SYNs.
    public var stored: UInt64 = 0
    public var errorsSent: UInt64 = 0
    public var errorsSuppressed: UInt64 = 0
    public var probesSent: UInt64 = 0
    public var sessionsOpened: UInt64 = 0
    public var sessionsClosed: UInt64 = 0
    /// Packets that went nowhere, by the raw values of their reasons.
    private var drops = [UInt64](repeating: 0, count: 1 + Int(UInt8.max))

    public init() {}

    init(_ counters: Counters) {
        receivedFromIPv6 = counters.receivedFromIPv6
        receivedFromIPv4 = counters.receivedFromIPv4
        emittedToIPv6 = counters.emittedToIPv6
        emittedToIPv4 = counters.emittedToIPv4
        hairpinned = counters.hairpinned
        stored = counters.stored
        errorsSent = counters.errorsSent
        errorsSuppressed = counters.errorsSuppressed
        probesSent = counters.probesSent
        sessionsOpened = counters.sessionsOpened
        sessionsClosed = counters.sessionsClosed
        add(counters.drops)
    }

    /// All but the drops, by the names that are written to files.
    public var named: [(name: String, count: UInt64)] {
        [
            ("received-from-ipv6", receivedFromIPv6), ("received-from-ipv4", receivedFromIPv4),
            ("emitted-to-ipv6", emittedToIPv6), ("emitted-to-ipv4", emittedToIPv4),
            ("hairpinned", hairpinned), ("stored", stored),
            ("errors-sent", errorsSent), ("errors-suppressed", errorsSuppressed), ("probes-sent", probesSent),
            ("sessions-opened", sessionsOpened), ("sessions-closed", sessionsClosed),
        ]
    }

    /// Adds what somebody else has dropped.
    public mutating func add(_ other: DropCounters) {
        for reason in DropReason.allCases { drops[Int(reason.rawValue)] &+= other[reason] }
    }

    mutating func count(_ reason: DropReason) { drops[Int(reason.rawValue)] &+= 1 }

    public func drops(_ reason: DropReason) -> UInt64 { drops[Int(reason.rawValue)] }

    public var totalDrops: UInt64 { drops.reduce(0, &+) }

    /// The reasons for which there were drops, in the order of the closed list.
    public var namedDrops: [(reason: DropReason, count: UInt64)] {
        DropReason.allCases.map { ($0, drops($0)) }.filter { $0.1 > 0 }
    }
}
