public import Wire

/// What is wrong with the links on purpose.
public struct LinkFaults: Hashable, Sendable {
    /// A path-MTU black hole: IPv6 packets of more octets are dropped silently, in both directions. `nil` for none.
    public var ipv6BlackHole: Int?
    /// The same for IPv4 packets.
    public var ipv4BlackHole: Int?

    public init() {}

    /// Whether a packet of this side's is lost on its way.
    @inline(always)
    public func swallow(_ packet: borrowing PacketBuffer, on side: Side) -> Bool {
        guard let most = side == .ipv6 ? ipv6BlackHole : ipv4BlackHole else { return false }
        return packet.largestPiece > most
    }
}
