// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import FuzzTargets

/// Tests that the checks of output packets detect mistakes.
@Suite struct OracleTests {
    private static let check = OutputCheck(TranslationOptions())
    private static let source: [UInt8] = [192, 0, 2, 1]
    private static let destination: [UInt8] = [198, 51, 100, 1]
    private static let upper = UpperLayer.udp(1, 2, [1, 2, 3, 4])

    private static let packets: [Datagram] = [
        Datagram(source: source, destination: destination, upper: upper),
        Datagram(source: Scene.hosts[0].array, destination: Scene.hosts[1].array, upper: upper),
        Datagram(
            source: source, destination: destination,
            upper: .tcp(1, 2, .ack, sequence: 7, options: [1, 1, 1, 1], payload: [1, 2, 3])),
        Datagram(
            source: Scene.hosts[0].array, destination: Scene.hosts[1].array,
            upper: .icmpv6(128, 0, [0, 0, 0, 1, 5])),
    ]

    @Test(arguments: packets.indices)
    func `packets that are right pass`(index: Int) throws {
        let packet = FuzzedPacket(octets: Self.packets[index].whole)
        #expect(packet.verdict.hasRightChecksum())
        #expect(throws: Never.self) { try Self.check.check(packet, isRight: true) }
    }

    @Test(arguments: packets.indices)
    func `any octet changed that a checksum or a length covers is noticed`(index: Int) throws {
        let octets = Self.packets[index].whole
        // The hop limit, traffic class and flow label of IPv6 are covered by nothing.
        let uncovered: Set<Int> = octets[0] >> 4 == 6 ? [0, 1, 2, 3, 7] : []
        for place in octets.indices where !uncovered.contains(place) {
            var packet = FuzzedPacket(octets: octets)
            packet.octets[place] ^= 0x04
            // Another protocol number hides the checksum.
            if octets[0] >> 4 == 6 && place == 6 { continue }
            #expect(throws: BrokenInvariant.self, "octet \(place)") { try Self.check.check(packet, isRight: true) }
        }
    }

    @Test(arguments: packets.indices)
    func `an offloaded checksum is that of the pseudo-header, and points at its field`(index: Int) throws {
        var packet = FuzzedPacket(octets: Self.packets[index].whole)
        packet.offload(segmentSize: 0)
        guard packet.offload.hasPartialChecksum else { return }
        #expect(throws: Never.self) { try Self.check.check(packet, isRight: true) }
        packet.offload.checksumStart += 1
        #expect(throws: BrokenInvariant.self) { try Self.check.check(packet, isRight: true) }
    }

    @Test
    func `a packet beyond the MTU is noticed`() throws {
        var datagram = Self.packets[0]
        datagram.upper = .udp(1, 2, [UInt8](repeating: 0, count: 1_473))
        #expect(throws: BrokenInvariant.self) {
            try Self.check.check(FuzzedPacket(octets: datagram.whole), isRight: true)
        }
    }

    @Test
    func `pieces that leave a hole, or do not add up to what was right, are noticed`() throws {
        var datagram = Self.packets[0]
        datagram.upper = .udp(1, 2, (0..<100).map { UInt8($0) })
        let pieces = datagram.fragments(of: 40).map(PacketVerdict.init)
        #expect(throws: Never.self) { try Self.check.checkPieces(pieces) }
        #expect(throws: BrokenInvariant.self) { try Self.check.checkPieces([pieces[0], pieces[2]]) }
        var wrong = pieces
        wrong[1].payload[3] ^= 1
        #expect(throws: BrokenInvariant.self) { try Self.check.checkPieces(wrong) }
    }

    @Test
    func `an ICMP error that quotes nothing, or the other family, is noticed`() throws {
        for quote in [[], Self.packets[1].whole, Array(Self.packets[0].whole.prefix(19))] {
            let error = Datagram(
                source: Self.source, destination: Self.destination,
                upper: .icmpv4(3, 1, [0, 0, 0, 0] + quote))
            #expect(throws: BrokenInvariant.self) {
                try Self.check.check(FuzzedPacket(octets: error.whole), isRight: true)
            }
        }
    }
}
