import Testing
import Translation
import Wire

@testable import Simulator

@Suite struct ForwardingTests {
    private let forwarding = Forwarding(
        links: LinkPlan(), ipv6Router: NetworkPlan.router, ipv4Router: NetworkPlan.ipv4Router)

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

    @Test func `each hop costs one`() throws {
        var packet = ipv6()
        let layout = try IPv6Layout(packet.bytes)
        #expect(forwarding.decide(&packet, layout, to: .world) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 63)
    }

    @Test func `at the last hop the sender is told`() throws {
        for hopLimit in [0, 1] as [UInt8] {
            var packet = ipv6(hopLimit: hopLimit)
            let layout = try IPv6Layout(packet.bytes)
            #expect(
                forwarding.decide(&packet, layout, to: .world)
                    == .drop(.hopLimitExceeded, answer: .ipv6(.hopLimitExceeded)))
        }
    }

    @Test func `what is for the router itself has arrived`() throws {
        var packet = ipv6(to: NetworkPlan.router, hopLimit: 1)
        let layout = try IPv6Layout(packet.bytes)
        #expect(forwarding.decide(&packet, layout, to: .world) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 1)
    }

    @Test func `what belongs to the link stays there`() throws {
        for destination in ["ff02::1", "fe80::1"] {
            var packet = ipv6(to: IPv6Address(destination)!)
            let layout = try IPv6Layout(packet.bytes)
            #expect(forwarding.decide(&packet, layout, to: .world) == .drop(.illegalDestination, answer: nil))
        }
        for source in ["::", "::1", "fe80::1", "ff02::1"] {
            var packet = ipv6(from: IPv6Address(source)!)
            let layout = try IPv6Layout(packet.bytes)
            #expect(forwarding.decide(&packet, layout, to: .world) == .drop(.illegalSource, answer: nil))
        }
    }

    @Test func `the size that counts is a segment's`() throws {
        var large = ipv6(payload: 1461)
        let layout = try IPv6Layout(large.bytes)
        #expect(
            forwarding.decide(&large, layout, to: .world)
                == .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1500))))
        large.offload.segmentation = .tcpIPv6
        large.offload.headerLength = 60
        large.offload.segmentSize = 1440
        #expect(forwarding.decide(&large, layout, to: .world) == .forward)
    }

    @Test func `the IPv4 header checksum follows the TTL`() throws {
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
            #expect(forwarding.decide(&packet, layout, to: .world) == .forward)
            #expect(packet.bytes[IPv4Header.ttl] == ttl - 1)
            // Examining verifies the checksum.
            #expect(throws: Never.self) { try IPv4Layout(packet.bytes) }
        }
    }

    private func ipv4(payload: Int, dontFragment: Bool = false) -> PacketBuffer {
        var packet = PacketBuffer()
        packet.resize(to: IPv4Header.length + payload)
        var fields = IPv4Header.Fields(
            totalLength: UInt16(IPv4Header.length + payload), protocolNumber: .udpLite,
            source: IPv4Address(198, 51, 100, 10), destination: NetworkPlan.ipv4Client)
        fields.dontFragment = dontFragment
        fields.identification = 7
        var bytes = packet.mutableBytes
        fields.write(to: &bytes)
        for index in 0..<payload { bytes[IPv4Header.length + index] = UInt8(truncatingIfNeeded: index) }
        return packet
    }

    @Test func `each link has an MTU of its own`() throws {
        let forwarding = Forwarding(
            links: LinkPlan(clientMTU: 1280, worldMTU: 576), ipv6Router: NetworkPlan.router,
            ipv4Router: NetworkPlan.ipv4Router)
        var six = ipv6(payload: 1241)
        let sixLayout = try IPv6Layout(six.bytes)
        // IPv6 has 1280 everywhere.
        for nextHop in [Forwarding.NextHop.client, .world] {
            #expect(
                forwarding.decide(&six, sixLayout, to: nextHop)
                    == .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1280))))
        }
        var four = ipv4(payload: 557, dontFragment: true)
        let fourLayout = try IPv4Layout(four.bytes)
        #expect(
            forwarding.decide(&four, fourLayout, to: .world)
                == .drop(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: 576))))
        #expect(forwarding.decide(&four, fourLayout, to: .client) == .forward)
    }

    @Test func `what the router sends itself fits the link too`() throws {
        let forwarding = Forwarding(
            links: LinkPlan(clientMTU: 1280), ipv6Router: NetworkPlan.router, ipv4Router: NetworkPlan.ipv4Router)
        var packet = ipv6(from: NetworkPlan.router, to: NetworkPlan.client, hopLimit: 1, payload: 1240)
        let layout = try IPv6Layout(packet.bytes)
        #expect(forwarding.decide(&packet, layout, to: .client) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 1)
        packet = ipv6(from: NetworkPlan.router, to: NetworkPlan.client, payload: 1241)
        let tooBig = try IPv6Layout(packet.bytes)
        #expect(
            forwarding.decide(&packet, tooBig, to: .client)
                == .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1280))))
    }

    @Test(arguments: [(1481, 2), (2960, 2), (2961, 3), (65_515, 45)])
    func `without DF a packet goes on in fragments`(payload: Int, count: Int) throws {
        var packet = ipv4(payload: payload)
        let layout = try IPv4Layout(packet.bytes)
        guard case .fragment(var pieces) = forwarding.decide(&packet, layout, to: .client) else {
            Issue.record("not fragmented")
            return
        }
        var piece = PacketBuffer()
        var whole: [UInt8] = []
        var fragments = 0
        while pieces.next(of: packet, into: &piece) {
            // Examining verifies the checksum.
            let layout = try IPv4Layout(piece.bytes)
            #expect(layout.totalLength == piece.count && piece.count <= 1500)
            #expect(layout.fragment.identification == 7 && layout.fragment.offset == whole.count)
            #expect(piece.bytes[IPv4Header.ttl] == 63)
            for index in IPv4Header.length..<piece.count { whole.append(piece.bytes[index]) }
            fragments += 1
            #expect(layout.fragment.moreFollow == (whole.count < payload))
        }
        #expect(fragments == count)
        #expect(whole == (0..<payload).map { UInt8(truncatingIfNeeded: $0) })
    }
}
