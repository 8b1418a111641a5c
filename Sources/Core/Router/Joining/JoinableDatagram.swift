// SPDX-License-Identifier: Apache-2.0
import Wire

/// A UDP datagram whose headers permit it to share a super-packet with others.
///
/// The kernel gives each segment of a super-packet the headers of the first, and updates only lengths, checksums and the identifications of
/// IPv4. So a datagram is joinable if no other field would be lost, and if its checksum is left to the kernel, which then makes the same
/// datagram again. One that has its checksum, or none, would have to be verified first.
struct JoinableDatagram: Equatable {
    /// The fields that identify a flow.
    struct Flow: Equatable {
        var source: IPv6Address
        var destination: IPv6Address
        var ports: UInt32
    }

    let flow: Flow
    /// Other fields that all segments have in common: version, traffic class and flow label, or TOS, then DF and the hop limit.
    let commonFields: UInt64
    /// The identification of IPv4 without DF. With DF it has no meaning (RFC 6864 §4.1), and IPv6 has none.
    let identification: UInt16?
    /// Octets of the IP and UDP headers.
    let headerLength: Int
    /// Octets behind the headers: at least one.
    let payload: Int

    /// - Parameter packet: an examined packet: its lengths are within the buffer, its IPv4 header checksum is right.
    /// - Returns: `nil` for a packet that leaves as it is.
    @inline(always)
    init?(_ packet: borrowing PacketBuffer) {
        let offload = packet.offload
        guard offload.hasPartialChecksum, offload.segmentation == .none,
            Int(offload.checksumOffset) == UDPHeader.checksum
        else { return nil }
        switch packet.family {
        case .ipv6: self.init(ipv6: packet)
        case .ipv4: self.init(ipv4: packet)
        case nil: return nil
        }
        guard Int(offload.checksumStart) + UDPHeader.length == headerLength else { return nil }
    }

    private init?(ipv6 packet: borrowing PacketBuffer) {
        let bytes = packet.bytes
        headerLength = IPv6Header.length + UDPHeader.length
        payload = bytes.count - headerLength
        let length = bytes.count - IPv6Header.length
        // Extension headers may be those of one datagram only.
        guard payload > 0, bytes[IPv6Header.nextHeader] == IPProtocol.udp.rawValue,
            Int(bytes.uint16(at: IPv6Header.payloadLength)) == length
        else { return nil }

        flow = Flow(
            source: bytes.ipv6Address(at: IPv6Header.source),
            destination: bytes.ipv6Address(at: IPv6Header.destination), ports: bytes.uint32(at: IPv6Header.length))
        commonFields =
            UInt64(bytes.uint32(at: IPv6Header.versionClassAndFlow)) << 8 | UInt64(bytes[IPv6Header.hopLimit])
        identification = nil
        let sum = InternetChecksum(
            pseudoHeaderFrom: flow.source, to: flow.destination, of: .udp, length: length)
        guard Self.isPlain(bytes, at: IPv6Header.length, length, sum) else { return nil }
    }

    private init?(ipv4 packet: borrowing PacketBuffer) {
        let bytes = packet.bytes
        headerLength = IPv4Header.length + UDPHeader.length
        payload = bytes.count - headerLength
        let length = bytes.count - IPv4Header.length
        // Options may be those of one datagram only; a fragment is not joinable.
        let flags = payload > 0 ? bytes.uint16(at: IPv4Header.flagsAndOffset) : 0
        guard payload > 0, bytes[IPv4Header.versionAndLength] == 0x45, flags & ~IPv4Header.dontFragment == 0,
            bytes[IPv4Header.protocolNumber] == IPProtocol.udp.rawValue,
            Int(bytes.uint16(at: IPv4Header.totalLength)) == bytes.count
        else { return nil }

        let source = bytes.ipv4Address(at: IPv4Header.source)
        let destination = bytes.ipv4Address(at: IPv4Header.destination)
        flow = Flow(
            source: IPv6Address(bits: UInt128(source.bits)),
            destination: IPv6Address(bits: UInt128(destination.bits)),
            ports: bytes.uint32(at: IPv4Header.length))
        commonFields =
            UInt64(bytes.uint16(at: IPv4Header.versionAndLength)) << 24 | UInt64(flags) << 8
            | UInt64(bytes[IPv4Header.ttl])
        identification = flags == 0 ? bytes.uint16(at: IPv4Header.identification) : nil
        let sum = InternetChecksum(pseudoHeaderFrom: source, to: destination, of: .udp, length: length)
        guard Self.isPlain(bytes, at: IPv4Header.length, length, sum) else { return nil }
    }

    /// Whether the UDP length agrees with the IP header, and the partial checksum is that of the pseudo-header: a wrong one must stay
    /// wrong.
    @inline(always)
    private static func isPlain(_ bytes: Span<UInt8>, at offset: Int, _ length: Int, _ sum: InternetChecksum) -> Bool {
        Int(bytes.uint16(at: offset + UDPHeader.udpLength)) == length
            && bytes.uint16(at: offset + UDPHeader.checksum) == sum.folded
    }

    /// Whether its headers, except for the identification, permit it as a segment of a super-packet that begins with `first`.
    @inline(always)
    func matches(_ first: JoinableDatagram) -> Bool { flow == first.flow && commonFields == first.commonFields }

    /// Whether its identification is the one that the kernel gives segment `index` of a super-packet that begins with `first`.
    @inline(always)
    func counts(onFrom first: JoinableDatagram, at index: Int) -> Bool {
        identification == first.identification.map { $0 &+ UInt16(truncatingIfNeeded: index) }
    }
}
