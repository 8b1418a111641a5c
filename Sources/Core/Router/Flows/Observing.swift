// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

extension FlowLog {
    /// Notes a packet of the client's link.
    /// - Parameters:
    ///   - limit: maximum number of flows.
    ///   - ipv4Destination: the IPv4 address behind an IPv6 one, if the network translates it.
    mutating func record(
        _ bytes: Span<UInt8>, _ outline: IPv6Outline, isFromClient: Bool,
        at now: Instant = .zero, limit: Int = limit, ipv4Destination: (IPv6Address) -> IPv4Address?
    ) {
        if outline.transport.kind == .icmpError {
            if !isFromClient, let layout = try? IPv6Layout(bytes) { recordError(bytes, layout) }
            return
        }
        let remote = isFromClient ? outline.destination : outline.source
        // Messages of neighbours and listeners concern the link only.
        if remote.isMulticast || remote.isLinkLocal { return }
        guard let seen = Sighting(bytes, outline.transport, isFromClient: isFromClient) else { return }
        let place = record(
            Observation(
                key: Key(remote: remote, port: seen.port, transport: seen.transport), isFromClient: isFromClient,
                payload: seen.payload, event: seen.event, isEnd: seen.isEnd), at: now, limit: limit
        ) { ipv4Destination(remote) }
        if isFromClient, let place, seen.event == .attempt || isAwaiting(place),
            let segment = Segment(bytes, outline.transport)
        {
            look(at: segment, of: bytes, place)
        }
    }

    /// Notes a packet of a dual-stack client's link.
    mutating func record(
        _ bytes: Span<UInt8>, _ layout: IPv4Layout, isFromClient: Bool, at now: Instant = .zero
    ) {
        if layout.transport.kind == .icmpError {
            if !isFromClient { recordError(bytes, layout) }
            return
        }
        let remote = isFromClient ? layout.destination : layout.source
        guard let seen = Sighting(bytes, layout.transport, isFromClient: isFromClient) else { return }
        let place = record(
            Observation(
                key: Key(remote: remote, port: seen.port, transport: seen.transport), isFromClient: isFromClient,
                payload: seen.payload, event: seen.event, isEnd: seen.isEnd), at: now)
        if isFromClient, let place, seen.event == .attempt || isAwaiting(place),
            let segment = Segment(bytes, layout.transport)
        {
            look(at: segment, of: bytes, place)
        }
    }

    /// Records an error for the flow of the packet that it quotes.
    private mutating func recordError(_ bytes: Span<UInt8>, _ layout: IPv6Layout) {
        let start = layout.transport.offset
        guard
            let cause = Flow.Unreachable(
                icmpv6: bytes[start + ICMPHeader.type], code: bytes[start + ICMPHeader.code]),
            let quoted = try? layout.quotedPacket(in: bytes), let transport = Flow.Transport(quoted.transport)
        else { return }
        record(
            cause,
            about: Key(
                remote: quoted.destination, port: transport == .icmp ? 0 : quoted.transport.destinationPort,
                transport: transport))
    }

    private mutating func recordError(_ bytes: Span<UInt8>, _ layout: IPv4Layout) {
        let start = layout.transport.offset
        guard
            let cause = Flow.Unreachable(
                icmpv4: bytes[start + ICMPHeader.type], code: bytes[start + ICMPHeader.code]),
            let quoted = try? layout.quotedPacket(in: bytes), let transport = Flow.Transport(quoted.transport)
        else { return }
        record(
            cause,
            about: Key(
                remote: quoted.destination, port: transport == .icmp ? 0 : quoted.transport.destinationPort,
                transport: transport))
    }
}

extension Flow.Transport {
    /// `nil` if the packet belongs to no flow, or does not show to which.
    fileprivate init?(_ layout: TransportLayout) {
        switch layout.kind {
        case .tcp: self = .tcp
        case .udp: self = .udp
        case .icmpEcho: self = .icmp
        case .icmpError, .icmpOther, .opaque, .laterFragment: return nil
        }
    }
}

