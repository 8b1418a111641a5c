// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// Answers pings to the router's own addresses, from which its ICMP errors come (RFC 1122 §3.2.2.6, RFC 4443 §4.2).
struct EchoResponder: Sendable {
    private let ipv6: IPv6Address
    private let ipv4: IPv4Address

    private static let hopLimit: UInt8 = 64

    init(_ errors: ErrorPolicy) {
        ipv6 = errors.ipv6Source
        ipv4 = errors.ipv4Source
    }

    /// Whether the packet was such a ping, and has become its answer. A ping in fragments, with IPv4 options or behind extension headers is
    /// not answered.
    func answer(_ packet: inout PacketBuffer, _ layout: IPv6Layout) -> Bool {
        if layout.destination != ipv6 { return false }
        let transport = layout.transport
        let isFromNeighbour = ipv6.isLinkLocal && layout.source.isLinkLocal
        guard transport.kind == .icmpEcho, transport.offset == IPv6Header.length,
            !layout.source.isIllegalSource || isFromNeighbour,
            packet.bytes[transport.offset + ICMPHeader.type] == ICMPv6Type.echoRequest, packet.completeChecksum()
        else { return false }
        packet.resize(to: layout.end)
        var bytes = packet.mutableBytes
        bytes.setAddress(layout.source, at: IPv6Header.destination)
        bytes.setAddress(ipv6, at: IPv6Header.source)
        bytes[IPv6Header.hopLimit] = Self.hopLimit
        Self.reply(ICMPv6Type.echoReply, in: &bytes, at: transport.offset)
        return true
    }

    func answer(_ packet: inout PacketBuffer, _ layout: IPv4Layout) -> Bool {
        if layout.destination != ipv4 { return false }
        let transport = layout.transport
        guard transport.kind == .icmpEcho, transport.offset == IPv4Header.length, !layout.source.isIllegal,
            layout.fragment.isWhole, packet.bytes[transport.offset + ICMPHeader.type] == ICMPv4Type.echoRequest,
            packet.completeChecksum()
        else { return false }
        packet.resize(to: layout.end)
        var bytes = packet.mutableBytes
        bytes.setAddress(layout.source, at: IPv4Header.destination)
        bytes.setAddress(ipv4, at: IPv4Header.source)
        bytes[IPv4Header.ttl] = Self.hopLimit
        bytes.setUInt16(0, at: IPv4Header.checksum)
        var sum = InternetChecksum()
        sum.add(bytes.span, in: 0..<IPv4Header.length)
        bytes.setUInt16(sum.checksum, at: IPv4Header.checksum)
        Self.reply(ICMPv4Type.echoReply, in: &bytes, at: transport.offset)
        return true
    }

    /// The pseudo-header of ICMPv6 is the same in both directions. A wrong checksum stays wrong.
    private static func reply(_ type: UInt8, in bytes: inout MutableSpan<UInt8>, at offset: Int) {
        var change = InternetChecksum()
        change.subtract(UInt16(bytes[offset + ICMPHeader.type]) << 8)
        change.add(UInt16(type) << 8)
        bytes[offset + ICMPHeader.type] = type
        let field = offset + ICMPHeader.checksum
        bytes.setUInt16(change.applied(toChecksum: bytes.uint16(at: field)), at: field)
    }
}
