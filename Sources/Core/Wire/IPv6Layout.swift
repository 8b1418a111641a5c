// SPDX-License-Identifier: Apache-2.0
/// An IPv6 packet after one examination: its addresses, and the offsets of its parts.
///
/// Code that has a layout may read the described parts without a further check, as long as the bytes are unchanged.
///
///     let layout = try IPv6Layout(packet.bytes)
public struct IPv6Layout: Hashable, Sendable {
    /// The offset of the header: 0, or further inside for a packet that an ICMP error quotes.
    public var start: Int
    /// The Payload Length field. A quoted packet may have fewer octets.
    public var payloadLength: Int
    public var source: IPv6Address
    public var destination: IPv6Address
    /// The offset of the Fragment header; `nil` if there is none.
    public var fragmentHeader: Int?
    public var fragment: FragmentPosition
    /// The offset of the Segments Left field in the first Routing header with segments left; `nil` if there is none.
    public var unexpiredRoute: Int?
    /// Whether a Hop-by-Hop, Routing or Destination Options header follows a Fragment header; headers after it are not examined.
    public var hasHeaderAfterFragment: Bool
    /// The transport, after all extension headers.
    public var transport: TransportLayout

    /// The first octet after the packet.
    @inline(always)
    public var end: Int { transport.end }
    /// Octets of the IPv6 header and of all extension headers.
    @inline(always)
    public var headerLength: Int { transport.offset &- start }

    /// A packet with more extension headers is treated as an attack.
    public static let maximumExtensionHeaders = 16

    /// Verifies version and lengths of the packet that begins with `bytes`.
    public init(_ bytes: Span<UInt8>) throws(WireError) {
        try self.init(bytes, at: 0, isQuoted: false)
    }

    /// Examines the packet that an ICMP error quotes: it begins at `offset`, and may end anywhere after the first 8 octets of its
    /// transport.
    public init(quotedIn bytes: Span<UInt8>, at offset: Int) throws(WireError) {
        try self.init(bytes, at: offset, isQuoted: true)
    }

    @inline(always)
    private init(_ bytes: Span<UInt8>, at start: Int, isQuoted: Bool) throws(WireError) {
        let available = bytes.count - start
        guard start >= 0, available >= IPv6Header.length else {
            throw .truncated(needed: IPv6Header.length, available: max(0, available))
        }
        let first = bytes[start + IPv6Header.versionClassAndFlow]
        if first >> 4 != 6 { throw .wrongVersion(first >> 4) }
        payloadLength = Int(bytes.uint16(at: start + IPv6Header.payloadLength))
        let length = IPv6Header.length + payloadLength
        if !isQuoted && length > available { throw .truncated(needed: length, available: available) }
        let end = start + min(length, available)

        self.start = start
        source = bytes.ipv6Address(at: start + IPv6Header.source)
        destination = bytes.ipv6Address(at: start + IPv6Header.destination)

        let next = IPProtocol(rawValue: bytes[start + IPv6Header.nextHeader])
        let offset = start + IPv6Header.length
        fragmentHeader = nil
        fragment = FragmentPosition(offset: 0, moreFollow: false, identification: 0)
        unexpiredRoute = nil
        hasHeaderAfterFragment = false
        if next != .fragment && !next.isSkippedExtensionHeader {
            transport = try .examining(
                bytes, at: offset, count: end - offset, protocolNumber: next, icmp: .icmpv6,
                isQuoted ? .quoted : .whole)
        } else {
            transport = TransportLayout(kind: .opaque, protocolNumber: next, offset: offset, count: end - offset)
            try walkExtensionHeaders(of: bytes, isQuoted: isQuoted)
        }
    }

    /// Starts at `transport`, which is the first extension header.
    private mutating func walkExtensionHeaders(of bytes: Span<UInt8>, isQuoted: Bool) throws(WireError) {
        if payloadLength == 0 { throw .jumbogram }
        let end = transport.end
        var next = transport.protocolNumber
        var offset = transport.offset
        var headers = 0
        while next == .fragment || next.isSkippedExtensionHeader {
            if fragmentHeader != nil {
                hasHeaderAfterFragment = true
                break
            }
            headers += 1
            if headers > Self.maximumExtensionHeaders { throw .tooManyExtensionHeaders }
            if end - offset < IPv6ExtensionHeader.unit {
                throw .truncated(needed: IPv6ExtensionHeader.unit, available: end - offset)
            }
            var length = IPv6FragmentHeader.length
            if next == .fragment {
                fragmentHeader = offset
                let field = bytes.uint16(at: offset + IPv6FragmentHeader.offsetAndFlag)
                fragment = FragmentPosition(
                    offset: Int(field & IPv6FragmentHeader.offsetMask),
                    moreFollow: field & IPv6FragmentHeader.moreFragments != 0,
                    identification: bytes.uint32(at: offset + IPv6FragmentHeader.identification))
            } else {
                length += Int(bytes[offset + IPv6ExtensionHeader.extensionLength]) * IPv6ExtensionHeader.unit
                if end - offset < length { throw .truncated(needed: length, available: end - offset) }
                if next == .routing, unexpiredRoute == nil, bytes[offset + IPv6ExtensionHeader.segmentsLeft] != 0 {
                    unexpiredRoute = offset + IPv6ExtensionHeader.segmentsLeft
                }
            }
            next = IPProtocol(rawValue: bytes[offset + IPv6ExtensionHeader.nextHeader])
            offset += length
        }
        if !fragment.isWhole {
            try fragment.check(length: start + IPv6Header.length + payloadLength - offset)
        }
        if fragment.offset != 0 || hasHeaderAfterFragment {
            transport = TransportLayout(
                kind: fragment.offset != 0 ? .laterFragment : .opaque, protocolNumber: next, offset: offset,
                count: end - offset)
        } else {
            transport = try .examining(
                bytes, at: offset, count: end - offset, protocolNumber: next, icmp: .icmpv6,
                isQuoted ? .quoted : fragment.moreFollow ? .firstFragment : .whole)
        }
    }
}

extension IPv6Layout {
    /// The packet that this ICMPv6 error quotes, with offsets from the start of `bytes`.
    ///
    /// It ends at its own Payload Length, the end of the bytes, or the length attribute of RFC 4884, whichever comes first. The transport
    /// kind must be `.icmpError`.
    public func quotedPacket(in bytes: Span<UInt8>) throws(WireError) -> IPv6Layout {
        let quote = transport.offset + ICMPHeader.length
        let words = Int(bytes[transport.offset + ICMPHeader.quoteLength6])
        let length = ICMPv6Type.mayHaveExtensions(bytes[transport.offset + ICMPHeader.type]) ? words * 8 : 0
        let end = length == 0 ? transport.end : min(transport.end, quote + length)
        return try IPv6Layout(quotedIn: bytes.extracting(0..<end), at: quote)
    }
}
