import Translation
public import Wire

// A packet's way through the steps of RFC 6146 §3.

extension NAT64 {
    /// Takes a packet from `side`. The buffer's contents are the NAT64's to change; afterwards they mean nothing.
    public mutating func receive(
        _ packet: inout PacketBuffer, from side: Side, at time: Instant, output: any PacketOutput
    ) {
        expire(at: time, output: output)
        switch side {
        case .ipv6:
            counters.receivedFromIPv6 &+= 1
            receiveIPv6(&packet, output)
        case .ipv4:
            counters.receivedFromIPv4 &+= 1
            receiveIPv4(&packet, from: .ipv4Side, output)
        }
    }

    // MARK: - From the IPv6 side

    private mutating func receiveIPv6(_ packet: inout PacketBuffer, _ output: any PacketOutput) {
        do throws(Refusal) {
            let incoming = try incomingPacket6(packet)
            if !incoming.layout.fragment.isWhole {
                try receiveFragment(&packet, incoming, output)
            } else if incoming.layout.transport.kind == .icmpError {
                try translateError(&packet, incoming, output)
            } else {
                let tuple = try filterAndUpdate(packet, incoming, output)
                try translate(&packet, incoming.layout, to: tuple, output)
            }
        } catch {
            refuse(packet, error, from: .ipv6Side, output)
        }
    }

    /// RFC 6146 §3.5 and §3.6 for a packet with ports, or an identifier.
    mutating func filterAndUpdate(
        _ packet: borrowing PacketBuffer, _ incoming: IncomingPacket6, _ output: any PacketOutput
    ) throws(Refusal) -> Tuple4 {
        switch incoming.layout.transport.kind {
        case .udp:
            let session = try udpSession(
                from: incoming.host, to: incoming.remoteTransport, prefix: incoming.prefix)
            self[.udp].sessions.countFromIPv6(session, octets: packet.count)
            return outgoingTuple4(of: session, in: .udp)
        case .tcp:
            let verdict = try tcpVerdict(
                TCPSegment(of: packet.bytes, incoming.layout.transport), from: incoming.host,
                to: incoming.remoteTransport, prefix: incoming.prefix, output)
            switch verdict {
            case .session(let session):
                self[.tcp].sessions.countFromIPv6(session, octets: packet.count)
                return outgoingTuple4(of: session, in: .tcp)
            case .binding(let binding):
                return outgoingTuple4(of: binding, to: incoming.remoteTransport, in: .tcp)
            }
        case .icmpEcho:
            let session = try icmpQuerySession(from: incoming.host, to: incoming.remote, prefix: incoming.prefix)
            self[.icmp].sessions.countFromIPv6(session, octets: packet.count)
            return outgoingTuple4(of: session, in: .icmp)
        case .icmpOther, .icmpError:
            throw Refusal(.icmpTypeNotTranslated)
        case .opaque, .laterFragment:
            throw Refusal(.unsupportedTransport, answer: .protocolUnreachable)
        }
    }

    // MARK: - From the IPv4 side

    mutating func receiveIPv4(_ packet: inout PacketBuffer, from origin: Origin, _ output: any PacketOutput) {
        do throws(Refusal) {
            let incoming = try incomingPacket4(packet, from: origin)
            if !incoming.layout.fragment.isWhole {
                try receiveFragment(&packet, incoming, output)
            } else if incoming.layout.transport.kind == .icmpError {
                try translateError(&packet, incoming, output)
            } else if let tuple = try filterAndUpdate(packet, incoming) {
                try translate(&packet, incoming.layout, from: origin, to: tuple, output)
            }
        } catch {
            refuse(packet, error, from: origin, output)
        }
    }

    /// The same for a packet from the IPv4 side; nil where the packet has been stored.
    mutating func filterAndUpdate(
        _ packet: borrowing PacketBuffer, _ incoming: IncomingPacket4
    ) throws(Refusal) -> Tuple6? {
        switch incoming.layout.transport.kind {
        case .udp:
            let session = try udpSession(from: incoming.remote, to: incoming.mapped)
            self[.udp].sessions.countFromIPv4(session, octets: packet.count)
            return outgoingTuple6(of: session, in: .udp)
        case .tcp:
            let verdict = try tcpVerdict(
                TCPSegment(of: packet.bytes, incoming.layout.transport), from: incoming.remote, to: incoming.mapped)
            switch verdict {
            case .session(let session):
                self[.tcp].sessions.countFromIPv4(session, octets: packet.count)
                return outgoingTuple6(of: session, in: .tcp)
            case .binding(let binding):
                return try outgoingTuple6(of: binding, from: incoming.remote, in: .tcp)
            case nil:
                try storeSYN(packet, from: incoming.remote, to: incoming.mapped)
                return nil
            }
        case .icmpEcho:
            let session = try icmpQuerySession(from: incoming.layout.source, to: incoming.mapped)
            self[.icmp].sessions.countFromIPv4(session, octets: packet.count)
            return outgoingTuple6(of: session, in: .icmp)
        case .icmpOther, .icmpError:
            throw Refusal(.icmpTypeNotTranslated)
        case .opaque, .laterFragment:
            throw Refusal(.unsupportedTransport, answer: .protocolUnreachable)
        }
    }
}
