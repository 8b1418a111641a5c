// SPDX-License-Identifier: Apache-2.0
import Translation
import Wire

// RFC 6146 §3.7, Translating the Packet: RFC 7915 with the tuples of the previous steps.

extension NAT64 {
    mutating func translate(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, to tuple: Tuple4, _ output: any PacketOutput
    ) throws(Refusal) {
        let isHairpin = pool.contains(tuple.destination)
        // A hairpinned packet does not pass the IPv4 side's next hop.
        if isHairpin { translator.options.ipv4MTU = Self.largestIPv4MTU }
        let outcome = translator.translate(&packet, layout, to: tuple)
        if isHairpin { translator.options.ipv4MTU = configuration.translation.ipv4MTU }
        switch outcome {
        case .translated where isHairpin:
            hairpin(&packet, output)
        case .pieces(var pieces) where isHairpin:
            // A super-packet so large that IPv4 lacks the 20 octets: its segments are sent back one by one.
            var piece = takeScratch()
            while pieces.next(of: packet, into: &piece) { hairpin(&piece, output) }
            scratch = consume piece
        default:
            try forward(&packet, outcome, to: .ipv4, nil, output)
        }
    }

    mutating func translate(
        _ packet: inout PacketBuffer, _ layout: IPv4Layout, from origin: Origin, to tuple: Tuple6,
        _ output: any PacketOutput
    ) throws(Refusal) {
        let outcome = translator.translate(&packet, layout, to: tuple, isForwarded: origin.isForwarded)
        try forward(
            &packet, outcome, to: .ipv6, outcome == .translated ? tuple.outline(of: packet, layout) : nil, output)
    }

    /// Emits the result of a translation: the packet or its pieces. Throws if the packet is dropped.
    mutating func forward(
        _ packet: inout PacketBuffer, _ outcome: TranslationOutcome, to side: Side, _ outline: IPv6Outline?,
        _ output: any PacketOutput
    ) throws(Refusal) {
        switch outcome {
        case .translated:
            emit(&packet, to: side, outline, output)
        case .pieces(var pieces):
            var piece = takeScratch()
            while pieces.next(of: packet, into: &piece) { emit(&piece, to: side, nil, output) }
            scratch = consume piece
        case .dropped(let reason, let answer):
            throw Refusal(reason, answer: answer.map { .translators($0) })
        }
    }

    @inline(always)
    mutating func emit(
        _ packet: inout PacketBuffer, to side: Side, _ outline: IPv6Outline?, _ output: any PacketOutput
    ) {
        switch side {
        case .ipv6: counters.emittedToIPv6 &+= 1
        case .ipv4: counters.emittedToIPv4 &+= 1
        }
        output.emit(&packet, to: side, outline)
    }

    /// A buffer for packets of our own. The caller returns it afterwards; a caller that needs a buffer meanwhile gets a new one.
    mutating func takeScratch() -> PacketBuffer {
        scratch.take() ?? PacketBuffer()
    }

    static var largestIPv4MTU: Int { 65_535 }
}

extension Tuple6 {
    /// The outline of the IPv6 packet that an IPv4 packet has become with this tuple.
    @inline(always)
    fileprivate func outline(of packet: borrowing PacketBuffer, _ layout: IPv4Layout) -> IPv6Outline {
        var transport = layout.transport
        transport.offset = packet.count - transport.count
        transport.sourcePort = sourcePort
        transport.destinationPort = destinationPort
        if transport.protocolNumber == .icmp { transport.protocolNumber = .icmpv6 }
        return IPv6Outline(source: source, destination: destination, transport: transport)
    }
}
