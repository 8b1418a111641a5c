// SPDX-License-Identifier: Apache-2.0
public import Wire

extension HeaderTranslator {
    /// Translates IPv4 to IPv6 (RFC 7915 §4). The packet gets the tuple's addresses, and its ports or identifier. Not for ICMP errors.
    public mutating func translate(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, to tuple: Tuple6
    ) -> TranslationOutcome {
        outcome(of: &packet, layout, tuple, isForwarded: true)
    }

    /// A packet that is not forwarded keeps its TTL: either it was decremented on its way in already, or it is our own.
    package func translate(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, to tuple: Tuple6, isForwarded: Bool
    ) -> TranslationOutcome {
        outcome(of: &packet, layout, tuple, isForwarded: isForwarded)
    }

    @inline(always)
    private func outcome(
        of packet: inout PacketBuffer, _ layout: IPv4Layout, _ tuple: Tuple6, isForwarded: Bool
    ) -> TranslationOutcome {
        do throws(Refusal) {
            return try translateIPv4ToIPv6(&packet, layout, tuple, isForwarded: isForwarded)
        } catch {
            return .dropped(error.reason, answer: error.answer)
        }
    }

    @inline(always)
    private func translateIPv4ToIPv6(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, _ tuple: Tuple6, isForwarded: Bool
    ) throws(Refusal) -> TranslationOutcome {
        packet.resize(to: layout.end)
        let transport = layout.transport
        let hopLimit = try Self.checkHeader(of: packet.bytes, layout, isForwarded: isForwarded)
        // Illegal sources are "silently dropped" (RFC 7915 §4.1), but kept in ICMP errors, which `translateError` handles.
        if layout.source.isIllegal, layout.source != options.carriedLinkLocal { throw Refusal(.illegalSource) }
        try Self.settlePartialChecksum(of: &packet, transport, isWhole: layout.fragment.isWhole)
        let lacksChecksum = try checkTransport(of: packet, layout)
        let superPacket = try SuperPacket.examine(packet, transport, tcp: .tcpIPv4)

        let isFragment = !layout.fragment.isWhole
        let headerLength = IPv6Header.length + (isFragment ? IPv6FragmentHeader.length : 0)
        let needsPieces = try checkSize(
            layout, payload: superPacket?.largestSegment ?? transport.count, headerLength: headerLength)
        if needsPieces && superPacket == nil { _ = packet.completeChecksum() }

        let header = ipv6Header(
            for: packet.bytes, layout, tuple, payloadLength: headerLength - IPv6Header.length + transport.count,
            hopLimit: hopLimit)

        packet.moveStart(by: transport.offset - headerLength)
        let isPartial = packet.offload.hasPartialChecksum
        var bytes = packet.mutableBytes
        Self.write(header, layout, to: &bytes, at: 0)
        Self.rewriteTransport(
            of: &bytes, at: headerLength, keeping: transport.count, layout, tuple, isPartial: isPartial)
        if lacksChecksum { Self.computeUDPChecksum(of: &bytes, at: headerLength, tuple) }

        if needsPieces {
            return .pieces(
                PacketPieces(
                    ofIPv6: packet, headerLength: headerLength, layout.fragment, mtu: largestWithoutDF, superPacket))
        }
        if isPartial || superPacket != nil { packet.offload.becomeIPv6(superPacket) }
        return .translated
    }

