// SPDX-License-Identifier: Apache-2.0
public import Wire

/// The packets that replace one that is too large: a super-packet's segments, and the fragments of a packet or of a segment that does not
/// fit the next hop.
///
/// Theory of operation. A cursor and a few numbers; the translated packet stays in its buffer, and each piece is made in another one, which
/// must have room for the next hop's MTU (a `PacketBuffer` made without arguments has). The packet is a sequence of datagrams, just one if
/// it is not a super-packet, and each datagram is a sequence of fragments, just one if it fits.
///
///     packet    | IP header | transport header | payload                              |
///     datagrams             | transport header | payload 0   |   | … | payload 1   |  ...
///     fragments | IP header | transport header | ... |   | IP header | ... |
///
/// Here … is a copy of the transport header, and ... is the rest.
public struct PacketPieces: Hashable, Sendable {
    private let isIPv6: Bool
    private let upperLayer: IPProtocol
    private let mtu: Int
    /// Octets of the IP headers in the packet: the offset of the transport header.
    private let transportOffset: Int
    /// `.none` for an ordinary packet. Its transport header is then treated as payload (`transportHeaderLength` is 0), so any protocol will
    /// do.
    private let segmentation: Offload.Segmentation
    /// Octets of the header that each segment repeats; 0 for an ordinary packet.
    private let transportHeaderLength: Int
    /// Octets of payload in each segment except the last; for an ordinary packet, all.
    private let segmentSize: Int
    /// Offset of the end of the payload in the packet.
    private let payloadEnd: Int
    /// The packet's own fragment fields: an ordinary packet may already be a fragment. The identification is that of the first segment;
    /// each further segment has the next one.
    private let position: FragmentPosition

    // The cursor.
    /// The index of the current segment.
    private var segment = 0
    private var payloadStart: Int
    /// Octets of the current datagram that previous pieces contain.
    private var sent = 0
    private var isDone = false

    /// For a translated IPv4 packet in `packet`.
    init(ofIPv4 packet: borrowing PacketBuffer, _ header: IPv4Header.Fields, mtu: Int, _ superPacket: SuperPacket?) {
        let position = FragmentPosition(
            offset: header.fragmentOffset, moreFollow: header.moreFragments,
            identification: UInt32(header.identification))
        self.init(
            isIPv6: false, header.protocolNumber, packet, transportOffset: IPv4Header.length, position, mtu: mtu,
            superPacket)
    }

    /// For an IPv4 packet in `packet` that a router forwards: whole or a fragment, without options and without DF.
    public init(ofIPv4 packet: borrowing PacketBuffer, _ layout: IPv4Layout, mtu: Int) {
        precondition(layout.start == 0 && layout.headerLength == IPv4Header.length, "options would be lost")
        self.init(
            isIPv6: false, layout.transport.protocolNumber, packet, transportOffset: IPv4Header.length, layout.fragment,
            mtu: mtu, nil)
    }

    /// For a translated IPv6 packet in `packet`, whose IPv6 header and Fragment header, if any, have `headerLength` octets together.
    init(
        ofIPv6 packet: borrowing PacketBuffer, headerLength: Int, _ position: FragmentPosition, mtu: Int,
        _ superPacket: SuperPacket?
    ) {
        // With a Fragment header, the upper-layer protocol is in that header's Next Header field.
        let nextHeader =
            headerLength > IPv6Header.length
            ? IPv6Header.length + IPv6FragmentHeader.nextHeader : IPv6Header.nextHeader
        self.init(
            isIPv6: true, IPProtocol(rawValue: packet.bytes[nextHeader]), packet, transportOffset: headerLength,
            position,
            mtu: mtu, superPacket)
    }

