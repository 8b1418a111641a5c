// SPDX-License-Identifier: Apache-2.0
import Wire

/// A BIB entry (RFC 6146 §3.1): (X',x) <--> (T,t), in 48 octets.
struct Binding: PoolEntry {
    enum Life: UInt8 {
        case vacant
        /// Made by a session, and removed with its last one.
        case dynamic
        /// Configured and permanent.
        case permanent
        /// Without sessions; its IPv4 transport address is reserved for the hold-off time.
        case held
    }

    var host: IPv6Address
    var mapped: IPv4Address
    var hostPort: UInt16
    var mappedPort: UInt16
    var life: Life
    /// The number of the host's entry in the host table.
    var hostNumber: UInt32
    var sessions: UInt32 = 0
    /// Neighbours among the held entries; `next` is the pool's link in a vacant entry.
    var previous = noEntry
    var next = noEntry
    var heldUntil = Instant.zero

    static let vacant = Binding(
        host: .unspecified, mapped: IPv4Address(bits: 0), hostPort: 0, mappedPort: 0, life: .vacant,
        hostNumber: noEntry)

    var isVacant: Bool { life == .vacant }

    var link: UInt32 {
        get { next }
        set { next = newValue }
    }
}

extension Binding {
    var hostTransport: TransportAddress6 { TransportAddress6(host, hostPort) }
    var mappedTransport: TransportAddress4 { TransportAddress4(mapped, mappedPort) }
}
