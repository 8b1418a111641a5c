// SPDX-License-Identifier: Apache-2.0
/// What became of a packet.
public enum TranslationOutcome: Hashable, Sendable {
    /// The buffer holds the translated packet, with its `offload` if it is a super-packet.
    case translated
    /// The buffer holds the translated packet, and it is too large for the next hop: the pieces go out in its stead.
    ///
    ///     while pieces.next(of: packet, into: &piece) { send(piece) }
    case pieces(PacketPieces)
    /// The packet goes nowhere, and is as it was, but for padding behind it. `answer` is what a router owes to the packet's source: an error
    /// of the family that the packet came in; `ICMPErrorBuilder` makes the packet, and knows when none may be sent.
    case dropped(DropReason, answer: ICMPError?)

    @inlinable
    static func dropped(_ reason: DropReason) -> TranslationOutcome { .dropped(reason, answer: nil) }
}
