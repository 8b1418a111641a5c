// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// Packets with work left for the kernel cross as they are.
@Suite struct SuperPacketTests {
    /// A TCP super-packet with a partial checksum.
    private static func superPacket(
        _ source: IPv6Address, _ destination: IPv6Address, payload: Int = 30_000
    ) -> ([UInt8], Offload) {
        var upper = UpperLayer.tcp(5_000, 80, .ack, payload: Array(repeating: 9, count: payload))
        let sum = ~slowChecksum(pseudoHeader(source, destination, 6, upper.octets.count))
        upper.octets.replaceSubrange(16..<18, with: bigEndian(sum))
        upper.checksumOffset = nil
        var offload = Offload()
        offload.segmentation = .tcpIPv6
        offload.segmentSize = 1_400
        offload.headerLength = 60
        offload.hasPartialChecksum = true
        offload.checksumStart = 40
        offload.checksumOffset = 16
        return (ipv6Packet(source, destination, upper), offload)
    }

    @Test
    func `a TCP super-packet is translated whole, and its checksum stays partial`() throws {
        var network = try Network()
        network.send6(h6, h4, .tcp(5_000, 80, .syn))
        network.expectsRightChecksums = false
        let (packet, offload) = Self.superPacket(IPv6Address(h6)!, Network.synthesized(h4))
        let out = try network.receive(packet, from: .ipv6, offload: offload).only(to: .ipv4)
        #expect(out.upper.count == 30_020 && out.sourcePort != 5_000)
        #expect(out.offload.segmentation == .tcpIPv4 && out.offload.segmentSize == 1_400)
        #expect(out.offload.checksumStart == 20 && out.offload.headerLength == 40)
        let pseudo = pseudoHeader(IPv4Address(t4)!, IPv4Address(h4)!, 6, 30_020)
        #expect(Array(out.upper[16..<18]) == bigEndian(~slowChecksum(pseudo)))
    }

    @Test
    func `a hairpinned one keeps its family, and its work`() throws {
        var network = try Network {
            $0.staticBindings = [
                StaticBinding(
                    .tcp, TransportAddress6(IPv6Address("2001:db8::80")!, 80), TransportAddress4($0.pool[0], 80))
            ]
        }
        network.send6(h6, t4, .tcp(5_000, 80, .syn))
        network.expectsRightChecksums = false
        let (packet, offload) = Self.superPacket(IPv6Address(h6)!, Network.synthesized(t4))
        let out = try network.receive(packet, from: .ipv6, offload: offload).only(to: .ipv6)
        #expect(out.upper.count == 30_020 && out.destination == "2001:db8::80" && out.destinationPort == 80)
        #expect(out.offload.segmentation == .tcpIPv6 && out.offload.segmentSize == 1_400)
        #expect(out.offload.checksumStart == 40 && out.offload.headerLength == 60)
        let pseudo = pseudoHeader(IPv6Address(out.source)!, IPv6Address(out.destination)!, 6, 30_020)
        #expect(Array(out.upper[16..<18]) == bigEndian(~slowChecksum(pseudo)))
    }

    /// 65,540 octets as an IPv4 packet, which the way back would be.
    @Test
    func `a hairpinned one that IPv4 has no room for goes back segment by segment`() throws {
        var network = try Network {
            $0.staticBindings = [
                StaticBinding(
                    .tcp, TransportAddress6(IPv6Address("2001:db8::80")!, 80), TransportAddress4($0.pool[0], 80))
            ]
        }
        network.send6(h6, t4, .tcp(5_000, 80, .syn))
        let payload = 65_500
        let (packet, offload) = Self.superPacket(IPv6Address(h6)!, Network.synthesized(t4), payload: payload)
        let outcome = network.receive(packet, from: .ipv6, offload: offload)
        #expect(outcome.drops.isEmpty)
        #expect(outcome.emitted.allSatisfy { $0.side == .ipv6 && $0.packet.destination == "2001:db8::80" })
        #expect(outcome.emitted.count == (payload + 1_399) / 1_400)
        #expect(outcome.emitted.map { $0.packet.upper.count - 20 }.reduce(0, +) == payload)
    }

    @Test
    func `a fragment cannot have any`() throws {
        var network = try Network()
        let datagram = UpperLayer.udp(4_000, 53, Array(repeating: 1, count: 100))
        let fragment = ipv6Fragments(IPv6Address(h6)!, Network.synthesized(h4), datagram, size: 56)[0]
        var offload = Offload()
        offload.hasPartialChecksum = true
        offload.checksumStart = 48
        offload.checksumOffset = 6
        #expect(network.receive(fragment, from: .ipv6, offload: offload).drops == [.unsupportedOffload])
    }
}
