import Testing
import Translation
import Wire

@testable import Simulator

@Suite struct ForwardingTests {
    private let forwarding = Forwarding(
        mtu: 1500, ipv6Router: NetworkPlan.router, ipv4Router: NetworkPlan.ipv4Router)

    private func ipv6(
        from source: IPv6Address = NetworkPlan.client, to destination: IPv6Address = IPv6Address("2001:2:0:cafe::6")!,
        hopLimit: UInt8 = 64, payload: Int = 8
    ) -> PacketBuffer {
        var packet = PacketBuffer()
        packet.resize(to: IPv6Header.length + payload)
        var fields = IPv6Header.Fields(
            payloadLength: UInt16(payload), nextHeader: .noNextHeader, source: source, destination: destination)
        fields.hopLimit = hopLimit
        var bytes = packet.mutableBytes
        fields.write(to: &bytes)
        return packet
    }

    @Test func eachHopCostsOne() throws {
        var packet = ipv6()
        let layout = try IPv6Layout(packet.bytes)
        #expect(forwarding.decide(&packet, layout) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 63)
    }

    @Test func atTheLastHopTheSenderIsTold() throws {
        for hopLimit in [0, 1] as [UInt8] {
            var packet = ipv6(hopLimit: hopLimit)
            let layout = try IPv6Layout(packet.bytes)
            #expect(
                forwarding.decide(&packet, layout)
                    == .drop(.hopLimitExceeded, answer: .ipv6(.hopLimitExceeded)))
        }
    }

    @Test func whatIsForTheRouterItselfHasArrived() throws {
        var packet = ipv6(to: NetworkPlan.router, hopLimit: 1)
        let layout = try IPv6Layout(packet.bytes)
        #expect(forwarding.decide(&packet, layout) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 1)
    }

    @Test func whatBelongsToTheLinkStaysThere() throws {
        for destination in ["ff02::1", "fe80::1"] {
            var packet = ipv6(to: IPv6Address(destination)!)
            let layout = try IPv6Layout(packet.bytes)
            #expect(forwarding.decide(&packet, layout) == .drop(.illegalDestination, answer: nil))
        }
        for source in ["::", "::1", "fe80::1", "ff02::1"] {
            var packet = ipv6(from: IPv6Address(source)!)
            let layout = try IPv6Layout(packet.bytes)
            #expect(forwarding.decide(&packet, layout) == .drop(.illegalSource, answer: nil))
        }
    }

    @Test func theSizeThatCountsIsASegments() throws {
        var large = ipv6(payload: 1461)
        let layout = try IPv6Layout(large.bytes)
        #expect(
            forwarding.decide(&large, layout) == .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1500))))
        large.offload.segmentation = .tcpIPv6
        large.offload.headerLength = 60
        large.offload.segmentSize = 1440
        #expect(forwarding.decide(&large, layout) == .forward)
    }

    @Test func theIPv4HeaderChecksumFollowsTheTTL() throws {
        for ttl in UInt8(2)...255 {
            var packet = PacketBuffer()
            packet.resize(to: 28)
            var fields = IPv4Header.Fields(
                totalLength: 28, protocolNumber: .udpLite, source: NetworkPlan.ipv4Client,
                destination: IPv4Address(198, 51, 100, 10))
            fields.ttl = ttl
            var bytes = packet.mutableBytes
            fields.write(to: &bytes)
            let layout = try IPv4Layout(packet.bytes)
            #expect(forwarding.decide(&packet, layout) == .forward)
            #expect(packet.bytes[IPv4Header.ttl] == ttl - 1)
            // Examining verifies the checksum.
            #expect(throws: Never.self) { try IPv4Layout(packet.bytes) }
        }
    }
}
