// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// For any input, nothing traps, and all output is well-formed.
@Suite struct HostileInputTests {
    /// A network with a session of each protocol, and the packets that made and use them.
    private struct Scene: ~Copyable {
        var network: Network
        var packets6: [[UInt8]]
        var packets4: [[UInt8]]

        var packets: [(side: Side, octets: [UInt8])] {
            packets6.map { (.ipv6, $0) } + packets4.map { (.ipv4, $0) }
        }
    }

    private static func scene() throws -> Scene {
        var network = try Network { $0.errors.burst = 1_000_000 }
        network.expectsRightChecksums = false
        let source = IPv6Address(h6)!
        let destination = Network.synthesized(h4)
        var packets6: [[UInt8]] = []
        var packets4: [[UInt8]] = []
        for upper in [UpperLayer.udp(4_000, 53), .tcp(5_000, 80, .syn), .echoRequest6(7)] {
            let packet = ipv6Packet(source, destination, upper)
            let out = try network.receive(packet, from: .ipv6).only(to: .ipv4)
            let answer: UpperLayer =
                switch out.transport {
                case 17: .udp(53, out.sourcePort)
                case 6: .tcp(80, out.sourcePort, [.syn, .ack])
                default: .echoReply4(out.identifier)
                }
            let back = ipv4Packet(IPv4Address(h4)!, IPv4Address(t4)!, answer)
            let received = try network.receive(back, from: .ipv4).only(to: .ipv6)
            packets6 += [
                packet, ipv6Packet(source, destination, .icmpv6(1, 4, [0, 0, 0, 0] + received.octets)),
                ipv6Packet(source, destination, .icmpv6(2, 0, [0, 0, 5, 0] + received.octets)),
                ipv6Packet(source, destination, .icmpv6(1, 4, [0, 0, 0, 0] + packet)),
            ]
            packets6 += ipv6Fragments(source, destination, .udp(4_000, 53, Array(repeating: 1, count: 64)), size: 32)
            packets4 += [
                back, ipv4Packet(IPv4Address(h4)!, IPv4Address(t4)!, .icmpv4(3, 4, [0, 0, 5, 0] + out.octets)),
                ipv4Packet(IPv4Address(h4)!, IPv4Address(t4)!, .icmpv4(12, 0, [8, 0, 0, 0] + out.octets)),
            ]
            packets4 += ipv4Fragments(
                IPv4Address(h4)!, IPv4Address(t4)!, .udp(53, out.sourcePort, Array(repeating: 1, count: 64)), size: 32,
                hasChecksum: false)
        }
        return Scene(network: network, packets6: packets6, packets4: packets4)
    }

    /// Each packet ends in at least one way, and in at most one drop of its own.
    private static func check(_ outcome: Outcome, storedBefore: UInt64, _ network: borrowing Network) {
        let stored = network.nat.counters.stored - storedBefore
        #expect(outcome.emitted.count + outcome.drops.count + Int(stored) >= 1)
    }

    @Test
    func `every truncation of every packet`() throws {
        var scene = try Self.scene()
        for (side, packet) in scene.packets {
            for count in 0..<packet.count {
                let before = scene.network.nat.counters.stored
                let outcome = scene.network.receive(Array(packet.prefix(count)), from: side)
                Self.check(outcome, storedBefore: before, scene.network)
                #expect(outcome.drops.contains { $0 == .truncated || $0 == .notIP }, "\(count) of \(packet)")
            }
        }
    }

    @Test(arguments: [0x01, 0x80, 0xff, 0x0f] as [UInt8])
    func `every octet of every packet, changed`(mask: UInt8) throws {
        var scene = try Self.scene()
        for (side, packet) in scene.packets {
            for index in packet.indices {
                var changed = packet
                changed[index] ^= mask
                if side == .ipv4 { Self.repairHeader(&changed) }
                let before = scene.network.nat.counters.stored
                Self.check(scene.network.receive(changed, from: side), storedBefore: before, scene.network)
            }
        }
    }

    @Test
    func `garbage of every length`() throws {
        var scene = try Self.scene()
        var random = SeededRandom(seed: 99)
        for count in 0..<300 {
            for side in Side.allCases {
                var garbage = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                if count > 0 { garbage[0] = side == .ipv6 ? 0x60 : 0x45 }
                #expect(scene.network.receive(garbage, from: side).drops.count == 1)
            }
        }
    }

    @Test
    func `ICMP errors that quote each other, however deep`() throws {
        var scene = try Self.scene()
        let mapped = scene.network.bindings.first { $0.transport == .udp }?.mapped.port ?? 0
        var inner = ipv4Packet(IPv4Address(t4)!, IPv4Address(h4)!, .udp(mapped, 53))
        for depth in 1...20 {
            inner = ipv4Packet(IPv4Address(h4)!, IPv4Address(t4)!, .icmpv4(3, 1, [0, 0, 0, 0] + inner))
            let outcome = scene.network.receive(inner, from: .ipv4)
            #expect(depth == 1 ? outcome.emitted.count == 1 : outcome.emitted.isEmpty && outcome.drops.count == 1)
        }
    }

    @Test
    func `chains of extension headers, however long`() throws {
        var scene = try Self.scene()
        for count in [1, 2, 8, 16, 17, 100, 1_000] {
            var chain: [UInt8] = []
            for index in 0..<count { chain += [index == count - 1 ? 17 : 60, 0, 1, 4, 0, 0, 0, 0] }
            let udp = UpperLayer.udp(4_000, 53).summed(
                pseudoHeader(IPv6Address(h6)!, Network.synthesized(h4), 17, 13))
            let header = IPv6Datagram(source: IPv6Address(h6)!, destination: Network.synthesized(h4))
                .header(60, chain.count + udp.count)
            let outcome = scene.network.receive(header + chain + udp, from: .ipv6)
            #expect(count <= 16 ? outcome.emitted.count == 1 : outcome.drops.count == 1)
        }
    }

    private static func repairHeader(_ packet: inout [UInt8]) {
        let length = min(packet.count, Int(packet[0] & 0xf) * 4)
        if length < 20 { return }
        packet.replaceSubrange(10..<12, with: [0, 0])
        packet.replaceSubrange(10..<12, with: bigEndian(slowChecksum(Array(packet[..<length]))))
    }
}