extension Flow.Unreachable {
    /// `nil` if the error does not mean that the destination is unreachable: a packet too big and an expired hop limit are part of finding
    /// a path.
    init?(icmpv6 type: UInt8, code: UInt8) {
        switch (type, code) {
        // RFC 4443 §3.1; 5 and 6 are a source policy and a reject route.
        case (ICMPv6Type.destinationUnreachable, 0), (ICMPv6Type.destinationUnreachable, 6): self = .noRoute
        case (ICMPv6Type.destinationUnreachable, 1), (ICMPv6Type.destinationUnreachable, 5): self = .prohibited
        case (ICMPv6Type.destinationUnreachable, 3): self = .address
        case (ICMPv6Type.destinationUnreachable, 4): self = .port
        case (ICMPv6Type.destinationUnreachable, _), (ICMPv6Type.parameterProblem, _): self = .other
        default: return nil
        }
    }

    init?(icmpv4 type: UInt8, code: UInt8) {
        switch (type, code) {
        // RFC 1191 §4: fragmentation needed.
        case (ICMPv4Type.destinationUnreachable, 4): return nil
        // RFC 792; the further ones are in RFC 1122 §3.2.2.1 and RFC 1812 §5.2.7.1.
        case (ICMPv4Type.destinationUnreachable, 0), (ICMPv4Type.destinationUnreachable, 6): self = .noRoute
        case (ICMPv4Type.destinationUnreachable, 1), (ICMPv4Type.destinationUnreachable, 7): self = .address
        case (ICMPv4Type.destinationUnreachable, 3): self = .port
        case (ICMPv4Type.destinationUnreachable, 9), (ICMPv4Type.destinationUnreachable, 10),
            (ICMPv4Type.destinationUnreachable, 13):
            self = .prohibited
        case (ICMPv4Type.destinationUnreachable, _), (ICMPv4Type.parameterProblem, _): self = .other
        default: return nil
        }
    }
}

extension FlowLog.Segment {
    /// `nil` if it is not a TCP segment.
    fileprivate init?(_ bytes: Span<UInt8>, _ layout: TransportLayout) {
        guard layout.kind == .tcp else { return nil }
        port = layout.sourcePort
        let flags = TCPHeader.Flags(rawValue: bytes[layout.offset + TCPHeader.flags])
        isSYN = flags.contains(.syn) && !flags.contains(.ack)
        // A SYN takes one sequence number, as an octet does (RFC 9293 §3.4), and may carry data (RFC 7413).
        sequence = bytes.uint32(at: layout.offset + TCPHeader.sequenceNumber) &+ (isSYN ? 1 : 0)
        let start = layout.offset + Int(bytes[layout.offset + TCPHeader.dataOffset] >> 4) * 4
        payload = start..<max(start, min(layout.end, bytes.count))
    }
}

/// The contents of a transport header that matter to a flow.
private struct Sighting {
    var transport: Flow.Transport
    /// The port of the far end.
    var port: UInt16
    var payload: Int
    var event = FlowLog.Observation.Event.none
    var isEnd = false

    init?(_ bytes: Span<UInt8>, _ layout: TransportLayout, isFromClient: Bool) {
        port = isFromClient ? layout.destinationPort : layout.sourcePort
        switch layout.kind {
        case .tcp:
            transport = .tcp
            payload = max(0, layout.count - Int(bytes[layout.offset + TCPHeader.dataOffset] >> 4) * 4)
            let flags = TCPHeader.Flags(rawValue: bytes[layout.offset + TCPHeader.flags])
            isEnd = flags.contains(.fin) || flags.contains(.rst)
            switch (isFromClient, flags.contains(.syn), flags.contains(.ack), flags.contains(.rst)) {
            case (true, true, false, _): event = .attempt
            case (false, true, true, _): event = .accepted
            case (false, true, false, _): event = .inboundAttempt
            case (false, false, _, true): event = .refused
            // An RST without ACK answers a segment that has no socket (RFC 9293 §3.10.7.1).
            case (true, false, false, true): event = .late
            default: break
            }
        case .udp:
            transport = .udp
            // The UDP length of a first fragment is that of the whole datagram; a super-packet may be too long for that field.
            payload = max(layout.count, Int(bytes.uint16(at: layout.offset + UDPHeader.udpLength))) - UDPHeader.length
        case .icmpEcho:
            transport = .icmp
            port = 0
            payload = layout.count - ICMPHeader.length
        // A later fragment has no ports.
        case .icmpError, .icmpOther, .opaque, .laterFragment:
            return nil
        }
    }
}
