import Topology
import Translation
import Wire

/// What a plain router does with a packet that needs no translation (RFC 8200, RFC 1812): the hop limit, the addresses that are
/// never forwarded, the next hop's MTU.
struct Forwarding {
    enum Decision: Equatable {
        /// The packet, changed as far as need be, goes on.
        case forward
        /// The packet, changed, goes on in these pieces.
        case fragment(PacketPieces)
        /// `answer` is what its source is told, where the rules of ICMP permit.
        case drop(DropReason, answer: ICMPError?)
    }

    /// Which of the two links is the next hop.
    enum NextHop {
        case client, world
    }

    let links: LinkPlan
    /// The router's own addresses: a packet to one of them has arrived, and costs no hop.
    let ipv6Router: IPv6Address
    let ipv4Router: IPv4Address

    func decide(_ packet: inout PacketBuffer, _ layout: IPv6Layout, to nextHop: NextHop) -> Decision {
        // RFC 4291 §2.5.6, §2.7: what stays on its link.
        if layout.destination.isMulticast || layout.destination.isLinkLocal {
            return .drop(.illegalDestination, answer: nil)
        }
        if layout.source.isMulticast || layout.source.isLinkLocal || layout.source == .unspecified
            || layout.source == .loopback
        {
            return .drop(.illegalSource, answer: nil)
        }
        if layout.destination == ipv6Router { return .forward }
        let isFromRouter = layout.source == ipv6Router

        // RFC 8200 §3: decremented by one by each node that forwards the packet, and discarded at zero.
        let hopLimit = packet.bytes[IPv6Header.hopLimit]
        if hopLimit <= 1, !isFromRouter { return .drop(.hopLimitExceeded, answer: .ipv6(.hopLimitExceeded)) }
        // RFC 4443 §3.2: must be sent in response to a packet that cannot be forwarded because of its size.
        let mtu = nextHop == .client ? links.clientMTU : links.worldIPv6MTU
        if packet.largestPiece > mtu { return .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: mtu))) }
        if isFromRouter { return .forward }
        var bytes = packet.mutableBytes
        bytes[IPv6Header.hopLimit] = hopLimit - 1
        return .forward
    }

    func decide(_ packet: inout PacketBuffer, _ layout: IPv4Layout, to nextHop: NextHop) -> Decision {
        // RFC 1122 §3.2.1.3: what is no unicast address.
        let network = layout.destination.bits >> 24
        if network >= 224 || network == 127 || network == 0 { return .drop(.illegalDestination, answer: nil) }
        let sender = layout.source.bits >> 24
        if sender >= 224 || sender == 127 || sender == 0 { return .drop(.illegalSource, answer: nil) }
        if layout.destination == ipv4Router { return .forward }

        // RFC 1812 §5.3.1: TTL. What the router sends itself has come no hop yet.
        let ttl = packet.bytes[IPv4Header.ttl]
        let isFromRouter = layout.source == ipv4Router
        if ttl <= 1, !isFromRouter { return .drop(.hopLimitExceeded, answer: .ipv4(.ttlExceeded)) }
        // RFC 1812 §5.2.6: fragmented without DF, dropped with it. Options, of which every fragment would need its own copy,
        // and super-packets count as if they had DF.
        let mtu = nextHop == .client ? links.clientMTU : links.worldMTU
        let isTooBig = packet.largestPiece > mtu
        if isTooBig {
            guard !layout.dontFragment, layout.headerLength == IPv4Header.length, packet.offload.segmentation == .none,
                packet.completeChecksum()
            else { return .drop(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: mtu))) }
        }
        if !isFromRouter { Self.countDown(&packet, from: ttl) }
        if !isTooBig { return .forward }
        packet.resize(to: layout.end)
        return .fragment(PacketPieces(ofIPv4: packet, layout, mtu: mtu))
    }

    private static func countDown(_ packet: inout PacketBuffer, from ttl: UInt8) {
        var bytes = packet.mutableBytes
        let before = bytes.uint16(at: IPv4Header.ttl)
        bytes[IPv4Header.ttl] = ttl - 1
        var difference = InternetChecksum()
        difference.subtract(before)
        difference.add(bytes.uint16(at: IPv4Header.ttl))
        bytes.setUInt16(
            difference.applied(toChecksum: bytes.uint16(at: IPv4Header.checksum)), at: IPv4Header.checksum)
    }
}
