import Translation
import Wire

/// What a plain router does with a packet that needs no translation (RFC 8200, RFC 1812): the hop limit, the addresses that are
/// never forwarded, the next hop's MTU.
struct Forwarding {
    enum Decision: Equatable {
        /// The packet, changed as far as need be, goes on.
        case forward
        /// `answer` is what its source is told, where the rules of ICMP permit.
        case drop(DropReason, answer: ICMPError?)
    }

    /// Octets that the next hop takes at once, in either direction.
    let mtu: Int
    /// The router's own addresses: a packet to one of them has arrived, and costs no hop.
    let ipv6Router: IPv6Address
    let ipv4Router: IPv4Address

    func decide(_ packet: inout PacketBuffer, _ layout: IPv6Layout) -> Decision {
        // RFC 4291 §2.5.6, §2.7: what stays on its link.
        if layout.destination.isMulticast || layout.destination.isLinkLocal {
            return .drop(.illegalDestination, answer: nil)
        }
        if layout.source.isMulticast || layout.source.isLinkLocal || layout.source == .unspecified
            || layout.source == .loopback
        {
            return .drop(.illegalSource, answer: nil)
        }
        if layout.destination == ipv6Router || layout.source == ipv6Router { return .forward }

        // RFC 8200 §3: decremented by one by each node that forwards the packet, and discarded at zero.
        let hopLimit = packet.bytes[IPv6Header.hopLimit]
        if hopLimit <= 1 { return .drop(.hopLimitExceeded, answer: .ipv6(.hopLimitExceeded)) }
        // RFC 4443 §3.2: must be sent in response to a packet that cannot be forwarded because of its size.
        if packet.largestPiece > mtu { return .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: mtu))) }
        var bytes = packet.mutableBytes
        bytes[IPv6Header.hopLimit] = hopLimit - 1
        return .forward
    }

    func decide(_ packet: inout PacketBuffer, _ layout: IPv4Layout) -> Decision {
        // RFC 1122 §3.2.1.3: what is no unicast address.
        let network = layout.destination.bits >> 24
        if network >= 224 || network == 127 || network == 0 { return .drop(.illegalDestination, answer: nil) }
        let sender = layout.source.bits >> 24
        if sender >= 224 || sender == 127 || sender == 0 { return .drop(.illegalSource, answer: nil) }
        if layout.destination == ipv4Router || layout.source == ipv4Router { return .forward }

        // RFC 1812 §5.3.1: TTL.
        let ttl = packet.bytes[IPv4Header.ttl]
        if ttl <= 1 { return .drop(.hopLimitExceeded, answer: .ipv4(.ttlExceeded)) }
        // Both links have the same MTU, so only a packet that was made for a larger one is ever too big. A router may
        // fragment it; this one says the truth about its MTU, DF or not, as RFC 1812 §4.2.2.7 permits nobody to forget.
        if packet.largestPiece > mtu { return .drop(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: mtu))) }
        var bytes = packet.mutableBytes
        let before = bytes.uint16(at: IPv4Header.ttl)
        bytes[IPv4Header.ttl] = ttl - 1
        var difference = InternetChecksum()
        difference.subtract(before)
        difference.add(bytes.uint16(at: IPv4Header.ttl))
        bytes.setUInt16(
            difference.applied(toChecksum: bytes.uint16(at: IPv4Header.checksum)), at: IPv4Header.checksum)
        return .forward
    }
}

extension PacketBuffer {
    /// The size of the largest packet on the wire that this one stands for: a segment's where it is a super-packet.
    fileprivate var largestPiece: Int {
        offload.segmentation == .none ? count : min(count, Int(offload.headerLength) + Int(offload.segmentSize))
    }
}
