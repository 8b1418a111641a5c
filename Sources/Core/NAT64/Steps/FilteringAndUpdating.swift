// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.5, Filtering and Updating Binding and Session Information: the part that UDP (§3.5.1) and ICMP queries (§3.5.3) have in
// common. The remote transport address is always the IPv4 one; a packet from the IPv6 side has it under a Pref64.

extension NAT64 {
    /// The session of a packet from the IPv6 side, made with its BIB entry if necessary.
    mutating func connectionlessSession(
        from host: TransportAddress6, to remote: TransportAddress4, prefix: UInt8, lifetime: Interval,
        in transport: TransportProtocol
    ) throws(Refusal) -> UInt32 {
        if let number = self[transport].sessions.find(from: host, to: remote) {
            try checkPrefix(of: number, is: prefix, in: transport)
            let deadline = now + lifetime
            self[transport].sessions.refresh(number, deadline: deadline)
            return number
        }
        try checkRoomForSession(of: host.address, in: transport)
        let binding = try binding(of: host, in: transport)
        return openSession(
            of: binding, with: remote, prefix: prefix, state: .established, lifetime: lifetime, in: transport)
    }

    /// The session of a packet from the IPv4 side, made if its BIB entry admits the packet.
    mutating func connectionlessSession(
        from remote: TransportAddress4, to mapped: TransportAddress4, lifetime: Interval,
        in transport: TransportProtocol
    ) throws(Refusal) -> UInt32 {
        if let number = self[transport].sessions.find(from: remote, to: mapped) {
            if configuration.refreshesFromIPv4 {
                let deadline = now + lifetime
                self[transport].sessions.refresh(number, deadline: deadline)
            }
            return number
        }
        guard let binding = self[transport].bindings.find(mapped: mapped) else {
            throw Refusal(.noBinding, answer: .addressUnreachable)
        }
        try checkAddressDependentFilter(of: binding, for: remote.address, in: transport)
        try checkPrefix(mayCarry: remote.address, under: 0)
        try checkRoomForSession(of: self[transport].bindings[binding].host, in: transport)
        return openSession(
            of: binding, with: remote, prefix: 0, state: .established, lifetime: lifetime, in: transport)
    }

    /// RFC 6146 §3.5.1: under address-dependent filtering, only addresses with which the mapping has a session may send to it.
    func checkAddressDependentFilter(
        of binding: UInt32, for remote: IPv4Address, in transport: TransportProtocol
    ) throws(Refusal) {
        if configuration.filtering == .endpointIndependent { return }
        if self[transport].peers.contains(binding, remote) { return }
        throw Refusal(.filtered, answer: .administrativelyProhibited)
    }

    /// Two Pref64s make two IPv6 destinations of one IPv4 address. Packets from there could be for either, as endpoint-independent mapping
    /// gives both the same (T,t); so only the first one is accepted.
    mutating func checkPrefix(of session: UInt32, is prefix: UInt8, in transport: TransportProtocol) throws(Refusal) {
        if self[transport].sessions[session].prefix != prefix {
            throw Refusal(.prefixConflict, answer: .addressUnreachable)
        }
    }
}
