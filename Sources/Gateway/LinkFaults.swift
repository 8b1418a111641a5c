import NAT64
import Wire

/// What is wrong with the links on purpose.
public struct LinkFaults: Hashable, Sendable {
    /// A path-MTU black hole: on that side, packets of more octets vanish, in both directions, and nobody is told. Nil for none.
    public var ipv6BlackHole: Int?
    public var ipv4BlackHole: Int?

    public init() {}

    func swallow(_ packet: borrowing PacketBuffer, on side: Side) -> Bool {
        guard let most = side == .ipv6 ? ipv6BlackHole : ipv4BlackHole else { return false }
        return packet.largestPiece > most
    }
}

extension PacketBuffer {
    /// The size of the largest packet on the wire that this one stands for: a segment's where it is a super-packet.
    fileprivate var largestPiece: Int {
        offload.segmentation == .none ? count : min(count, Int(offload.headerLength) + Int(offload.segmentSize))
    }
}
