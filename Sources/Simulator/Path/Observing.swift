import Findings
import Wire

extension FlowLog {
    /// Notes a packet of the client's link.
    /// - Parameter ipv4Destination: the IPv4 address behind an IPv6 one, where the network translates it.
    mutating func record(
        _ bytes: Span<UInt8>, _ layout: IPv6Layout, isFromClient: Bool, ipv4Destination: (IPv6Address) -> IPv4Address?
    ) {
        let remote = isFromClient ? layout.destination : layout.source
        // Neighbours and listeners are the link's own affair.
        if remote.isMulticast || remote.isLinkLocal { return }
        guard let seen = Sighting(bytes, layout.transport, isFromClient: isFromClient) else { return }
        record(
            Observation(
                key: Key(remote: remote, port: seen.port, transport: seen.transport),
                translatedTo: ipv4Destination(remote), isFromClient: isFromClient, payload: seen.payload,
                event: seen.event))
    }

    /// Notes a packet of a dual-stack client's link.
    mutating func record(_ bytes: Span<UInt8>, _ layout: IPv4Layout, isFromClient: Bool) {
        let remote = isFromClient ? layout.destination : layout.source
        guard let seen = Sighting(bytes, layout.transport, isFromClient: isFromClient) else { return }
        record(
            Observation(
                key: Key(remote: remote, port: seen.port, transport: seen.transport), translatedTo: nil,
                isFromClient: isFromClient, payload: seen.payload, event: seen.event))
    }
}

/// What the transport header says about a flow.
private struct Sighting {
    var transport: Flow.Transport
    /// The far end's.
    var port: UInt16
    var payload: Int
    var event = FlowLog.Observation.Event.none

    init?(_ bytes: Span<UInt8>, _ layout: TransportLayout, isFromClient: Bool) {
        port = isFromClient ? layout.destinationPort : layout.sourcePort
        switch layout.kind {
        case .tcp:
            transport = .tcp
            payload = max(0, layout.count - Int(bytes[layout.offset + TCPHeader.dataOffset] >> 4) * 4)
            let flags = TCPHeader.Flags(rawValue: bytes[layout.offset + TCPHeader.flags])
            switch (isFromClient, flags.contains(.syn), flags.contains(.ack), flags.contains(.rst)) {
            case (true, true, false, _): event = .attempt
            case (false, true, true, _): event = .accepted
            case (false, false, _, true): event = .refused
            default: break
            }
        case .udp:
            transport = .udp
            // The first fragment speaks for all of its datagram, in a field which a train of datagrams is too long for.
            payload = max(layout.count, Int(bytes.uint16(at: layout.offset + UDPHeader.udpLength))) - UDPHeader.length
        case .icmpEcho:
            transport = .icmp
            port = 0
            payload = layout.count - ICMPHeader.length
        // An error belongs to the flow of the packet that it quotes; a later fragment has no ports to tell.
        case .icmpError, .icmpOther, .opaque, .laterFragment:
            return nil
        }
    }
}
