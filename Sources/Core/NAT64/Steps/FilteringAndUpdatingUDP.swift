// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.5.1, UDP Session Handling.

extension NAT64 {
    mutating func udpSession(
        from host: TransportAddress6, to remote: TransportAddress4, prefix: UInt8
    ) throws(Refusal) -> UInt32 {
        try connectionlessSession(
            from: host, to: remote, prefix: prefix, lifetime: lifetimes.udp, in: .udp)
    }

    mutating func udpSession(
        from remote: TransportAddress4, to mapped: TransportAddress4
    ) throws(Refusal) -> UInt32 {
        try connectionlessSession(from: remote, to: mapped, lifetime: lifetimes.udp, in: .udp)
    }
}
