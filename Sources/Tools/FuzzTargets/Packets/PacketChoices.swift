// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Wire

// Packets made from decisions: mostly valid ones, as invalid ones do not get far.

extension Choices {
    /// A datagram's upper layer. An echo's identifier is the source port on the IPv6 side, and the destination port on the other.
    mutating func upperLayer(isIPv6: Bool, source: UInt16, destination: UInt16) -> UpperLayer {
        let kind = below(10)
        switch kind {
        case 0, 1:
            return .udp(source, destination, payload())
        case 2:
            var upper = UpperLayer.udp(source, destination, payload())
            upper.checksumOffset = nil
            return upper
        case 3...6:
            let flags: UInt8 =
                kind == 3 ? 0x02 : kind == 4 ? 0x10 : kind == 5 ? pick([0x12, 0x11, 0x04, 0x18]) : octet()
            let options = oneIn(4) ? below(11) : 0
            return .tcp(
                source, destination, TCPFlags(rawValue: flags), sequence: number32(),
                options: [UInt8](repeating: 1, count: options * 4), payload: payload())
        case 7, 8:
            let identifier = isIPv6 ? source : destination
            let types: [UInt8] = isIPv6 ? [128, 129] : [8, 0]
            let type = pick(types)
            let rest = bigEndian(identifier) + [0, 1] + payload()
            return isIPv6 ? .icmpv6(type, 0, rest) : .icmpv4(type, 0, rest)
        default:
            return UpperLayer(protocolNumber: octet(), octets: payload())
        }
    }

    /// A payload of any length up to that of a super-packet.
    mutating func payload() -> [UInt8] {
        let count = pick([2, 0, 1, 8, 20, 100, 528, 1_208, 1_452, 3_000, 9_000, 60_000]) + (oneIn(8) ? below(64) : 0)
        let (first, step) = (octet(), octet())
        return (0..<count).map { first &+ step &* UInt8(truncatingIfNeeded: $0) }
    }

    /// Sets the remaining fields of a header.
    mutating func decorate(_ datagram: inout Datagram) {
        datagram.identification = oneIn(4) ? number32() | 0x8000 : UInt32(below(3))
        datagram.dontFragment = oneIn(2)
        if !oneIn(4) { return }
        datagram.hopLimit = pick([64, 0, 1, 2, 255])
        datagram.trafficClass = octet()
        if !oneIn(2) { return }
        if datagram.isIPv6 {
            for _ in 0..<below(4) {
                // Padding (RFC 8200 §4.2), which is valid as a Routing header without segments left, too.
                let number: UInt8 = pick([60, 0, 43, 44, 51])
                datagram.extensions.append(
                    (number, [0, 0] + (number == 43 ? [0, 0, 0, 0, 0, 0] : [1, 4, 0, 0, 0, 0])))
            }
        } else {
            datagram.options = pick([
                [1, 1, 1, 1], [7, 7, 4, 0, 0, 0, 0, 0], [131, 3, 4, 0], [131, 7, 4, 1, 2, 3, 4, 0],
            ])
        }
    }

    /// The datagram, or one fragment of it.
    mutating func packet(of datagram: Datagram) -> FuzzedPacket {
        guard oneIn(4) else { return FuzzedPacket(octets: datagram.whole) }
        let size = pick([8, 24, 512, 1_232, 1_480])
        return FuzzedPacket(octets: datagram.fragment(at: below(8) * size, count: size + (oneIn(8) ? 8 : 0)))
    }

    /// Changes some octets of some packets, and repairs the checksums of some of those.
    mutating func damage(_ packet: inout FuzzedPacket) {
        let changes = pick([0, 0, 0, 0, 0, 1, 2, 6])
        if oneIn(16) { packet.offload(segmentSize: oneIn(2) ? number16() : pick16([0, 1_400, 536, 1])) }
        if oneIn(32) { damageOffload(&packet.offload) }
        if changes == 0 || packet.octets.isEmpty { return }
        for _ in 0..<changes {
            let place = Int(number16()) % (oneIn(4) ? packet.octets.count : min(packet.octets.count, 128))
            packet.octets[place] = oneIn(2) ? octet() : packet.octets[place] ^ (1 << below(8))
        }
        if oneIn(4) { packet.octets.removeLast(Int(number16()) % packet.octets.count) }
        switch below(4) {
        case 0: packet.heal(lengths: true, transport: true)
        case 1: packet.heal(lengths: false, transport: true)
        case 2: packet.heal(lengths: false, transport: false)
        default: break
        }
    }

    private mutating func pick16(_ numbers: [UInt16]) -> UInt16 { pick(numbers) }

    private mutating func damageOffload(_ offload: inout Offload) {
        switch below(6) {
        case 0: offload.segmentation = pick([.tcpIPv4, .tcpIPv6, .udp, .none])
        case 1: offload.segmentSize = number16()
        case 2: offload.headerLength = number16()
        case 3: offload.checksumStart = number16()
        case 4: offload.checksumOffset = number16()
        default: offload.hasPartialChecksum.toggle()
        }
    }

    /// Random octets with a valid version.
    mutating func rawPacket(isIPv6: Bool) -> FuzzedPacket {
        var packet = FuzzedPacket(octets: octets(below(256)))
        if !packet.octets.isEmpty { packet.octets[0] = isIPv6 ? 0x60 | packet.octets[0] & 0xf : 0x45 }
        if oneIn(2) { packet.heal(lengths: true, transport: oneIn(2)) }
        return packet
    }
}
