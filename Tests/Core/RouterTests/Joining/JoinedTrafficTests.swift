// SPDX-License-Identifier: Apache-2.0
import Randomness
import TestPackets
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// A router that joins, beside one that does not: a receiver without offloads cannot distinguish them.
@Suite struct JoinedTrafficTests {
    /// One network and its traffic: packets to the world and back, with their offloads.
    private struct Traffic {
        private var random: SplitMix64
        private let isIPv6Client: Bool
        /// Octets of payload in the current run of datagrams.
        private var size = 64
        private var ports: (UInt16, UInt16) = (4000, 9)
        private var dontFragment = false

        init(seed: Int, isIPv6Client: Bool) {
            random = SplitMix64(seed: UInt64(seed))
            self.isIPv6Client = isIPv6Client
        }

        private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

        private mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements.randomElement(using: &random)!
        }

        /// Mostly runs of datagrams that hardly differ, of few flows.
        mutating func packet(_ link: Link, _ identification: UInt16) -> PacketBuffer {
            if oneIn(6) {
                size = pick([1, 8, 64, 64, 64, 63, 200, 1200, 1400, 0])
                ports = (pick([4000, 4001, 4002]), pick([9, 9, 9, 53]))
                dontFragment = oneIn(2)
            }
            let size = oneIn(20) ? 7 : size
            let payload = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            let upper: UpperLayer =
                switch Int.random(in: 0..<20, using: &random) {
                case 0: .tcp(ports.0, ports.1, .ack, payload: payload)
                default: link == .client ? .udp(ports.0, ports.1, payload) : .udp(ports.1, ports.0, payload)
                }
            let octets = isIPv6Client ? ipv6(upper, link) : ipv4(upper, link, identification)
            // TCP packets, fragments, and datagrams with a complete checksum.
            if oneIn(20) || PacketVerdict(octets).fragmentHeader != nil || upper.protocolNumber != UpperLayer.udp {
                return PacketBuffer(octets)
            }
            var packet = JoinableDatagramTests.packet(octets)
            if oneIn(30) {
                var bytes = packet.mutableBytes
                bytes[bytes.count - payload.count - 1] ^= 1
            }
            return packet
        }

        private mutating func ipv6(_ upper: UpperLayer, _ link: Link) -> [UInt8] {
            var datagram = IPv6Datagram(source: Place.client6, destination: Place.host6)
            if link == .world { swap(&datagram.source, &datagram.destination) }
            datagram.trafficClass = oneIn(20) ? pick([1, 2, 3, 0xb8]) : 0
            datagram.flowLabel = oneIn(20) ? 0xabcde : 0
            datagram.hopLimit = oneIn(20) ? pick([63, 2, 1]) : 64
            if oneIn(30) { return datagram.fragment(upper, at: 0, count: 8, identification: 7) }
            if oneIn(30) { datagram.extensions = [(60, [0, 0, 1, 4, 0, 0, 0, 0])] }
            return datagram.packet(upper)
        }

