// SPDX-License-Identifier: Apache-2.0
/// The transport that one examination found after the IP header: its kind and its offset.
///
/// For a kind other than `.opaque` and `.laterFragment`, the fixed part of the transport header is inside the packet: 20 octets of TCP, 8
/// of UDP and of ICMP. In a packet that an ICMP error quotes, only the first 8 octets are guaranteed.
public struct TransportLayout: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case tcp
        case udp
        /// An ICMP Echo or Echo Reply of the packet's own family.
        case icmpEcho
        /// An ICMP error: it quotes a packet, which begins at `offset + ICMPHeader.length`.
        case icmpError
        /// Any other ICMP message.
        case icmpOther
        /// Another protocol: carried, but not parsed. This includes ICMP of the other family.
        case opaque
        /// A fragment that is not the first one: its transport header is in another packet.
        case laterFragment
    }

    public var kind: Kind
    public var protocolNumber: IPProtocol
    /// From the start of the bytes that were examined.
    public var offset: Int
    /// Octets from `offset` to the packet's end; in a quoted packet, those that are present.
    public var count: Int
    /// The source port of TCP and UDP; the identifier of an ICMP echo; otherwise 0.
    public var sourcePort: UInt16 = 0
    /// The destination port of TCP and UDP; the identifier of an ICMP echo; otherwise 0.
    public var destinationPort: UInt16 = 0

    @inline(always)
    init(kind: Kind, protocolNumber: IPProtocol, offset: Int, count: Int) {
        self.kind = kind
        self.protocolNumber = protocolNumber
        self.offset = offset
        self.count = count
    }

    /// The first octet after the packet.
    @inline(always)
    public var end: Int { offset &+ count }

    /// The position of the checksum field, from `offset`; `nil` if there is no known one.
    @inlinable
    public var checksumOffset: Int? {
        switch kind {
        case .tcp: TCPHeader.checksum
        case .udp: UDPHeader.checksum
        case .icmpEcho, .icmpError, .icmpOther: ICMPHeader.checksum
        case .opaque, .laterFragment: nil
        }
    }
}

/// How much of a packet is present.
@usableFromInline
enum Completeness {
    /// All of it.
    case whole
    /// The first fragment: the transport's own lengths are those of the whole datagram.
    case firstFragment
    /// The part that an ICMP error quotes: as much as there was room for.
    case quoted
}

extension TransportLayout {
    @inline(always)
    static func examining(
        _ bytes: Span<UInt8>, at offset: Int, count: Int, protocolNumber: IPProtocol, icmp: IPProtocol,
        _ completeness: Completeness
    ) throws(WireError) -> TransportLayout {
        var layout = TransportLayout(kind: .opaque, protocolNumber: protocolNumber, offset: offset, count: count)
        switch protocolNumber {
        case .tcp:
            layout.kind = .tcp
            try require(completeness == .quoted ? 8 : TCPHeader.length, of: count)
            if completeness != .quoted {
                let words = Int(bytes[offset + TCPHeader.dataOffset] >> 4)
                if words < 5 { throw .wrongDataOffset(words: words) }
                if completeness == .whole { try require(words * 4, of: count) }
            }
            layout.sourcePort = bytes.uint16(at: offset + TCPHeader.sourcePort)
            layout.destinationPort = bytes.uint16(at: offset + TCPHeader.destinationPort)
        case .udp:
            layout.kind = .udp
            try require(UDPHeader.length, of: count)
            let length = Int(bytes.uint16(at: offset + UDPHeader.udpLength))
            if length < UDPHeader.length || (completeness == .whole && length > count) { throw .wrongUDPLength(length) }
            layout.sourcePort = bytes.uint16(at: offset + UDPHeader.sourcePort)
            layout.destinationPort = bytes.uint16(at: offset + UDPHeader.destinationPort)
        case icmp:
            try require(ICMPHeader.length, of: count)
            let type = bytes[offset + ICMPHeader.type]
            layout.kind = icmp == .icmp ? kind(ofICMPv4: type) : kind(ofICMPv6: type)
            if layout.kind == .icmpEcho {
                layout.sourcePort = bytes.uint16(at: offset + ICMPHeader.identifier)
                layout.destinationPort = layout.sourcePort
            }
        default:
            break
        }
        return layout
    }

    @inline(always)
    private static func require(_ needed: Int, of available: Int) throws(WireError) {
        if available < needed { throw .truncated(needed: needed, available: available) }
    }

    @inline(always)
    private static func kind(ofICMPv4 type: UInt8) -> Kind {
        if type == ICMPv4Type.echoRequest || type == ICMPv4Type.echoReply { return .icmpEcho }
        return ICMPv4Type.isError(type) ? .icmpError : .icmpOther
    }

    @inline(always)
    private static func kind(ofICMPv6 type: UInt8) -> Kind {
        if type == ICMPv6Type.echoRequest || type == ICMPv6Type.echoReply { return .icmpEcho }
        return ICMPv6Type.isError(type) ? .icmpError : .icmpOther
    }
}
