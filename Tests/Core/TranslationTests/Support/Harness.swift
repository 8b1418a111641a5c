// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// The result of translating a packet, as values that a test can compare.
enum Result: Equatable {
    case packet([UInt8])
    case pieces([[UInt8]])
    case dropped(DropReason, answer: ICMPError?)

    static func dropped(_ reason: DropReason) -> Result { .dropped(reason, answer: nil) }
}

func result(
    of outcome: TranslationOutcome, _ packet: borrowing PacketBuffer, original: [UInt8]
) -> Result {
    switch outcome {
    case .translated:
        return .packet(packet.octets)
    case .pieces(var pieces):
        var all: [[UInt8]] = []
        var piece = soiledBuffer()
        while pieces.next(of: packet, into: &piece) { all.append(piece.octets) }
        return .pieces(all)
    case .dropped(let reason, let answer):
        #expect(packet.octets == original, "a dropped packet stays as it was")
        return .dropped(reason, answer: answer)
    }
}

// The tests' addresses are those of Jool's conformance tests: IPv4 192.0.2.33 is IPv6 2001:db8:1c0:2:21::, and
// 198.51.100.2 is 2001:db8:1c6:3364:2::, both by RFC 6052 with the prefix 2001:db8:100::/40.
let outgoing4 = Tuple4(source: IPv4Address(192, 0, 2, 33), destination: IPv4Address(198, 51, 100, 2))
let outgoing6 = Tuple6(
    source: IPv6Address("2001:db8:1c0:2:21::")!, destination: IPv6Address("2001:db8:1c6:3364:2::")!)

/// Translates with the ports that the packet has, or those given.
func translate6(
    _ packet: [UInt8], options: TranslationOptions = TranslationOptions(), offload: Offload = .none,
    ports: (UInt16, UInt16)? = nil
) throws -> Result {
    var buffer = PacketBuffer(packet, offload: offload)
    let layout = try IPv6Layout(buffer.bytes)
    var tuple = outgoing4
    tuple.sourcePort = ports?.0 ?? layout.transport.sourcePort
    tuple.destinationPort = ports?.1 ?? layout.transport.destinationPort
    var translator = HeaderTranslator(options: options, seed: 0x1234)
    return result(of: translator.translate(&buffer, layout, to: tuple), buffer, original: packet)
}

func translate4(
    _ packet: [UInt8], options: TranslationOptions = TranslationOptions(), offload: Offload = .none,
    ports: (UInt16, UInt16)? = nil
) throws -> Result {
    var buffer = PacketBuffer(packet, offload: offload)
    let layout = try IPv4Layout(buffer.bytes)
    var tuple = outgoing6
    tuple.sourcePort = ports?.0 ?? layout.transport.sourcePort
    tuple.destinationPort = ports?.1 ?? layout.transport.destinationPort
    var translator = HeaderTranslator(options: options, seed: 0x1234)
    return result(of: translator.translate(&buffer, layout, to: tuple), buffer, original: packet)
}