    /// Checks the header for reasons to drop the packet. Returns the outgoing hop limit.
    @inline(always)
    static func checkHeader(
        of bytes: Span<UInt8>, _ layout: IPv4Layout, isForwarded: Bool
    ) throws(Refusal) -> UInt8 {
        // "If any IPv4 options are present in the IPv4 packet, they MUST be ignored … However, if an unexpired source route
        // option is present, then the packet MUST instead be discarded, and an ICMPv4 'Destination Unreachable, Source Route
        // Failed' (Type 3, Code 5) error message SHOULD be returned to the sender" (RFC 7915 §4.1).
        if layout.headerLength > IPv4Header.length, hasUnexpiredSourceRoute(bytes, layout) {
            throw Refusal(.sourceRoute, answering: .sourceRouteFailed)
        }
        // TTL: at zero after the decrement, "TTL Exceeded in Transit" goes back (RFC 7915 §4.1).
        let ttl = bytes[layout.start + IPv4Header.ttl]
        if !isForwarded { return ttl }
        if ttl <= 1 { throw Refusal(.hopLimitExceeded, answering: .ttlExceeded) }
        return ttl - 1
    }

    /// Whether it has a loose or strict source route (RFC 791 §3.1) whose pointer is not beyond its end.
    private static func hasUnexpiredSourceRoute(_ bytes: Span<UInt8>, _ layout: IPv4Layout) -> Bool {
        var offset = layout.start + IPv4Header.length
        let end = layout.start + layout.headerLength
        while offset < end {
            switch bytes[offset] {
            case 0: return false
            case 1: offset += 1
            case let type:
                guard offset + 2 <= end else { return false }
                let length = Int(bytes[offset + 1])
                guard length >= 2, offset + length <= end else { return false }
                if type == 131 || type == 137, length > 2, Int(bytes[offset + 2]) < length { return true }
                offset += length
            }
        }
        return false
    }

    /// Checks the transport for reasons to drop the packet. Returns true if a UDP checksum has to be computed.
    @inline(always)
    private func checkTransport(of packet: borrowing PacketBuffer, _ layout: IPv4Layout) throws(Refusal) -> Bool {
        let transport = layout.transport
        switch transport.kind {
        case .tcp:
            return false
        case .opaque:
            // Copied, such a number would turn the payload into an extension header or an ICMPv6 message.
            if transport.protocolNumber.isOnlyOfIPv6 { throw Refusal(.foreignProtocol) }
            return false
        case .udp:
            if packet.offload.hasPartialChecksum
                || packet.bytes.uint16(at: transport.offset + UDPHeader.checksum) != 0
            {
                return false
            }
            // "A stateless translator cannot compute the UDP checksum of fragmented packets" (RFC 7915 §4.5), nor does a super-packet have
            // a partial one to start from. The answer is that of §4.4.
            guard options.udpZeroChecksum == .compute, layout.fragment.isWhole,
                packet.offload.segmentation == .none
            else { throw Refusal(.udpWithoutChecksum, answering: .communicationAdministrativelyProhibited) }
            return true
        case .icmpEcho:
            // The ICMPv6 checksum covers a pseudo-header with the whole length, which a fragment does not contain (§1.2).
            if !layout.fragment.isWhole { throw Refusal(.fragmentedICMP) }
            return false
        case .laterFragment:
            if transport.protocolNumber == .icmp { throw Refusal(.fragmentedICMP) }
            if transport.protocolNumber.isOnlyOfIPv6 { throw Refusal(.foreignProtocol) }
            return false
        case .icmpError, .icmpOther:
            throw Refusal(.icmpTypeNotTranslated)
        }
    }

    /// The maximum size of a packet without DF.
    @inline(always)
    private var largestWithoutDF: Int { min(options.lowestIPv6MTU, options.ipv6MTU) }

    /// RFC 7915 §4.1: a packet with DF that does not fit is dropped; one without DF is sent in pieces if it would be larger than
    /// lowest-ipv6-mtu. Returns true if pieces are needed.
    @inline(always)
    private func checkSize(_ layout: IPv4Layout, payload: Int, headerLength: Int) throws(Refusal) -> Bool {
        let size = headerLength + payload
        guard layout.dontFragment else { return size > largestWithoutDF }
        if size <= options.ipv6MTU { return false }
        // The RFC counts without a Fragment header: "the MTU of the next-hop interface is less than the total length value of the IPv4
        // packet plus 20". The next fragment will have that header, too, so the MTU in the answer leaves room for it.
        let growth = headerLength - IPv4Header.length
        throw Refusal(.packetTooBig, answering: .fragmentationNeeded(mtu: options.ipv6MTU - growth))
    }

