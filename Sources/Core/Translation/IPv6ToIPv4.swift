// SPDX-License-Identifier: Apache-2.0
public import Wire

extension HeaderTranslator {
    /// Translates IPv6 to IPv4 (RFC 7915 §5). The packet gets the tuple's addresses, and its ports or identifier. Not for ICMP errors.
    public mutating func translate(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, to tuple: Tuple4
    ) -> TranslationOutcome {
        do throws(Refusal) {
            return try translateIPv6ToIPv4(&packet, layout, tuple)
        } catch {
            return .dropped(error.reason, answer: error.answer)
        }
    }

    @inline(always)
    private mutating func translateIPv6ToIPv4(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, _ tuple: Tuple4
    ) throws(Refusal) -> TranslationOutcome {
        packet.resize(to: layout.end)
        let transport = layout.transport
        let ttl = try Self.checkHeaders(of: packet.bytes, layout)
        try Self.settlePartialChecksum(of: &packet, transport, isWhole: layout.fragment.isWhole)
        try Self.checkTransport(of: packet, layout)
        let superPacket = try SuperPacket.examine(packet, transport, tcp: .tcpIPv6)

        // Too big: the source gets an error (RFC 7915 §5), unless its packet has at most the 1280 octets that are always allowed. Such
        // packets have DF clear, and are fragmented as by any IPv4 router.
        let size = IPv4Header.length + (superPacket?.largestSegment ?? transport.count)
        let isTooBig = size > options.ipv4MTU
        if isTooBig && size - IPv4Header.length + layout.headerLength > IPv6Header.minimumMTU {
            let mtu = max(IPv6Header.minimumMTU, options.ipv4MTU + IPv6Header.length - IPv4Header.length)
            throw Refusal(.packetTooBig, answering: .packetTooBig(mtu: mtu))
        }
        // Only super-packets need this: an IPv4 packet holds 20 octets less than an IPv6 packet does.
        let needsPieces = isTooBig || IPv4Header.length + transport.count > 65_535
        if isTooBig && superPacket == nil { _ = packet.completeChecksum() }

        let header = ipv4Header(
            for: packet.bytes, layout, tuple, payload: transport.count, hopLimit: ttl, size: size,
            packets: superPacket?.segmentCount ?? 1)

        packet.moveStart(by: transport.offset - IPv4Header.length)
        let isPartial = packet.offload.hasPartialChecksum
        var bytes = packet.mutableBytes
        header.write(to: &bytes)
        Self.rewriteTransport(
            of: &bytes, at: IPv4Header.length, keeping: transport.count, layout, tuple, isPartial: isPartial)

        if needsPieces {
            return .pieces(PacketPieces(ofIPv4: packet, header, mtu: options.ipv4MTU, superPacket))
        }
        if isPartial || superPacket != nil { packet.offload.becomeIPv4(superPacket) }
        return .translated
    }

    /// Checks the headers before the transport for reasons to drop the packet. Returns the outgoing TTL.
    @inline(always)
    static func checkHeaders(of bytes: Span<UInt8>, _ layout: IPv6Layout) throws(Refusal) -> UInt8 {
        // Routing header with segments left: not translated, but answered with Parameter Problem/Erroneous Header Field
        // Encountered, whose pointer shows the Segments Left field (RFC 7915 §5.1).
        if let pointer = layout.unexpiredRoute {
            throw Refusal(.sourceRoute, answering: .erroneousHeader(at: pointer))
        }
        // An extension header after the Fragment header: "the packet SHOULD be dropped and logged" (RFC 7915 §5.1.1), with the answer of
        // RFC 7915 §5.4.
        if layout.hasHeaderAfterFragment {
            throw Refusal(.headerAfterFragment, answering: .administrativelyProhibited)
        }
        // Hop limit: at zero after the decrement, "Hop Limit Exceeded in Transit" goes back (RFC 7915 §5.1).
        let hopLimit = bytes[layout.start + IPv6Header.hopLimit]
        if hopLimit <= 1 { throw Refusal(.hopLimitExceeded, answering: .hopLimitExceeded) }
        return hopLimit - 1
    }

