// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Wire

// Answers to earlier packets, which match existing state.

extension Choices {
    /// A possible answer of the receiver of `packet`: addresses, ports and the types of an echo are swapped.
    mutating func answer(to packet: FuzzedPacket) -> FuzzedPacket {
        let verdict = packet.verdict
        var octets = packet.octets
        let addresses = verdict.destination + verdict.source
        let place = addresses.count == 32 ? 8 : 12
        guard verdict.problem == nil, octets.count >= place + addresses.count else { return packet }
        octets.replaceSubrange(place..<place + addresses.count, with: addresses)
        octets[addresses.count == 32 ? 7 : 8] = 64
        let start = verdict.payloadOffset
        if verdict.fragment == nil, verdict.payload.count >= 8 {
            switch verdict.protocolNumber {
            case UpperLayer.tcp, UpperLayer.udp:
                octets.replaceSubrange(start..<start + 4, with: verdict.payload[2..<4] + verdict.payload[0..<2])
                if verdict.protocolNumber == UpperLayer.tcp, verdict.payload.count >= 14 {
                    octets[start + 13] = pick([0x12, 0x10, 0x11, 0x04, 0x02, 0x18, 0x14])
                }
            case UpperLayer.icmpv4, UpperLayer.icmpv6:
                let answers: [UInt8: UInt8] = [8: 0, 0: 8, 128: 129, 129: 128]
                octets[start] = answers[octets[start]] ?? octets[start]
            default: break
            }
        }
        var answer = FuzzedPacket(octets: octets)
        answer.heal(lengths: false, transport: true)
        return answer
    }

    /// An ICMP error about `packet`, from its destination or from a router on the way.
    mutating func error(about packet: FuzzedPacket, from router: [UInt8]) -> FuzzedPacket {
        let verdict = packet.verdict
        guard verdict.problem == nil else { return packet }
        let isIPv6 = verdict.source.count == 16
        var quote = packet.octets
        // Quotes as much as there is room for, or less; the quote may be damaged.
        quote = Array(quote.prefix(oneIn(4) ? 28 + below(64) : 1_232))
        if oneIn(4), !quote.isEmpty { quote[Int(octet()) % quote.count] ^= octet() }
        if oneIn(8) { quote += octets(32) }
        let (type, code): (UInt8, UInt8) =
            oneIn(4)
            ? (octet(), octet())
            : isIPv6
                ? pick([(1, 4), (2, 0), (3, 0), (4, 1), (1, 0), (4, 0)])
                : pick([(3, 3), (3, 4), (11, 0), (12, 0), (3, 1), (3, 13)])
        var rest: UInt32 = oneIn(2) ? number32() : pick([0, 1_280, 68, 1_500, 0x0500_0000])
        if oneIn(4) {
            // RFC 4884 §4, §7: the length of the quote, which is padded, and an extension structure with one object.
            quote = Array(quote.prefix(128)) + [UInt8](repeating: 0, count: max(0, 128 - quote.count))
            quote += [0x20, 0, 0, 0, 0, 8, 1, 1] + octets(4)
            rest = isIPv6 ? 16 << 24 : 32 << 16
        }
        let datagram = Datagram(
            source: oneIn(2) ? router : verdict.destination, destination: verdict.source,
            upper: isIPv6
                ? .icmpv6(type, code, bigEndian(rest) + quote) : .icmpv4(type, code, bigEndian(rest) + quote))
        return FuzzedPacket(octets: datagram.whole)
    }
}
