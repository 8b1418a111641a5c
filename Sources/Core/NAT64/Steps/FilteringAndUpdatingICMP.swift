// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.5.3, ICMP Query Session Handling. The identifier takes the role of the host's port in UDP; the remote side has none, so its
// port is 0 in every session.

extension NAT64 {
    mutating func icmpQuerySession(
        from host: TransportAddress6, to remote: IPv4Address, prefix: UInt8
    ) throws(Refusal) -> UInt32 {
        try connectionlessSession(
            from: host, to: TransportAddress4(remote, 0), prefix: prefix,
            lifetime: lifetimes.icmpQuery, in: .icmp)
    }

    mutating func icmpQuerySession(
        from remote: IPv4Address, to mapped: TransportAddress4
    ) throws(Refusal) -> UInt32 {
        try connectionlessSession(
            from: TransportAddress4(remote, 0), to: mapped, lifetime: lifetimes.icmpQuery, in: .icmp)
    }
}
