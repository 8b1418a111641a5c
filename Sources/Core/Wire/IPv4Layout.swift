// SPDX-License-Identifier: Apache-2.0
/// An IPv4 packet after one examination: its addresses, and the offsets of its parts.
///
/// Code that has a layout may read the described parts without a further check, as long as the bytes are unchanged.
///
///     let layout = try IPv4Layout(packet.bytes)
public struct IPv4Layout: Hashable, Sendable {
    /// The offset of the header: 0, or further inside for a packet that an ICMP error quotes.
    public var start: Int
    /// Octets of the header, including options.
    public var headerLength: Int
    /// The Total Length field. A quoted packet may have fewer octets.
    public var totalLength: Int
    public var source: IPv4Address
    public var destination: IPv4Address
    public var dontFragment: Bool
    public var fragment: FragmentPosition
    public var transport: TransportLayout

    /// The first octet after the packet. Bytes beyond it are padding (of Ethernet, for example).
    @inline(always)
    public var end: Int { transport.end }

    /// Verifies version, lengths and header checksum of the packet that begins with `bytes`.
    public init(_ bytes: Span<UInt8>) throws(WireError) {
        try self.init(bytes, at: 0, isQuoted: false)
    }

    /// Examines the packet that an ICMP error quotes: it begins at `offset`, and may end anywhere after the first 8 octets of its payload.
    public init(quotedIn bytes: Span<UInt8>, at offset: Int) throws(WireError) {
        try self.init(bytes, at: offset, isQuoted: true)
    }

    @inline(always)
    private init(_ bytes: Span<UInt8>, at start: Int, isQuoted: Bool) throws(WireError) {
        let available = bytes.count - start
        guard start >= 0, available >= IPv4Header.length else {
            throw .truncated(needed: IPv4Header.length, available: max(0, available))
        }
        let first = bytes[start + IPv4Header.versionAndLength]
        if first >> 4 != 4 { throw .wrongVersion(first >> 4) }
        headerLength = Int(first & 0xf) * 4
        if headerLength < IPv4Header.length { throw .headerTooShort(words: headerLength / 4) }
        if available < headerLength { throw .truncated(needed: headerLength, available: available) }

        totalLength = Int(bytes.uint16(at: start + IPv4Header.totalLength))
        if totalLength < headerLength { throw .lengthTooSmall(totalLength) }
        if !isQuoted && totalLength > available { throw .truncated(needed: totalLength, available: available) }

        // RFC 1812 §5.2.2(2), RFC 7915 §4: a router must verify it.
        var sum = InternetChecksum()
        sum.add(bytes, in: start..<start + headerLength)
        if sum.checksum != 0 { throw .wrongHeaderChecksum }

        self.start = start
        source = bytes.ipv4Address(at: start + IPv4Header.source)
        destination = bytes.ipv4Address(at: start + IPv4Header.destination)

        let flagsAndOffset = bytes.uint16(at: start + IPv4Header.flagsAndOffset)
        dontFragment = flagsAndOffset & IPv4Header.dontFragment != 0
        fragment = FragmentPosition(
            offset: Int(flagsAndOffset & IPv4Header.offsetMask) << 3,
            moreFollow: flagsAndOffset & IPv4Header.moreFragments != 0,
            identification: UInt32(bytes.uint16(at: start + IPv4Header.identification)))
        if !fragment.isWhole { try fragment.check(length: totalLength - headerLength) }

        let offset = start + headerLength
        let count = min(totalLength, available) - headerLength
        let protocolNumber = IPProtocol(rawValue: bytes[start + IPv4Header.protocolNumber])
        if fragment.offset != 0 {
            transport = TransportLayout(
                kind: .laterFragment, protocolNumber: protocolNumber, offset: offset, count: count)
        } else {
            transport = try .examining(
                bytes, at: offset, count: count, protocolNumber: protocolNumber, icmp: .icmp,
                isQuoted ? .quoted : fragment.moreFollow ? .firstFragment : .whole)
        }
    }
}

extension IPv4Layout {
    /// The packet that this ICMPv4 error quotes, with offsets from the start of `bytes`.
    ///
    /// It ends at its own Total Length, the end of the bytes, or the length attribute of RFC 4884, whichever comes first. The transport
    /// kind must be `.icmpError`.
    public func quotedPacket(in bytes: Span<UInt8>) throws(WireError) -> IPv4Layout {
        let quote = transport.offset + ICMPHeader.length
        let words = Int(bytes[transport.offset + ICMPHeader.quoteLength4])
        let length = ICMPv4Type.mayHaveExtensions(bytes[transport.offset + ICMPHeader.type]) ? words * 4 : 0
        let end = length == 0 ? transport.end : min(transport.end, quote + length)
        return try IPv4Layout(quotedIn: bytes.extracting(0..<end), at: quote)
    }
}
