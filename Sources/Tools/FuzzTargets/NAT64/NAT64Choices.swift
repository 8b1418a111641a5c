// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

// Packets for a NAT64: from hosts, from the world, and about packets that it sent itself.

extension Choices {
    mutating func packet(
        for configuration: NAT64Configuration, _ outputs: [(side: Side, packet: FuzzedPacket)]
    ) -> (Side, FuzzedPacket) {
        var side: Side = oneIn(2) ? .ipv4 : .ipv6
        var packet: FuzzedPacket
        let kind = below(12)
        switch kind {
        case 0:
            return (side, rawPacket(isIPv6: side == .ipv6))
        case 1...4 where !outputs.isEmpty:
            // A packet that went out on a side is answered from there.
            let output = pick(outputs)
            side = output.side
            packet =
                kind <= 2
                ? answer(to: output.packet)
                : error(about: output.packet, from: side == .ipv6 ? router6(configuration) : [9, 9, 9, 9])
        case 5 where !outputs.isEmpty:
            let output = pick(outputs)
            side = oneIn(2) ? output.side : side
            packet = output.packet
        default:
            packet = self.packet(of: side == .ipv6 ? hostDatagram(configuration) : worldDatagram(configuration))
        }
        damage(&packet)
        return (side, packet)
    }

    /// The fragments of a valid datagram, in any order, and no others.
    mutating func fragments(
        for configuration: NAT64Configuration, _ identification: UInt32
    ) -> (Side, fragments: [FuzzedPacket]) {
        let side: Side = oneIn(2) ? .ipv4 : .ipv6
        var datagram = side == .ipv6 ? hostDatagram(configuration) : worldDatagram(configuration)
        datagram.identification = identification
        datagram.extensions.removeAll { $0.number == 44 }
        var ordered = datagram.fragments(of: pick([512, 64, 1_232, 1_480]))
        var fragments: [FuzzedPacket] = []
        // More fragments than the NAT64 keeps for one datagram, so that some are dropped.
        while !ordered.isEmpty && fragments.count < 130 {
            fragments.append(FuzzedPacket(octets: ordered.remove(at: below(min(ordered.count, 256)))))
        }
        return (side, fragments)
    }

    private mutating func router6(_ configuration: NAT64Configuration) -> [UInt8] {
        oneIn(2) ? Scene.router6.array : configuration.prefixes[0].embed(pick(Scene.remotes)).array
    }

    /// From a host to the world, or back to another host through the pool's addresses.
    private mutating func hostDatagram(_ configuration: NAT64Configuration) -> Datagram {
        let remote = oneIn(4) ? pick(configuration.pool) : pick(Scene.remotes)
        var datagram = Datagram(
            source: pick(Scene.hosts).array, destination: pick(configuration.prefixes).embed(remote).array,
            upper: upperLayer(isIPv6: true, source: port([4_000, 4_001, 80, 53]), destination: port([53, 80, 4_000])))
        decorate(&datagram)
        return datagram
    }

    private mutating func worldDatagram(_ configuration: NAT64Configuration) -> Datagram {
        var datagram = Datagram(
            source: pick(Scene.remotes).array, destination: pick(configuration.pool).array,
            upper: upperLayer(isIPv6: false, source: port([53, 80, 4_000]), destination: port([80, 4_000, 53])))
        decorate(&datagram)
        return datagram
    }

    private mutating func port(_ usual: [UInt16]) -> UInt16 { oneIn(8) ? number16() : pick(usual) }
}
