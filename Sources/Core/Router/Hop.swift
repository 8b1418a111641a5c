// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

/// What any router does with a packet that it forwards (RFC 8200 §3, RFC 1812 §5.3.1): it costs a hop, and has to fit the next link.
struct Hop {
    enum Decision: Equatable {
        /// The packet, changed as far as need be, goes on.
        case forward
        /// The packet, changed, goes on in these pieces.
        case fragment(PacketPieces)
        /// `answer` is what its source is told, where the rules of ICMP permit.
        case drop(DropReason, answer: ICMPError?)
    }

    /// Of the link on which the packet goes on, in octets.
    let mtu: Int

    /// An IPv6 packet.
    /// - Parameter isOwn: whether the router sends it itself: it has come no hop yet.
    func pass(_ packet: inout PacketBuffer, isOwn: Bool = false) -> Decision {
        // RFC 8200 §3: decremented by one by each node that forwards the packet, and discarded at zero.
        let hopLimit = packet.bytes[IPv6Header.hopLimit]
        if hopLimit <= 1, !isOwn { return .drop(.hopLimitExceeded, answer: .ipv6(.hopLimitExceeded)) }
        // RFC 4443 §3.2: must be sent in response to a packet that cannot be forwarded because of its size.
        if packet.largestPiece > mtu { return .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: mtu))) }
        if isOwn { return .forward }
        var bytes = packet.mutableBytes
        bytes[IPv6Header.hopLimit] = hopLimit - 1
        return .forward
    }

    /// An IPv4 packet.
    func pass(_ packet: inout PacketBuffer, _ layout: IPv4Layout, isOwn: Bool = false) -> Decision {
        // RFC 1812 §5.3.1: TTL.
        let ttl = packet.bytes[IPv4Header.ttl]
        if ttl <= 1, !isOwn { return .drop(.hopLimitExceeded, answer: .ipv4(.ttlExceeded)) }
        // RFC 1812 §5.2.6: fragmented without DF, dropped with it. Options, of which every fragment would need its own copy,
        // and super-packets count as if they had DF.
        let isTooBig = packet.largestPiece > mtu
        if isTooBig {
            guard !layout.dontFragment, layout.headerLength == IPv4Header.length, packet.offload.segmentation == .none,
                packet.completeChecksum()
            else { return .drop(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: mtu))) }
        }
        if !isOwn {
            var bytes = packet.mutableBytes
            IPv4Header.decrementTTL(&bytes)
        }
        if !isTooBig { return .forward }
        packet.resize(to: layout.end)
        return .fragment(PacketPieces(ofIPv4: packet, layout, mtu: mtu))
    }
}
