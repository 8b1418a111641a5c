// SPDX-License-Identifier: Apache-2.0
/// RFC 7915: turns an IPv6 packet into an IPv4 one, and the reverse, in the packet's own buffer.
///
/// Theory of operation. The caller has examined the packet (`IPv4Layout`, `IPv6Layout`) and decided on its new addresses and ports: NAT64
/// from its session, `StatelessTranslator` from its mappings. Everything that may drop the packet is checked before the first byte changes,
/// so `.dropped` leaves the buffer as it was.
///
///     let layout = try IPv6Layout(packet.bytes)
///     switch translator.translate(&packet, layout, to: outgoing) {
///     case .translated: send(packet)
///     case .pieces(var pieces): while pieces.next(of: packet, into: &piece) { send(piece) }
///     case .dropped(let reason, let answer): …
///     }
///
/// An ICMP error (`layout.transport.kind == .icmpError`) goes to `translateError`, with the new tuple of the packet that it quotes:
///
///     let quoted = try layout.quotedPacket(in: packet.bytes)
///     translator.translateError(&packet, layout, quoting: quoted, to: outer, quotedTo: inner)
public struct HeaderTranslator {
    public var options: TranslationOptions
    public let identifications: IdentificationGenerator

    public init(options: TranslationOptions = TranslationOptions(), seed: UInt64) {
        self.options = options
        identifications = IdentificationGenerator(seed: seed)
    }
}
