// SPDX-License-Identifier: Apache-2.0
public import Translation
public import Wire

/// A translator's counters; those that need state are zero without it. `received` is the sum of the packets emitted whole, stored and
/// dropped.
public struct Counters: Sendable {
    public var receivedFromIPv6: UInt64 = 0
    public var receivedFromIPv4: UInt64 = 0
    /// Including fragments, ICMP errors and probes of its own.
    public var emittedToIPv6: UInt64 = 0
    public var emittedToIPv4: UInt64 = 0
    /// Packets from the IPv6 side that were sent back to it (RFC 6146 §3.8).
    public var hairpinned: UInt64 = 0
    /// Packets that had to wait: fragments and IPv4 SYNs.
    public var stored: UInt64 = 0
    /// ICMP errors of its own.
    public var errorsSent: UInt64 = 0
    /// ICMP errors of its own that the rate limit suppressed, or that could not be delivered to a hairpinned packet's host.
    public var errorsSuppressed: UInt64 = 0
    /// Probes of idle TCP connections (RFC 6146 §3.5.2.2).
    public var probesSent: UInt64 = 0
    public var sessionsOpened: UInt64 = 0
    public var sessionsClosed: UInt64 = 0

    /// Packets dropped, by reason.
    public var drops = DropCounters()

    public init() {}

    /// All counters except the drops, by the names that are written to files.
    public var named: [NamedCount] {
        [
            NamedCount("received-from-ipv6", receivedFromIPv6), NamedCount("received-from-ipv4", receivedFromIPv4),
            NamedCount("emitted-to-ipv6", emittedToIPv6), NamedCount("emitted-to-ipv4", emittedToIPv4),
            NamedCount("hairpinned", hairpinned), NamedCount("stored", stored),
            NamedCount("errors-sent", errorsSent), NamedCount("errors-suppressed", errorsSuppressed),
            NamedCount("probes-sent", probesSent),
            NamedCount("sessions-opened", sessionsOpened), NamedCount("sessions-closed", sessionsClosed),
        ]
    }
}