    /// Makes the IPv6 header (RFC 7915 §4.1).
    @inline(always)
    func ipv6Header(
        for bytes: Span<UInt8>, _ layout: IPv4Layout, _ tuple: Tuple6, payloadLength: Int, hopLimit: UInt8
    ) -> IPv6Header.Fields {
        // Next header ← protocol, ICMPv6 for ICMP. A fragment has the Fragment header in between.
        var header = IPv6Header.Fields(
            payloadLength: UInt16(clamping: payloadLength),
            nextHeader: layout.fragment.isWhole ? Self.nextHeader(of: layout) : .fragment,
            source: tuple.source, destination: tuple.destination)

        // Traffic class ← TOS, all eight bits, or zero by configuration; flow label ← 0.
        header.trafficClass = options.zeroesTrafficClass ? 0 : bytes[layout.start + IPv4Header.tos]

        // Hop limit ← TTL, decremented by the forwarder.
        header.hopLimit = hopLimit
        return header
    }

    @inline(always)
    private static func nextHeader(of layout: IPv4Layout) -> IPProtocol {
        layout.transport.protocolNumber == .icmp ? .icmpv6 : layout.transport.protocolNumber
    }

    /// Writes the IPv6 header and, for a fragment, the Fragment header (RFC 7915 §4.1).
    @inline(always)
    static func write(
        _ header: IPv6Header.Fields, _ layout: IPv4Layout, to bytes: inout MutableSpan<UInt8>, at offset: Int
    ) {
        header.write(to: &bytes, at: offset)
        if layout.fragment.isWhole { return }
        // Offset and M ← the IPv4 header's; identification ← 16 bits of zero and the IPv4 identification.
        IPv6FragmentHeader.Fields(
            nextHeader: nextHeader(of: layout), fragmentOffset: layout.fragment.offset,
            moreFragments: layout.fragment.moreFollow, identification: layout.fragment.identification
        ).write(to: &bytes, at: offset + IPv6Header.length)
    }

    /// Rewrites the ports or identifier, ICMP type and checksum of the transport that `layout` describes. It now begins at `offset`, and
    /// `count` octets of it are left.
    @inline(always)
    static func rewriteTransport(
        of bytes: inout MutableSpan<UInt8>, at offset: Int, keeping count: Int, _ layout: IPv4Layout, _ tuple: Tuple6,
        isPartial: Bool
    ) {
        let transport = layout.transport
        var pseudoHeader = InternetChecksum()
        if transport.kind == .icmpEcho {
            // ICMPv4 has no pseudo-header.
            pseudoHeader = InternetChecksum(
                pseudoHeaderFrom: tuple.source, to: tuple.destination, of: .icmpv6,
                length: layout.totalLength - layout.headerLength)
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
        ).apply(to: &bytes, icmpType: ICMPEcho.ipv6Type)
    }

    /// "Calculating an IPv6 checksum and forwarding the packet" (RFC 7915 §4.5).
    private static func computeUDPChecksum(of bytes: inout MutableSpan<UInt8>, at offset: Int, _ tuple: Tuple6) {
        // The UDP length may be less than the IP packet has room for; that it is not more was checked when the packet was parsed.
        let length = Int(bytes.uint16(at: offset + UDPHeader.udpLength))
        var sum = InternetChecksum(
            pseudoHeaderFrom: tuple.source, to: tuple.destination, of: .udp, length: length)
        sum.add(bytes.span, in: offset..<offset + length)
        bytes.setUInt16(sum.checksum == 0 ? 0xffff : sum.checksum, at: offset + UDPHeader.checksum)
    }
}
