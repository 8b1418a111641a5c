// SPDX-License-Identifier: Apache-2.0
import Wire

/// A packet's `Offload`, checked against the packet itself.
struct SuperPacket {
    /// Octets of the TCP or UDP header.
    let transportHeaderLength: Int
    /// Octets of payload in each segment except the last, which may have fewer.
    let segmentSize: Int
    let segmentCount: Int

    /// Octets of transport header and payload in the largest segment.
    let largestSegment: Int

    /// `nil` for an ordinary packet.
    @inline(always)
    static func examine(
        _ packet: borrowing PacketBuffer, _ transport: TransportLayout, tcp: Offload.Segmentation
    ) throws(Refusal) -> SuperPacket? {
        if packet.offload.segmentation == .none { return nil }
        return try SuperPacket(packet, transport, tcp: tcp)
    }

    private init(
        _ packet: borrowing PacketBuffer, _ transport: TransportLayout, tcp: Offload.Segmentation
    ) throws(Refusal) {
        segmentSize = Int(packet.offload.segmentSize)
        switch (packet.offload.segmentation, transport.kind) {
        case (tcp, .tcp):
            transportHeaderLength = Int(packet.bytes[transport.offset + TCPHeader.dataOffset] >> 4) * 4
        case (.udp, .udp):
            transportHeaderLength = UDPHeader.length
        default:
            throw Refusal(.unsupportedOffload)
        }
        let payload = transport.count - transportHeaderLength
        guard segmentSize > 0, payload >= 0 else { throw Refusal(.unsupportedOffload) }
        segmentCount = max(1, (payload + segmentSize - 1) / segmentSize)
        largestSegment = transportHeaderLength + min(payload, segmentSize)
    }
}

extension HeaderTranslator {
    /// Leaves a partial checksum partial in TCP and UDP, where the pseudo-headers of both families have the same form, and completes any
    /// other.
    @inline(always)
    static func settlePartialChecksum(
        of packet: inout PacketBuffer, _ transport: TransportLayout, isWhole: Bool
    ) throws(Refusal) {
        guard packet.offload.hasPartialChecksum else { return }
        // A fragment's checksum covers the contents of other packets.
        guard isWhole else { throw Refusal(.unsupportedOffload) }
        if (transport.kind == .tcp || transport.kind == .udp)
            && Int(packet.offload.checksumStart) == transport.offset
            && Int(packet.offload.checksumOffset) == transport.checksumOffset
        {
            return
        }
        guard packet.offload.segmentation == .none, packet.completeChecksum() else {
            throw Refusal(.unsupportedOffload)
        }
    }
}
