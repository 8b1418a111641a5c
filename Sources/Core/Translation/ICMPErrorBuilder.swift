// SPDX-License-Identifier: Apache-2.0
public import Wire

/// Makes the ICMP errors that a router or translator originates, and refuses to make those that the RFCs forbid.
///
/// The packet in error stays in its buffer; the error is made in another one, addressed to the packet's source. The caller limits the rate.
public struct ICMPErrorBuilder {
    /// The router's own addresses, the sources of its errors.
    public var ipv4Source: IPv4Address
    public var ipv6Source: IPv6Address
    private let identifications: IdentificationGenerator

    /// "The ICMP datagram SHOULD contain as much of the original datagram as possible without the length of the ICMP datagram
    /// exceeding 576 bytes" (RFC 1812 §4.3.2.3).
    static let largestIPv4Error = 576
    /// As much as possible without exceeding the minimum IPv6 MTU (RFC 4443 §2.4(c)).
    static let largestIPv6Error = IPv6Header.minimumMTU

    public init(ipv4Source: IPv4Address, ipv6Source: IPv6Address, seed: UInt64 = 0) {
        self.ipv4Source = ipv4Source
        self.ipv6Source = ipv6Source
        identifications = IdentificationGenerator(seed: seed)
    }

    /// Makes an ICMPv4 error about `packet`; false, without making one, if there must be none.
    public mutating func build(
        _ error: ICMPv4Error, about packet: borrowing PacketBuffer, _ layout: IPv4Layout,
        into reply: inout PacketBuffer
    ) -> Bool {
        guard Self.mayAnswer(layout) else { return false }
        let headerLength = IPv4Header.length + ICMPHeader.length
        let quoted = min(layout.end, packet.count, Self.largestIPv4Error - headerLength)

        var header = IPv4Header.Fields(
            totalLength: UInt16(clamping: headerLength + quoted), protocolNumber: .icmp, source: ipv4Source,
            destination: layout.source)
        // Precedence 6, internetwork control (RFC 1812 §4.3.2.5).
        header.tos = 0xc0
        header.identification = identifications.next()

        reply.reset()
        reply.resize(to: headerLength)
        reply.append(packet.bytes.extracting(0..<quoted))
        var bytes = reply.mutableBytes
        header.write(to: &bytes)
        ICMPHeader.Fields(type: error.type, code: error.code, rest: error.rest)
            .write(to: &bytes, at: IPv4Header.length)
        var sum = InternetChecksum()
        sum.add(bytes.span, in: IPv4Header.length..<bytes.count)
        bytes.setUInt16(sum.checksum, at: IPv4Header.length + ICMPHeader.checksum)
        return true
    }

    /// Makes an ICMPv6 error about `packet`; false, without making one, if there must be none.
    public mutating func build(
        _ error: ICMPv6Error, about packet: borrowing PacketBuffer, _ layout: IPv6Layout,
        into reply: inout PacketBuffer
    ) -> Bool {
        guard Self.mayAnswer(packet.bytes, layout, with: error) else { return false }
        let headerLength = IPv6Header.length + ICMPHeader.length
        let quoted = min(layout.end, packet.count, Self.largestIPv6Error - headerLength)
        let length = ICMPHeader.length + quoted

        reply.reset()
        reply.resize(to: headerLength)
        reply.append(packet.bytes.extracting(0..<quoted))
        var bytes = reply.mutableBytes
        IPv6Header.Fields(
            payloadLength: UInt16(clamping: length), nextHeader: .icmpv6, source: ipv6Source,
            destination: layout.source
        ).write(to: &bytes)
        ICMPHeader.Fields(type: error.type, code: error.code, rest: error.rest)
            .write(to: &bytes, at: IPv6Header.length)
        var sum = InternetChecksum(
            pseudoHeaderFrom: ipv6Source, to: layout.source, of: .icmpv6, length: length)
        sum.add(bytes.span, in: IPv6Header.length..<bytes.count)
        bytes.setUInt16(sum.checksum, at: IPv6Header.length + ICMPHeader.checksum)
        return true
    }

    /// RFC 1812 §4.3.2.7, RFC 1122 §3.2.2: no error about an ICMP error, a broadcast or multicast, a fragment other than the
    /// first, or a packet "whose source address does not define a single host".
    static func mayAnswer(_ layout: IPv4Layout) -> Bool {
        layout.transport.kind != .icmpError && layout.transport.kind != .laterFragment
            && !layout.destination.isMulticast && !layout.destination.isLimitedBroadcast
            && !layout.source.isIllegal
    }

    /// RFC 4443 §2.4(e): no error about an ICMPv6 error or redirect, or a packet whose source "does not uniquely identify a
    /// single node"; about a multicast only Packet Too Big, and the unrecognized option that asks for it.
    static func mayAnswer(_ bytes: Span<UInt8>, _ layout: IPv6Layout, with error: ICMPv6Error) -> Bool {
        let transport = layout.transport
        if transport.kind == .icmpError { return false }
        if transport.kind == .icmpOther && bytes[transport.offset + ICMPHeader.type] == ICMPv6Type.redirect {
            return false
        }
        // A later fragment of ICMPv6 does not show whether it is part of an error.
        if transport.kind == .laterFragment && transport.protocolNumber == .icmpv6 { return false }
        if layout.source == .unspecified || layout.source.isMulticast { return false }
        if layout.destination.isMulticast {
            return error.type == ICMPv6Type.packetTooBig
                || (error.type == ICMPv6Type.parameterProblem && error.code == 2)
        }
        return true
    }
}
