public import Translation

/// What a NAT64 has done. `received` is the sum of what was emitted whole, stored and dropped.
public struct Counters: Sendable {
    public internal(set) var receivedFromIPv6: UInt64 = 0
    public internal(set) var receivedFromIPv4: UInt64 = 0
    /// Fragments, ICMP errors and probes of our own included.
    public internal(set) var emittedToIPv6: UInt64 = 0
    public internal(set) var emittedToIPv4: UInt64 = 0
    /// Packets that came from the IPv6 side and were turned back to it (RFC 6146 §3.8).
    public internal(set) var hairpinned: UInt64 = 0
    /// Packets that had to wait: fragments and IPv4 SYNs.
    public internal(set) var stored: UInt64 = 0
    /// ICMP errors of our own.
    public internal(set) var errorsSent: UInt64 = 0
    /// ICMP errors of our own that the rate limit held back, or that found no way to a hairpinned packet's host.
    public internal(set) var errorsSuppressed: UInt64 = 0
    /// Probes of idle TCP connections (RFC 6146 §3.5.2.2).
    public internal(set) var probesSent: UInt64 = 0
    public internal(set) var sessionsOpened: UInt64 = 0
    public internal(set) var sessionsClosed: UInt64 = 0

    /// Packets that went nowhere, by reason.
    public internal(set) var drops = DropCounters()

    public init() {}
}