    private init(
        isIPv6: Bool, _ upperLayer: IPProtocol, _ packet: borrowing PacketBuffer, transportOffset: Int,
        _ position: FragmentPosition, mtu: Int, _ superPacket: SuperPacket?
    ) {
        self.isIPv6 = isIPv6
        self.upperLayer = upperLayer
        self.mtu = mtu
        self.transportOffset = transportOffset
        self.position = position
        segmentation = superPacket == nil ? .none : packet.offload.segmentation
        transportHeaderLength = superPacket?.transportHeaderLength ?? 0
        payloadStart = transportOffset + transportHeaderLength
        payloadEnd = packet.count
        segmentSize = superPacket?.segmentSize ?? max(1, payloadEnd - payloadStart)
    }

    /// Writes the next piece of `packet`, which must be the unchanged packet of the initialiser; false if there is none left.
    public mutating func next(of packet: borrowing PacketBuffer, into piece: inout PacketBuffer) -> Bool {
        if isDone { return false }
        let payloadLength = min(segmentSize, payloadEnd - payloadStart)
        let length = transportHeaderLength + payloadLength
        let room = roomInFragment(of: length)
        // All fragments but the last have a multiple of 8 octets.
        let count = length - sent <= room ? length - sent : room & ~7
        let isLastFragment = sent + count == length

        piece.reset()
        writeHeader(
            of: packet, to: &piece, payload: count, isLastFragment: isLastFragment, isWhole: isLastFragment && sent == 0
        )

        // The part of the transport header, and then of the payload, that lies in sent..<sent + count of this datagram.
        let headerLength = piece.count
        let headerPart = min(max(transportHeaderLength - sent, 0), count)
        piece.append(packet.bytes.extracting(transportOffset + sent, count: headerPart))
        let payloadPart = payloadStart + max(sent - transportHeaderLength, 0)
        piece.append(packet.bytes.extracting(payloadPart, count: count - headerPart))
        if segmentation != .none && sent == 0 {
            fixTransportHeader(
                of: &piece, at: headerLength, packet, payload: payloadStart..<payloadStart + payloadLength)
        }

        sent += count
        if isLastFragment {
            sent = 0
            segment += 1
            payloadStart += payloadLength
            isDone = payloadStart >= payloadEnd
        }
        return true
    }

    /// The number of octets of a datagram of `length` octets that fit into one packet.
    private func roomInFragment(of length: Int) -> Int {
        // Even if the MTU is smaller: at least 8 octets, the unit of fragment offsets, and the whole of a repeated transport header, which
        // `fixTransportHeader` needs in one piece.
        let least = max(8, (transportHeaderLength + 7) & ~7)
        if !isIPv6 { return max(least, mtu - IPv4Header.length) }
        if position.isWhole && length <= mtu - IPv6Header.length { return length }
        return max(least, mtu - IPv6Header.length - IPv6FragmentHeader.length)
    }

    /// Writes the IP header of a piece: the packet's, with the length, the fragment fields and, in IPv4, the checksum of this piece.
    /// - Parameters:
    ///   - payload: octets behind the IP headers in the piece.
    ///   - isWhole: whether the piece contains all of its datagram.
    private func writeHeader(
        of packet: borrowing PacketBuffer, to piece: inout PacketBuffer, payload: Int, isLastFragment: Bool,
        isWhole: Bool
    ) {
        let offset = position.offset + sent
        let moreFollow = position.moreFollow || !isLastFragment
        // Each segment is a separate datagram with its own identification.
        let identification = UInt16(truncatingIfNeeded: position.identification &+ UInt32(truncatingIfNeeded: segment))
        if isIPv6 {
            let hasFragmentHeader = !(isWhole && position.isWhole)
            let headerLength = IPv6Header.length + (hasFragmentHeader ? IPv6FragmentHeader.length : 0)
            piece.append(packet.bytes.extracting(0, count: IPv6Header.length))
            piece.resize(to: headerLength)
            var bytes = piece.mutableBytes
            bytes.setUInt16(
                UInt16(clamping: headerLength - IPv6Header.length + payload), at: IPv6Header.payloadLength)
            bytes[IPv6Header.nextHeader] = (hasFragmentHeader ? IPProtocol.fragment : upperLayer).rawValue
            guard hasFragmentHeader else { return }
            // RFC 7915 §4.1: the low 16 bits are the IPv4 identification, the high ones zero.
            IPv6FragmentHeader.Fields(
                nextHeader: upperLayer, fragmentOffset: offset, moreFragments: moreFollow,
                identification: UInt32(identification)
            ).write(to: &bytes, at: IPv6Header.length)
        } else {
            piece.append(packet.bytes.extracting(0, count: IPv4Header.length))
            var bytes = piece.mutableBytes
            bytes.setUInt16(UInt16(clamping: IPv4Header.length + payload), at: IPv4Header.totalLength)
            bytes.setUInt16(identification, at: IPv4Header.identification)
            let dontFragment = bytes.uint16(at: IPv4Header.flagsAndOffset) & IPv4Header.dontFragment
            bytes.setUInt16(
                dontFragment | (moreFollow ? IPv4Header.moreFragments : 0) | UInt16(clamping: offset >> 3),
                at: IPv4Header.flagsAndOffset)
            bytes.setUInt16(0, at: IPv4Header.checksum)
            var sum = InternetChecksum()
            sum.add(bytes.span, in: 0..<IPv4Header.length)
            bytes.setUInt16(sum.checksum, at: IPv4Header.checksum)
        }
    }

