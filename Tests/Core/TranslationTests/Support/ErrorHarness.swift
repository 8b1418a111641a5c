// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

// ICMP errors in tests: 192.0.2.33 and 2001:db8:1c0:2:21:: send them, about a packet that went the other way.

let outgoingQuoted4 = Tuple4(
    source: outgoing4.destination, sourcePort: 1, destination: outgoing4.source, destinationPort: 2)
let outgoingQuoted6 = Tuple6(
    source: outgoing6.destination, sourcePort: 1, destination: outgoing6.source, destinationPort: 2)

/// A packet that the error's destination sent to the error's source.
let quoted4 = IPv4Datagram(source: outgoing4.destination, destination: outgoing4.source, ttl: 7)
let quoted6 = IPv6Datagram(source: outgoing6.destination, destination: outgoing6.source, hopLimit: 7)

func translateError6(
    _ packet: [UInt8], options: TranslationOptions = TranslationOptions(), inner: Tuple4 = outgoingQuoted4
) throws -> Result {
    var buffer = PacketBuffer(packet)
    let layout = try IPv6Layout(buffer.bytes)
    #expect(layout.transport.kind == .icmpError)
    let quoted = try layout.quotedPacket(in: buffer.bytes)
    var translator = HeaderTranslator(options: options, seed: 0x1234)
    let outcome = translator.translateError(&buffer, layout, quoting: quoted, to: outgoing4, quotedTo: inner)
    return result(of: outcome, buffer, original: packet)
}

func translateError4(
    _ packet: [UInt8], options: TranslationOptions = TranslationOptions(), inner: Tuple6 = outgoingQuoted6
) throws -> Result {
    var buffer = PacketBuffer(packet)
    let layout = try IPv4Layout(buffer.bytes)
    #expect(layout.transport.kind == .icmpError)
    let quoted = try layout.quotedPacket(in: buffer.bytes)
    var translator = HeaderTranslator(options: options, seed: 0x1234)
    let outcome = translator.translateError(&buffer, layout, quoting: quoted, to: outgoing6, quotedTo: inner)
    return result(of: outcome, buffer, original: packet)
}

/// The header of a translated IPv4 error: hop limit 64 less one, identification from the generator.
let translatedError4 = IPv4Datagram(identification: 0x1234, ttl: 63)
let translatedError6 = IPv6Datagram(hopLimit: 63)
