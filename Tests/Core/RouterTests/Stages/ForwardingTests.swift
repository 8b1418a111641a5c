// SPDX-License-Identifier: Apache-2.0
import Testing
import Translation
import Wire

@testable import Router

@Suite struct ForwardingTests {
    private func decide(
        _ packet: inout PacketBuffer, from link: Link, by forwarding: Forwarding = Place.forwarding()
    ) throws -> Hop.Decision {
        var forwarding = forwarding
        if packet.family == .ipv6 { return forwarding.decide(&packet, try IPv6Layout(packet.bytes), from: link) }
        return forwarding.decide(&packet, try IPv4Layout(packet.bytes), from: link)
    }

    @Test func `each hop costs one`() throws {
        var packet = Datagram.ipv6()
        #expect(try decide(&packet, from: .client) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 63)
    }

    @Test func `at the last hop the sender is told`() throws {
        for hopLimit in [0, 1] as [UInt8] {
            var packet = Datagram.ipv6(hopLimit: hopLimit)
            #expect(
                try decide(&packet, from: .client) == .drop(.hopLimitExceeded, answer: .ipv6(.hopLimitExceeded)))
            packet = Datagram.ipv4(ttl: hopLimit)
            #expect(try decide(&packet, from: .client) == .drop(.hopLimitExceeded, answer: .ipv4(.ttlExceeded)))
        }
    }

    @Test func `what is for the router itself has arrived`() throws {
        var packet = Datagram.ipv6(to: Place.router6, hopLimit: 1)
        #expect(try decide(&packet, from: .client) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 1)
        packet = Datagram.ipv4(to: Place.router4, ttl: 1)
        #expect(try decide(&packet, from: .client) == .forward)
        #expect(packet.bytes[IPv4Header.ttl] == 1)
    }

    @Test func `what belongs to the link stays there`() throws {
        for destination in ["ff02::1", "fe80::1"] {
            var packet = Datagram.ipv6(to: IPv6Address(destination)!)
            #expect(try decide(&packet, from: .client) == .drop(.illegalDestination, answer: nil))
        }
        for source in ["::", "::1", "fe80::1", "ff02::1"] {
            var packet = Datagram.ipv6(from: IPv6Address(source)!)
            #expect(try decide(&packet, from: .client) == .drop(.illegalSource, answer: nil))
        }
        for source in ["0.0.0.0", "127.0.0.1", "169.254.1.1", "224.0.0.1", "255.255.255.255"] {
            var packet = Datagram.ipv4(from: IPv4Address(source)!)
            #expect(try decide(&packet, from: .client) == .drop(.illegalSource, answer: nil))
        }
    }

    /// A cloud's metadata service answers there on the client's link; other link-local addresses do not.
    @Test func `a link-local host of the world is reached by IPv4, and by no translator`() throws {
        let metadata = IPv4Address("169.254.169.254")!
        var forwarding = Place.forwarding()
        forwarding.reach = Reach(ipv4Hosts: [metadata], ipv6Hosts: [])
        var packet = Datagram.ipv4(to: metadata)
        #expect(try decide(&packet, from: .client, by: forwarding) == .forward)
        packet = Datagram.ipv4(from: metadata, to: Place.client4)
        #expect(try decide(&packet, from: .world, by: forwarding) == .forward)
        packet = Datagram.ipv4(from: IPv4Address("169.254.1.1")!, to: metadata)
        #expect(try decide(&packet, from: .client, by: forwarding) == .drop(.illegalSource, answer: nil))
        let translated = Datagram.ipv6(to: Pref64.wellKnown.embed(metadata))
        let objection = forwarding.objection(to: metadata, try IPv6Layout(translated.bytes))
        #expect(objection?.0 == .nonGlobalIPv4)
    }

    @Test func `a link-local host that the configuration exempts is a translator's, too`() throws {
        let metadata = IPv4Address("169.254.169.254")!
        var forwarding = Place.forwarding(exemptIPv4: [IPv4Prefix(metadata, length: 32)!])
        let translated = try IPv6Layout(Datagram.ipv6(to: Pref64.wellKnown.embed(metadata)).bytes)
        #expect(forwarding.objection(to: metadata, translated)?.0 == .noRoute, "nobody is there")
        forwarding.reach = Reach(ipv4Hosts: [metadata], ipv6Hosts: [])
        #expect(forwarding.objection(to: metadata, translated) == nil)
    }

    @Test func `the size that counts is a segment's`() throws {
        var large = Datagram.ipv6(payload: 1453)
        #expect(
            try decide(&large, from: .client) == .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1500))))
        large.offload.segmentation = .tcpIPv6
        large.offload.headerLength = 60
        large.offload.segmentSize = 1440
        #expect(try decide(&large, from: .client) == .forward)
    }

    @Test func `the IPv4 header checksum follows the TTL`() throws {
        for ttl in UInt8(2)...255 {
            var packet = Datagram.ipv4(ttl: ttl)
            #expect(try decide(&packet, from: .client) == .forward)
            #expect(packet.bytes[IPv4Header.ttl] == ttl - 1)
            // Examining verifies the checksum.
            #expect(throws: Never.self) { try IPv4Layout(packet.bytes) }
        }
    }

    @Test func `each link has an MTU of its own`() throws {
        let forwarding = Place.forwarding(client: 1280, world: 576)
        // IPv6 has 1280 everywhere.
        var out = Datagram.ipv6(payload: 1233)
        var back = Datagram.ipv6(from: Place.host6, to: Place.client6, payload: 1233)
        let tooBig = Hop.Decision.drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1280)))
        #expect(try decide(&out, from: .client, by: forwarding) == tooBig)
        #expect(try decide(&back, from: .world, by: forwarding) == tooBig)

        out = Datagram.ipv4(payload: 549, dontFragment: true)
        back = Datagram.ipv4(from: Place.host4, to: Place.client4, payload: 549, dontFragment: true)
        #expect(
            try decide(&out, from: .client, by: forwarding)
                == .drop(.packetTooBig, answer: .ipv4(.fragmentationNeeded(mtu: 576))))
        #expect(try decide(&back, from: .world, by: forwarding) == .forward)
    }

    @Test func `what the router sends itself fits the link too`() throws {
        let forwarding = Place.forwarding(client: 1280)
        var packet = Datagram.ipv6(from: Place.router6, to: Place.client6, hopLimit: 1, payload: 1232)
        #expect(try decide(&packet, from: .world, by: forwarding) == .forward)
        #expect(packet.bytes[IPv6Header.hopLimit] == 1)
        packet = Datagram.ipv6(from: Place.router6, to: Place.client6, payload: 1233)
        #expect(
            try decide(&packet, from: .world, by: forwarding)
                == .drop(.packetTooBig, answer: .ipv6(.packetTooBig(mtu: 1280))))
    }

    @Test(arguments: [(1481, 2), (2960, 2), (2961, 3), (65_515, 45)])
    func `without DF a packet goes on in fragments`(octets: Int, count: Int) throws {
        var packet = Datagram.ipv4(from: Place.host4, to: Place.client4, payload: octets - UDPHeader.length)
        for index in 28..<packet.count {
            var bytes = packet.mutableBytes
            bytes[index] = UInt8(truncatingIfNeeded: index)
        }
        let payload = Array(packet.contents[IPv4Header.length...])
        guard case .fragment(var pieces) = try decide(&packet, from: .world) else {
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
            whole += piece.contents[IPv4Header.length...]
            fragments += 1
            #expect(layout.fragment.moreFollow == (whole.count < octets))
        }
        #expect(fragments == count)
        #expect(whole == payload)
    }
}