    /// Turns the super-packet's transport header, which the piece has at `offset`, into that of this segment.
    /// - Parameter payload: the offsets of the segment's whole payload in `packet`; the piece may contain only its beginning.
    private func fixTransportHeader(
        of piece: inout PacketBuffer, at offset: Int, _ packet: borrowing PacketBuffer, payload: Range<Int>
    ) {
        let length = transportHeaderLength + payload.count
        var sum = pseudoHeader(of: packet.bytes, length: length)
        // A transport header has an even number of octets, so the payload can be summed separately.
        sum.add(packet.bytes, in: payload)

        var bytes = piece.mutableBytes
        if segmentation == .udp {
            bytes.setUInt16(UInt16(clamping: length), at: offset + UDPHeader.udpLength)
            bytes.setUInt16(0, at: offset + UDPHeader.checksum)
            sum.add(bytes.span, in: offset..<offset + UDPHeader.length)
            bytes.setUInt16(sum.checksum == 0 ? 0xffff : sum.checksum, at: offset + UDPHeader.checksum)
            return
        }

        let sequenceNumber = bytes.uint32(at: offset + TCPHeader.sequenceNumber)
        bytes.setUInt32(
            sequenceNumber &+ UInt32(truncatingIfNeeded: segment * segmentSize), at: offset + TCPHeader.sequenceNumber)
        // FIN and PSH belong to the end of the data, CWR to the first segment only (RFC 3168 §6.1.2).
        var flags = TCPHeader.Flags(rawValue: bytes[offset + TCPHeader.flags])
        if payload.upperBound < payloadEnd { flags.subtract([.fin, .psh]) }
        if segment > 0 { flags.subtract(.cwr) }
        bytes[offset + TCPHeader.flags] = flags.rawValue
        bytes.setUInt16(0, at: offset + TCPHeader.checksum)
        sum.add(bytes.span, in: offset..<offset + transportHeaderLength)
        bytes.setUInt16(sum.checksum, at: offset + TCPHeader.checksum)
    }

    private func pseudoHeader(of bytes: Span<UInt8>, length: Int) -> InternetChecksum {
        isIPv6
            ? InternetChecksum(
                pseudoHeaderFrom: bytes.ipv6Address(at: IPv6Header.source),
                to: bytes.ipv6Address(at: IPv6Header.destination), of: upperLayer, length: length)
            : InternetChecksum(
                pseudoHeaderFrom: bytes.ipv4Address(at: IPv4Header.source),
                to: bytes.ipv4Address(at: IPv4Header.destination), of: upperLayer, length: length)
    }
}

extension Span where Element == UInt8 {
    @_lifetime(copy self)
    fileprivate func extracting(_ start: Int, count: Int) -> Span<UInt8> {
        extracting(start..<start + count)
    }
}