        private mutating func ipv4(_ upper: UpperLayer, _ link: Link, _ identification: UInt16) -> [UInt8] {
            var datagram = IPv4Datagram(source: Place.client4, destination: Place.host4)
            if link == .world { swap(&datagram.source, &datagram.destination) }
            datagram.identification = oneIn(20) ? pick([0, 7]) : identification
            datagram.dontFragment = dontFragment
            datagram.tos = oneIn(20) ? pick([1, 2, 3, 0xb8]) : 0
            datagram.ttl = oneIn(20) ? pick([63, 2, 1]) : 64
            if oneIn(30) { return datagram.fragment(upper, at: 0, count: 8) }
            if oneIn(30) { datagram.options = [1, 1, 1, 1] }
            var upper = upper
            if oneIn(20), upper.protocolNumber == UpperLayer.udp { upper.checksumOffset = nil }
            return datagram.packet(upper)
        }
    }

    /// The two routers, which get the same.
    private struct Pair: ~Copyable {
        var single: RouterUnderTest
        var joined: RouterUnderTest
        private var random: SplitMix64

        init(_ configuration: RouterConfiguration, seed: UInt64, linkAnswers: DropReason? = nil) throws {
            let single = try RouterUnderTest(configuration)
            var joins = configuration
            joins.joinsDatagrams = true
            let joined = try RouterUnderTest(joins)
            single.wires.answers = linkAnswers
            joined.wires.answers = linkAnswers
            self.single = single
            self.joined = joined
            random = SplitMix64(seed: ~seed)
        }

        mutating func feed(_ packet: borrowing PacketBuffer, from link: Link) {
            var one = PacketBuffer(packet.octets, offload: packet.offload)
            var other = PacketBuffer(packet.octets, offload: packet.offload)
            single.router.receive(&one, from: link, at: .zero)
            joined.router.receive(&other, from: link, at: .zero)
            if Int.random(in: 0..<20, using: &random) == 0 { joined.router.flush() }
        }

        /// - Returns: how many packets left by each.
        mutating func compare(_ seed: Int, isNumbered: Bool = true) -> (joined: Int, single: Int) {
            joined.router.flush()
            for link in [Link.client, .world] {
                let difference = difference(
                    ofReceived: received(joined.wires, on: link, isNumbered: isNumbered),
                    from: received(single.wires, on: link, isNumbered: isNumbered))
                #expect(difference == nil, "seed \(seed), to the \(link)")
            }
            #expect(joined.router.traffic == single.router.traffic, "seed \(seed)")
            #expect(joined.wires.drops.count == single.wires.drops.count, "seed \(seed)")
            #expect(
                joined.router.drops.entries.map(\.count) == single.router.drops.entries.map(\.count), "seed \(seed)")
            #expect(joined.router.flows == single.router.flows, "seed \(seed)")
            for sent in joined.wires.sent where sent.offload.segmentation != .none { check(sent) }
            return (joined.wires.sent.count, single.wires.sent.count)
        }

        func received(_ wires: Wires, on link: Link, isNumbered: Bool = true) -> [[UInt8]] {
            wires.sent.filter { $0.link == link }.flatMap { onTheWire($0.octets, $0.offload, isNumbered: isNumbered) }
        }

        private func check(_ sent: Wires.Sent) {
            let verdict = PacketVerdict(sent.octets)
            let payload = verdict.payload.count - 8
            let size = Int(sent.offload.segmentSize)
            #expect(sent.offload.segmentation == .udp && verdict.hasRightChecksum(offload: sent.offload))
            #expect(size > 0 && payload > size && payload <= 64 * size && sent.octets.count <= 65_535)
            #expect(Int(sent.offload.headerLength) == verdict.payloadOffset + 8)
        }
    }

    private static func forwarded(
        seed: Int, isIPv6Client: Bool, linkAnswers: DropReason? = nil
    ) throws -> (joined: Int, single: Int) {
        var pair = try Pair(Place.plain(), seed: UInt64(seed), linkAnswers: linkAnswers)
        var traffic = Traffic(seed: seed, isIPv6Client: isIPv6Client)
        for index in 0..<400 {
            let link: Link = index / 100 % 4 == 3 ? .world : .client
            pair.feed(traffic.packet(link, UInt16(index)), from: link)
        }
        return pair.compare(seed)
    }

    @Test(arguments: [true, false])
    func `is the same where it is forwarded`(isIPv6Client: Bool) throws {
        var sum = (joined: 0, single: 0)
        for seed in 0..<10 {
            let sent = try Self.forwarded(seed: seed, isIPv6Client: isIPv6Client)
            sum = (sum.joined + sent.joined, sum.single + sent.single)
        }
        // And there were some to be joined.
        #expect(sum.joined < sum.single * 2 / 3, "\(sum)")
    }

    @Test func `is counted as dropped, one by one, where a link does not take it`() throws {
        for seed in 0..<3 {
            let sent = try Self.forwarded(seed: seed, isIPv6Client: true, linkAnswers: .queueFull)
            #expect(sent == (0, 0))
        }
    }

    @Test func `is the same where it is translated`() throws {
        var sum = (joined: 0, single: 0)
        for seed in 0..<6 {
            let sent = try Self.translated(seed: seed)
            sum = (sum.joined + sent.joined, sum.single + sent.single)
        }
        #expect(sum.joined < sum.single * 2 / 3, "\(sum)")
    }

    /// Flows through a NAT64, and what comes back to them.
    private static func translated(seed: Int) throws -> (joined: Int, single: Int) {
        var pair = try Pair(Place.nat64(), seed: UInt64(seed))
        var random = SplitMix64(seed: UInt64(seed))
        func payload() -> [UInt8] {
            let size = [20, 20, 20, 20, 19, 1300].randomElement(using: &random)!
            return (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        }
        let datagram = IPv6Datagram(source: Place.client6, destination: Place.synthesised)
        for _ in 0..<200 {
            let port: UInt16 = Bool.random(using: &random) ? 4000 : 4001
            pair.feed(JoinableDatagramTests.packet(datagram.packet(.udp(port, 9, payload()))), from: .client)
        }
        let ports = Set(pair.single.wires.sent.map { UInt16($0.octets[20]) << 8 | UInt16($0.octets[21]) })
        #expect(ports.count == 2)
        for index in 0..<100 {
            var datagram = IPv4Datagram(source: Place.host4, destination: Place.pool)
            datagram.identification = UInt16(index)
            let port = ports.sorted().randomElement(using: &random)!
            pair.feed(JoinableDatagramTests.packet(datagram.packet(.udp(9, port, payload()))), from: .world)
        }
        let sent = pair.compare(seed, isNumbered: false)
        // RFC 6864 §4.1: what may be fragmented has an identification of its own.
        let numbers = pair.received(pair.joined.wires, on: .world).filter { $0[6] & 0x40 == 0 }.map { $0[4...5] }
        #expect(numbers.count > 100 && Set(numbers).count == numbers.count, "seed \(seed)")
        return sent
    }

    @Test func `waits for nothing where datagrams are not joined`() throws {
        var test = try RouterUnderTest(Place.plain())
        let packet = JoinableDatagramTests.packet(
            IPv6Datagram(source: Place.client6, destination: Place.host6).packet(.udp(4000, 9)))
        #expect(test.receive(packet, from: .client).sent.count == 1)
    }
}
