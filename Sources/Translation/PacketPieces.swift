public import Wire

/// The packets that go out instead of one that is too large: its fragments, or a super-packet's segments.
///
/// A cursor and a few numbers. The packet itself stays in its buffer; each piece is made in another one.
public struct PacketPieces: Hashable, Sendable {
    /// Makes the next piece; false when there is none left.
    public mutating func next(of packet: borrowing PacketBuffer, into piece: inout PacketBuffer) -> Bool {
        false
    }
}
