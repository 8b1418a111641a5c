// SPDX-License-Identifier: Apache-2.0
import Translation
public import Wire

// The path of a packet through the steps of RFC 6146 §3.

extension NAT64 {
    /// Takes an unexamined packet from `side`. The NAT64 may change the contents of the buffer, which are meaningless afterwards.
    public mutating func receive(
        _ packet: inout PacketBuffer, from side: Side, at time: Instant, output: any PacketOutput
    ) {
        do throws(Refusal) {
            switch side {
            case .ipv6:
                let layout = try IPv6Layout(of: packet)
                receive(&packet, layout, to: remote(behind: layout.destination), at: time, output: output)
            case .ipv4:
                receive(&packet, try IPv4Layout(of: packet), at: time, output: output)
            }
        } catch {
            expire(at: time, output: output)
            count(from: side)
            drop(packet, error.reason, from: side, output)
        }
    }

    /// Takes a packet from the IPv6 side.
    /// - Parameter remote: the IPv4 host that its destination represents (`remote(behind:)`).
    package mutating func receive(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, to remote: Remote?, at time: Instant,
        output: any PacketOutput
    ) {
        expire(at: time, output: output)
        count(from: .ipv6)
        do throws(Refusal) {
            let incoming = try incomingPacket6(layout, to: remote)
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

    /// Whether a packet from the IPv4 side is an ICMP query whose address and identifier are in the BIB (RFC 6146 §3.5.3): then it is for a
    /// host, even if the address is one of the translator's own.
    package mutating func hasBinding(
        forQuery layout: IPv4Layout, at time: Instant, output: any PacketOutput
    ) -> Bool {
        guard layout.transport.kind == .icmpEcho else { return false }
        expire(at: time, output: output)
        let mapped = TransportAddress4(layout.destination, layout.transport.destinationPort)
        return self[.icmp].bindings.find(mapped: mapped) != nil
    }

    /// Takes a packet from the IPv4 side.
    package mutating func receive(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, at time: Instant, output: any PacketOutput
    ) {
        expire(at: time, output: output)
        count(from: .ipv4)
        receive(&packet, layout, from: .ipv4Side, output)
    }

    @inline(always)
    private mutating func count(from side: Side) {
        switch side {
        case .ipv6: counters.receivedFromIPv6 &+= 1
        case .ipv4: counters.receivedFromIPv4 &+= 1
        }
    }

    // MARK: - From the IPv6 side

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

    /// A packet from the NAT64 itself, hairpinned or reassembled.
    mutating func receiveIPv4(_ packet: inout PacketBuffer, from origin: Origin, _ output: any PacketOutput) {
        do throws(Refusal) {
            receive(&packet, try IPv4Layout(of: packet), from: origin, output)
        } catch {
            refuse(packet, error, from: origin, output)
        }
    }

    private mutating func receive(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, from origin: Origin, _ output: any PacketOutput
    ) {
        do throws(Refusal) {
            let incoming = try incomingPacket4(layout, from: origin)
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

    /// The same for a packet from the IPv4 side; `nil` if the packet has been stored.
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
