// SPDX-License-Identifier: Apache-2.0
import Wire

/// A session table entry (RFC 6146 §3.2): 80 octets, arranged so that a look-up and the following accesses stay within two cache lines.
///
///     (X',x) <--> (Y',y)     IPv6: source is the host, destination is a Pref64 with Y in it
///     (T,t)  <--> (Z,z)      IPv4: T is of the pool, Z = Y, z = y
///
/// The destination's IPv6 address is not stored: it is Y under the Pref64 with the index `prefix`. For an ICMP query, the identifiers are
/// the ports of X' and T, and `remotePort` is 0.
struct Session: PoolEntry {
    /// X', or `::` in a session of a stored IPv4 SYN that no BIB entry awaited.
    var host: IPv6Address
    var remote: IPv4Address
    var mapped: IPv4Address
    var hostPort: UInt16
    var remotePort: UInt16
    var mappedPort: UInt16
    /// CLOSED in a vacant entry; sessions of UDP and ICMP are always ESTABLISHED.
    var state: TCPState
    /// The index of the configured Pref64 that the host uses for this session.
    var prefix: UInt8

    /// When the session expires, if nothing refreshes it.
    var deadline = Instant.zero
    /// Neighbours in the timer's list; `next` is the pool's link in a vacant entry.
    var previous = noEntry
    var next = noEntry

    /// The BIB entry, or `noEntry` in a session of a stored IPv4 SYN that no BIB entry awaited.
    var binding: UInt32
    /// The position in the timer at which the session waits.
    var timerSlot: UInt16 = 0
    /// The stored IPv4 SYN, or `Session.noStoredSYN`.
    var storedSYN = Session.noStoredSYN
    var packetsFromIPv6: UInt32 = 0
    var packetsFromIPv4: UInt32 = 0
    var octetsFromIPv6: UInt64 = 0
    var octetsFromIPv4: UInt64 = 0

    static let noStoredSYN = UInt16.max

    static let vacant = Session(
        host: .unspecified, remote: IPv4Address(bits: 0), mapped: IPv4Address(bits: 0), hostPort: 0, remotePort: 0,
        mappedPort: 0, state: .closed, prefix: 0, binding: noEntry)

    var isVacant: Bool { state == .closed }

    var link: UInt32 {
        get { next }
        set { next = newValue }
    }
}

extension Session {
    var hostTransport: TransportAddress6 { TransportAddress6(host, hostPort) }
    var mappedTransport: TransportAddress4 { TransportAddress4(mapped, mappedPort) }
    var remoteTransport: TransportAddress4 { TransportAddress4(remote, remotePort) }
}
