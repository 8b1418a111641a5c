// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// An ICMP error has the reversed tuple of the packet that it quotes (RFC 6146 §3.4), and that packet's session or BIB entry decides how
// both headers are translated. Errors create no state, refresh none and remove none (RFC 5508 REQ-4, REQ-6; RFC 7857 §4), and they come
// from any address: no filter checks their source (RFC 5508 REQ-4 and REQ-5).
//
// An ICMP query has an identifier instead of ports: a tuple has it as both, a session's remote has port 0.

extension NAT64 {
    // MARK: - From the IPv6 side

    /// An error about a packet that we sent to the host (X',x), from (Y',y).
    mutating func translateError(
        _ packet: inout PacketBuffer, _ incoming: IncomingPacket6, _ output: any PacketOutput
    ) throws(Refusal) {
        let layout = incoming.layout
        let quoted: IPv6Layout
        do { quoted = try layout.quotedPacket(in: packet.bytes) } catch { throw Refusal(.malformedICMPError) }
        let transport = try quotedTransport(quoted.transport)
        if quoted.source != layout.destination { throw Refusal(.malformedICMPError) }

        let host = TransportAddress6(quoted.destination, quoted.transport.destinationPort)
        let remotePort = transport == .icmp ? 0 : quoted.transport.sourcePort
        let remote = TransportAddress4(incoming.remote, remotePort)
        let mapped = try mappedAddress(of: host, talkingTo: remote, in: transport)

        // RFC 6791 §3: a router on the path has no IPv4 address; it borrows the NAT64's.
        let source = layout.source == host.address ? mapped.address : configuration.errors.ipv4Source
        let outer = Tuple4(source: source, destination: remote.address)
        let inner = Tuple4(
            source: remote.address, sourcePort: transport == .icmp ? mapped.port : remote.port,
            destination: mapped.address, destinationPort: mapped.port)
        let outcome = translator.translateError(&packet, layout, quoting: quoted, to: outer, quotedTo: inner)
        if case .translated = outcome, pool.contains(outer.destination) {
            hairpin(&packet, output)
        } else {
            try forward(&packet, outcome, to: .ipv4, nil, output)
        }
    }

    private mutating func mappedAddress(
        of host: TransportAddress6, talkingTo remote: TransportAddress4, in transport: TransportProtocol
    ) throws(Refusal) -> TransportAddress4 {
        if let session = self[transport].sessions.find(from: host, to: remote) {
            return self[transport].sessions[session].mappedTransport
        }
        // Unlike find(mapped:), find(host:) also returns held entries.
        guard let binding = self[transport].bindings.find(host: host),
            self[transport].bindings[binding].life != .held
        else { throw Refusal(.noSessionForICMPError) }
        return self[transport].bindings[binding].mappedTransport
    }

    // MARK: - From the IPv4 side

    /// An error about a packet that we sent to (Z,z), from (T,t).
    mutating func translateError(
        _ packet: inout PacketBuffer, _ incoming: IncomingPacket4, _ output: any PacketOutput
    ) throws(Refusal) {
        let layout = incoming.layout
        let quoted: IPv4Layout
        do { quoted = try layout.quotedPacket(in: packet.bytes) } catch { throw Refusal(.malformedICMPError) }
        let transport = try quotedTransport(quoted.transport)
        if quoted.source != layout.destination { throw Refusal(.malformedICMPError) }

        let mapped = TransportAddress4(quoted.source, quoted.transport.sourcePort)
        let remotePort = transport == .icmp ? 0 : quoted.transport.destinationPort
        let remote = TransportAddress4(quoted.destination, remotePort)
        // We never send a packet to such an address.
        if remote.address.isIllegal { throw Refusal(.illegalDestination) }
        let (host, prefix) = try hostAddress(of: mapped, talkingTo: remote, in: transport)
        if !mayAppear(remote.address, under: prefix) { throw Refusal(.nonGlobalIPv4) }

        let source = errorSource(of: layout.source, about: remote.address, under: prefix)
        let outer = Tuple6(source: source, destination: host.address)
        let inner = Tuple6(
            source: host.address, sourcePort: host.port,
            destination: prefixes[Int(prefix)].embed(remote.address),
            destinationPort: transport == .icmp ? host.port : remote.port)
        let outcome = translator.translateError(
            &packet, layout, quoting: quoted, to: outer, quotedTo: inner, isForwarded: incoming.origin.isForwarded)
        try forward(&packet, outcome, to: .ipv6, nil, output)
    }

    /// The IPv6 source of the error that `router` sent about a packet to `remote`, under the Pref64 with the index `prefix`. Unless routers
    /// keep their addresses, it is remote's. A borrowed address replaces a router's link-local address, which is not forwarded (RFC 3927
    /// §2.7, §7), and an address that the prefix must not carry, such as a private one.
    private mutating func errorSource(
        of router: IPv4Address, about remote: IPv4Address, under prefix: UInt8
    ) -> IPv6Address {
        if !configuration.errors.keepsRouterAddresses { return prefixes[Int(prefix)].embed(remote) }
        if !router.isLinkLocal && mayAppear(router, under: prefix) { return prefixes[Int(prefix)].embed(router) }
        return errorSources.ipv6(for: router) ?? configuration.errors.ipv6Source
    }

    /// The host on the IPv6 side, and the index of its Pref64.
    private mutating func hostAddress(
        of mapped: TransportAddress4, talkingTo remote: TransportAddress4, in transport: TransportProtocol
    ) throws(Refusal) -> (TransportAddress6, prefix: UInt8) {
        // A session of a stored SYN may have no BIB entry, and so no host.
        if let session = self[transport].sessions.find(from: remote, to: mapped),
            self[transport].sessions[session].binding != noEntry
        {
            let session = self[transport].sessions[session]
            return (session.hostTransport, session.prefix)
        }
        guard let binding = self[transport].bindings.find(mapped: mapped) else {
            throw Refusal(.noSessionForICMPError)
        }
        // A BIB entry has no Pref64: the first is used, as for sessions that the IPv4 side opens.
        return (self[transport].bindings[binding].hostTransport, 0)
    }

    // MARK: - Quoted packets

    private func quotedTransport(_ quoted: TransportLayout) throws(Refusal) -> TransportProtocol {
        switch quoted.kind {
        case .udp: return .udp
        case .tcp: return .tcp
        case .icmpEcho: return .icmp
        case .icmpError: throw Refusal(.icmpErrorAboutICMPError)
        // Such a packet has neither ports nor a query identifier, so no session can be found.
        case .icmpOther, .opaque, .laterFragment: throw Refusal(.noSessionForICMPError)
        }
    }
}