    /// Checks the transport for reasons to drop the packet.
    @inline(always)
    private static func checkTransport(of packet: borrowing PacketBuffer, _ layout: IPv6Layout) throws(Refusal) {
        let transport = layout.transport
        switch transport.kind {
        case .tcp:
            break
        case .opaque:
            // Copied, the number would turn the payload into an ICMPv4 message.
            if transport.protocolNumber == .icmp { throw Refusal(.foreignProtocol) }
        case .udp:
            // RFC 8200 §8.1: IPv6 has no UDP without a checksum, except in the tunnels of RFC 6935, which do not end here.
            if !packet.offload.hasPartialChecksum,
                packet.bytes.uint16(at: transport.offset + UDPHeader.checksum) == 0
            {
                throw Refusal(.udpWithoutChecksum)
            }
        case .icmpEcho:
            // The ICMPv6 checksum covers a pseudo-header with the whole length, which a fragment does not contain (§1.2).
            if !layout.fragment.isWhole { throw Refusal(.fragmentedICMP) }
        case .laterFragment:
            if transport.protocolNumber == .icmpv6 { throw Refusal(.fragmentedICMP) }
            if transport.protocolNumber == .icmp { throw Refusal(.foreignProtocol) }
        case .icmpError, .icmpOther:
            throw Refusal(.icmpTypeNotTranslated)
        }
    }

    /// Makes the IPv4 header before `payload` octets, which represent `packets` packets of at most `size` octets each (RFC 7915 §5.1,
    /// §5.1.1).
    @inline(always)
    mutating func ipv4Header(
        for bytes: Span<UInt8>, _ layout: IPv6Layout, _ tuple: Tuple4, payload: Int, hopLimit: UInt8, size: Int,
        packets: Int
    ) -> IPv4Header.Fields {
        // Total length ← payload length + 20, less the extension headers. A packet too long for the field is sent in pieces.
        var header = IPv4Header.Fields(
            totalLength: UInt16(clamping: IPv4Header.length + payload),
            protocolNumber: layout.transport.protocolNumber == .icmpv6 ? .icmp : layout.transport.protocolNumber,
            source: tuple.source, destination: tuple.destination)

        // TOS ← traffic class, all eight bits, or zero by configuration.
        header.tos = options.zeroesTOS ? 0 : Self.trafficClass(of: bytes, at: layout.start)

        // TTL ← hop limit, decremented by the forwarder.
        header.ttl = hopLimit

        if layout.fragmentHeader != nil {
            // Identification ← the low 16 bits; offset and MF ← the Fragment header's; DF ← 0 (§5.1.1). For an atomic fragment that makes a
            // whole packet.
            header.identification = UInt16(truncatingIfNeeded: layout.fragment.identification)
            header.fragmentOffset = layout.fragment.offset
            header.moreFragments = layout.fragment.moreFollow
        } else if size <= Self.largestWithoutDF {
            // DF ← 0 if the path's MTU may be below the minimum of IPv6; the identification comes from a generator.
            header.identification = identifications.next(packets)
        } else {
            // DF ← 1; RFC 6864 §4.1: the identification of such a packet is meaningless.
            header.dontFragment = true
        }
        return header
    }

    /// RFC 7915 §5: "When the resulting IPv4 packet is smaller than or equal to 1260 bytes, the translator MUST send the packet
    /// with a cleared Don't Fragment bit."
    private static var largestWithoutDF: Int { IPv6Header.minimumMTU - IPv6Header.length + IPv4Header.length }

    @inline(always)
    static func trafficClass(of bytes: Span<UInt8>, at start: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: bytes.uint32(at: start + IPv6Header.versionClassAndFlow) >> 20)
    }

    /// Rewrites the ports or identifier, ICMP type and checksum of the transport that `layout` describes. It now begins at `offset`, and
    /// `count` octets of it are left.
    @inline(always)
    static func rewriteTransport(
        of bytes: inout MutableSpan<UInt8>, at offset: Int, keeping count: Int, _ layout: IPv6Layout, _ tuple: Tuple4,
        isPartial: Bool
    ) {
        let transport = layout.transport
        var pseudoHeader = InternetChecksum()
        if transport.kind == .icmpEcho {
            // ICMPv4 has no pseudo-header.
            let length = layout.payloadLength + IPv6Header.length - layout.headerLength
            pseudoHeader.subtract(
                InternetChecksum(
                    pseudoHeaderFrom: layout.source, to: layout.destination, of: .icmpv6, length: length))
        } else {
            pseudoHeader.add(tuple.source)
            pseudoHeader.add(tuple.destination)
            var old = InternetChecksum()
            old.add(layout.source)
            old.add(layout.destination)
            pseudoHeader.subtract(old)
        }
        TransportRewriting(
            kind: transport.kind, offset: offset, count: count,
            oldSourcePort: transport.sourcePort, oldDestinationPort: transport.destinationPort,
            newSourcePort: tuple.sourcePort, newDestinationPort: tuple.destinationPort,
            pseudoHeader: pseudoHeader, isPartial: isPartial
        ).apply(to: &bytes, icmpType: ICMPEcho.ipv4Type)
    }
}
