// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

/// The steps of any router that forwards a packet (RFC 8200 §3, RFC 1812 §5.3.1): it uses a hop, and must fit the next link.
struct Hop {
    enum Decision: Equatable {
        /// The packet, changed as necessary, is forwarded.
        case forward
        /// The packet, changed, is forwarded in these pieces.
        case fragment(PacketPieces)
        /// The packet is dropped. `answer` is the error for its source, if the rules of ICMP permit one.
        case drop(DropReason, answer: ICMPError?)
    }

    /// MTU of the link on which the packet leaves, in octets.
    let mtu: Int

    /// An IPv6 packet.
    /// - Parameter isOwn: whether the router itself sends it, so that it uses no hop.
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
        // RFC 1812 §5.2.6: fragmented without DF, dropped with it. Packets with options, of which every fragment would need its own copy,
        // and super-packets are handled as if they had DF.
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
