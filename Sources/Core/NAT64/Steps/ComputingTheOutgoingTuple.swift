// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.6, Computing the Outgoing Tuple: from the session, or from the BIB entry alone if there is none.

extension NAT64 {
    /// To the IPv4 side: from (T,t) to (Z,z).
    @inline(always)
    mutating func outgoingTuple4(of session: UInt32, in transport: TransportProtocol) -> Tuple4 {
        let session = self[transport].sessions[session]
        // §3.6.2: an ICMP query has one identifier, which is used as both ports.
        return Tuple4(
            source: session.mapped, sourcePort: session.mappedPort, destination: session.remote,
            destinationPort: transport == .icmp ? session.mappedPort : session.remotePort)
    }

    mutating func outgoingTuple4(
        of binding: UInt32, to remote: TransportAddress4, in transport: TransportProtocol
    ) -> Tuple4 {
        let binding = self[transport].bindings[binding]
        return Tuple4(
            source: binding.mapped, sourcePort: binding.mappedPort, destination: remote.address,
            destinationPort: transport == .icmp ? binding.mappedPort : remote.port)
    }

    /// To the IPv6 side: from (Y',y) to (X',x).
    @inline(always)
    mutating func outgoingTuple6(of session: UInt32, in transport: TransportProtocol) -> Tuple6 {
        let session = self[transport].sessions[session]
        return Tuple6(
            source: prefixes[Int(session.prefix)].embed(session.remote),
            sourcePort: transport == .icmp ? session.hostPort : session.remotePort, destination: session.host,
            destinationPort: session.hostPort)
    }

    mutating func outgoingTuple6(
        of binding: UInt32, from remote: TransportAddress4, in transport: TransportProtocol
    ) throws(Refusal) -> Tuple6 {
        try checkPrefix(mayCarry: remote.address, under: 0)
        let binding = self[transport].bindings[binding]
        return Tuple6(
            source: prefixes[0].embed(remote.address),
            sourcePort: transport == .icmp ? binding.hostPort : remote.port, destination: binding.host,
            destinationPort: binding.hostPort)
    }
}
