// SPDX-License-Identifier: Apache-2.0
/// The result of translating a packet.
public enum TranslationOutcome: Hashable, Sendable {
    /// The buffer contains the translated packet, with its `offload` if it is a super-packet.
    case translated
    /// The buffer contains the translated packet, which is too large for the next hop: the pieces are sent instead.
    ///
    ///     while pieces.next(of: packet, into: &piece) { send(piece) }
    case pieces(PacketPieces)
    /// The packet is dropped and unchanged, except for padding after it. `answer` is the error that a router owes to the packet's source,
    /// in the packet's own family; `ICMPErrorBuilder` makes the packet, and knows when none may be sent.
    case dropped(DropReason, answer: ICMPError?)

    @inlinable
    static func dropped(_ reason: DropReason) -> TranslationOutcome { .dropped(reason, answer: nil) }
}
