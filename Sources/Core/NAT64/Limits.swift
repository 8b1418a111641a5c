// SPDX-License-Identifier: Apache-2.0
/// Limits of the state. A packet that would exceed one is dropped, and counted.
public struct Limits: Sendable, Hashable {
    /// Session table entries for each of UDP, TCP and ICMP.
    public var sessions = 4 << 20
    /// BIB entries for each of UDP, TCP and ICMP, including those held back from reuse.
    public var bindings = 4 << 20
    /// BIB entries in all three tables for one IPv6 host (RFC 6888 REQ-4); `nil` for no quota.
    public var bindingsPerHost: Int?
    /// Sessions in all three tables for one IPv6 host (RFC 6888 REQ-5); `nil` for no quota.
    public var sessionsPerHost: Int?
    /// Unsolicited IPv4 SYNs stored at a time (RFC 6146 §5.3).
    public var storedSYNs = 256
    /// Datagrams whose fragments are tracked at a time.
    public var fragmentedDatagrams = 4_096
    /// Octets of fragments stored at a time, in blocks of 512.
    public var fragmentOctets = 4 << 20

    public init() {}

    /// The maximum that the tables' numbering allows.
    static let maximum = 1 << 30
    static let maximumStoredSYNs = 8_192
    /// Each pool address takes 24 KB of port maps.
    static let maximumPoolAddresses = 4_096
    static let maximumPrefixes = 64
}
