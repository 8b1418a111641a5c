// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.4, Determining the Incoming Tuple, where it is about fragments.
@Suite struct RFC6146Section3_4_FragmentTests {
    private static let payload = (0..<2_500).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private static let datagram = UpperLayer.udp(4_000, 53, payload)

    private static func fragments6(size: Int = 1_000, identification: UInt32 = 0xabcd_1234) -> [[UInt8]] {
        ipv6Fragments(
            IPv6Address(h6)!, Network.synthesized(h4), datagram, size: size, identification: identification)
    }

    private static func fragments4(
        to port: UInt16, size: Int = 1_000, identification: UInt16 = 0x1234, hasChecksum: Bool = true
    ) -> [[UInt8]] {
        ipv4Fragments(
            IPv4Address(h4)!, IPv4Address(t4)!, .udp(53, port, payload), size: size, identification: identification,
            hasChecksum: hasChecksum)
    }

    /// The upper layer that fragments make together, with the checksum of what it now is verified.
    private static func reassembled(_ fragments: [Seen]) throws -> [UInt8] {
        let sorted = fragments.sorted { $0.fragmentOffset < $1.fragmentOffset }
        let whole = sorted.flatMap(\.upper)
        let first = try #require(sorted.first)
        let pseudo =
            if let source = IPv6Address(first.source), let destination = IPv6Address(first.destination) {
                pseudoHeader(source, destination, first.transport, whole.count)
            } else {
                pseudoHeader(
                    IPv4Address(first.source)!, IPv4Address(first.destination)!, first.transport, whole.count)
            }
        #expect(slowChecksum(pseudo + whole) == 0, "the checksum over the reassembled datagram")
        #expect(sorted.allSatisfy { $0.identification == first.identification })
        #expect(sorted.last?.moreFragments == false && sorted.dropLast().allSatisfy(\.moreFragments))
        return whole
    }

    private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    @Test(arguments: orders)
    func `IPv6 fragments are translated in whatever order they come`(order: [Int]) throws {
        var network = try Network()
        var out: [Seen] = []
        for index in order {
            let outcome = network.receive(Self.fragments6()[index], from: .ipv6)
            #expect(outcome.drops.isEmpty)
            out += outcome.emitted.map(\.packet)
        }
        #expect(out.count == 3 && out.allSatisfy { $0.isFragment && !$0.dontFragment })
        #expect(out.allSatisfy { $0.identification == 0x1234 }, "the lower half of the identification")
        let whole = try Self.reassembled(out)
        #expect(whole.dropFirst(8) == Self.datagram.octets.dropFirst(8))
        #expect(network.nat.fragments.count == 0, "a complete datagram is forgotten")
    }

    @Test(arguments: orders)
    func `IPv4 fragments are translated in whatever order they come`(order: [Int]) throws {
        var network = try Network()
        let port = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4).sourcePort
        var out: [Seen] = []
        for index in order {
            let outcome = network.receive(Self.fragments4(to: port)[index], from: .ipv4)
            #expect(outcome.drops.isEmpty)
            out += outcome.emitted.map(\.packet)
        }
        #expect(out.count == 3 && out.allSatisfy { $0.destination == h6 })
        let whole = try Self.reassembled(out)
        #expect(whole.dropFirst(8) == Self.payload[...])
    }

    @Test
    func `fragments of several datagrams are not mixed up`() throws {
        var network = try Network()
        var out: [UInt32: [Seen]] = [:]
        for index in [2, 1, 0] {
            for identification in UInt32(1)...5 {
                let fragment = Self.fragments6(identification: identification)[index]
                for (_, packet) in network.receive(fragment, from: .ipv6).emitted {
                    out[packet.identification, default: []].append(packet)
                }
            }
        }
        #expect(out.count == 5)
        for packets in out.values { #expect(try Self.reassembled(packets).count == Self.datagram.octets.count) }
    }

    @Test
    func `fragments wait for the first one two seconds, and are then dropped`() throws {
        var network = try Network()
        #expect(network.receive(Self.fragments6()[1], from: .ipv6).isNothing)
        network.pass(.seconds(1))
        #expect(network.receive(Self.fragments6()[2], from: .ipv6).isNothing)
        #expect(network.pass(.seconds(1) - .nanoseconds(1)).isNothing)
        #expect(network.pass(.nanoseconds(1)).drops == [.fragmentsExpired, .fragmentsExpired])
        #expect(network.nat.fragments.count == 0)
        #expect(network.nat.fragmentStore.storedOctets == 0)
        #expect(network.nat.counters.stored == 2)
    }

    @Test
    func `within two seconds they go with the first one`() throws {
        var network = try Network()
        network.receive(Self.fragments6()[1], from: .ipv6)
        network.pass(.seconds(2) - .nanoseconds(1))
        #expect(network.receive(Self.fragments6()[0], from: .ipv6).emitted.count == 2)
    }

    @Test
    func `a duplicate is dropped, and harms nothing`() throws {
        var network = try Network()
        let fragments = Self.fragments6()
        network.receive(fragments[0], from: .ipv6)
        #expect(network.receive(fragments[0], from: .ipv6).drops == [.duplicateFragment])
        #expect(network.receive(fragments[1], from: .ipv6).emitted.count == 1)
        #expect(network.receive(fragments[1], from: .ipv6).drops == [.duplicateFragment])
        #expect(network.receive(fragments[2], from: .ipv6).emitted.count == 1)
    }

    @Test
    func `an overlap condemns the datagram, with what is stored and what still comes`() throws {
        var network = try Network()
        let fragments = Self.fragments6()
        let overlapping = Self.fragments6(size: 992)
        network.receive(fragments[1], from: .ipv6)
        #expect(network.receive(overlapping[1], from: .ipv6).drops == [.fragmentOverlap, .fragmentOverlap])
        #expect(network.receive(fragments[0], from: .ipv6).drops == [.fragmentOfRefusedDatagram])
        #expect(network.receive(fragments[2], from: .ipv6).drops == [.fragmentOfRefusedDatagram])
        #expect(network.sessions.isEmpty)
        // After its time, the identification may be used again.
        network.pass(.seconds(2))
        #expect(network.receive(fragments[0], from: .ipv6).emitted.count == 1)
    }

    @Test
    func `a last fragment that contradicts another one's end is an overlap`() throws {
        let fragments = Self.fragments6()
        var early = Self.fragments6(size: 504)[1]
        early[43] &= 0xf8  // no more fragments, at 504, although there is one at 1,000
        var network = try Network()
        network.receive(fragments[1], from: .ipv6)
        #expect(network.receive(early, from: .ipv6).drops.contains(.fragmentOverlap))

        network = try Network()
        network.receive(early, from: .ipv6)
        #expect(network.receive(fragments[2], from: .ipv6).drops.contains(.fragmentOverlap))
    }

    @Test
    func `the memory for waiting fragments is bounded`() throws {
        var network = try Network { $0.limits.fragmentOctets = 8 * 1_024 }
        var drops: [DropReason] = []
        for identification in UInt32(1)...40 {
            drops += network.receive(Self.fragments6(identification: identification)[1], from: .ipv6).drops
            #expect(network.nat.fragmentStore.storedOctets <= 8 * 1_024)
        }
        #expect(Set(drops) == [.fragmentStoreFull] && drops.count == 35)
        network.pass(.seconds(2))
        #expect(network.nat.fragmentStore.storedOctets == 0)
    }

    @Test
    func `the number of datagrams is bounded`() throws {
        var network = try Network { $0.limits.fragmentedDatagrams = 4 }
        for identification in UInt32(1)...4 {
            #expect(network.receive(Self.fragments6(identification: identification)[1], from: .ipv6).isNothing)
        }
        let outcome = network.receive(Self.fragments6(identification: 5)[0], from: .ipv6)
        #expect(outcome.drops == [.fragmentStoreFull] && outcome.emitted.isEmpty)
    }

    @Test
    func `the number of a datagram's fragments is bounded`() throws {
        var network = try Network()
        let fragments = Self.fragments6(size: 8)
        var drops: [DropReason] = []
        for fragment in fragments.dropFirst().reversed() { drops += network.receive(fragment, from: .ipv6).drops }
        #expect(drops.count == fragments.count - 1, "128 stored and then dropped, the others dropped at once")
        #expect(network.nat.fragmentStore.storedOctets == 0)
    }

    @Test
    func `a datagram whose first fragment is refused is refused as a whole`() throws {
        var network = try Network()
        let fragments = Self.fragments4(to: 4_000)
        #expect(network.receive(fragments[1], from: .ipv4).isNothing)
        let outcome = network.receive(fragments[0], from: .ipv4)
        #expect(outcome.drops == [.fragmentOfRefusedDatagram, .noBinding])
        #expect(outcome.emitted.count == 1, "one error, about the first fragment")
        #expect(network.receive(fragments[2], from: .ipv4).drops == [.fragmentOfRefusedDatagram])
    }

    @Test
    func `fragmented ICMP is not translated`() throws {
        var network = try Network()
        let ping = UpperLayer.echoRequest6(1, payload: Array(repeating: 5, count: 2_000))
        for fragment in ipv6Fragments(IPv6Address(h6)!, Network.synthesized(h4), ping, size: 1_000) {
            let outcome = network.receive(fragment, from: .ipv6)
            #expect(outcome.drops == [.fragmentedICMP] && outcome.emitted.isEmpty)
        }
        let ping4 = UpperLayer.echoRequest4(1, payload: Array(repeating: 5, count: 2_000))
        for fragment in ipv4Fragments(IPv4Address(h4)!, IPv4Address(t4)!, ping4, size: 1_000) {
            #expect(network.receive(fragment, from: .ipv4).drops == [.fragmentedICMP])
        }
    }

    @Test
    func `TCP in fragments is translated, too`() throws {
        var network = try Network()
        network.send6(h6, h4, .tcp(5_000, 80, .syn))
        let segment = UpperLayer.tcp(5_000, 80, .ack, payload: Self.payload)
        var out: [Seen] = []
        for fragment in ipv6Fragments(IPv6Address(h6)!, Network.synthesized(h4), segment, size: 1_000).reversed() {
            out += network.receive(fragment, from: .ipv6).emitted.map(\.packet)
        }
        #expect(try Self.reassembled(out).suffix(Self.payload.count) == Self.payload[...])
    }

    @Test
    func `a SYN in fragments that has to be stored is stored, and its rest dropped`() throws {
        var network = try Network()
        let segment = UpperLayer.tcp(999, 80, .syn, payload: Self.payload)
        let fragments = ipv4Fragments(IPv4Address(h4)!, IPv4Address(t4)!, segment, size: 1_000)
        #expect(network.receive(fragments[0], from: .ipv4).isNothing)
        #expect(network.receive(fragments[1], from: .ipv4).drops == [.fragmentOfRefusedDatagram])
        network.pass(.seconds(5))
        #expect(network.pass(.seconds(1)).drops == [.storedSYNExpired])
    }

    // MARK: - UDP without a checksum

    @Test(arguments: orders)
    func `IPv4 fragments without a UDP checksum are reassembled, and get one`(order: [Int]) throws {
        var network = try Network()
        let port = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4).sourcePort
        let fragments = Self.fragments4(to: port, hasChecksum: false)
        var out: [Seen] = []
        for (step, index) in order.enumerated() {
            let outcome = network.receive(fragments[index], from: .ipv4)
            #expect(outcome.drops.isEmpty)
            if step < 2 { #expect(outcome.emitted.isEmpty) }
            out += outcome.emitted.map(\.packet)
        }
        #expect(out.count >= 2, "what is too large for IPv6 links is fragmented again")
        let whole = try Self.reassembled(out)
        #expect(whole.dropFirst(8) == Self.payload[...] && whole[6...7] != [0, 0])
        #expect(network.nat.fragmentStore.storedOctets == 0 && network.nat.fragments.count == 0)
    }

    @Test
    func `or they are dropped, as configured`() throws {
        var network = try Network { $0.zeroChecksumFragments = .drop }
        let port = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4).sourcePort
        let fragments = Self.fragments4(to: port, hasChecksum: false)
        #expect(network.receive(fragments[1], from: .ipv4).isNothing)
        #expect(network.receive(fragments[0], from: .ipv4).drops == [.udpWithoutChecksum, .udpWithoutChecksum])
        #expect(network.receive(fragments[2], from: .ipv4).drops == [.fragmentOfRefusedDatagram])
    }

    @Test
    func `if one of them does not come, the others are dropped after two seconds`() throws {
        var network = try Network()
        let port = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4).sourcePort
        let fragments = Self.fragments4(to: port, hasChecksum: false)
        network.receive(fragments[0], from: .ipv4)
        network.receive(fragments[2], from: .ipv4)
        #expect(network.pass(.seconds(2)).drops == [.fragmentsExpired, .fragmentsExpired])
    }

    @Test
    func `an atomic fragment is a whole packet`() throws {
        var network = try Network()
        let upper = UpperLayer.udp(4_000, 53)
        let fragment = ipv6Fragments(IPv6Address(h6)!, Network.synthesized(h4), upper, size: 1_000)
        #expect(fragment.count == 1)
        let out = try network.receive(fragment[0], from: .ipv6).only(to: .ipv4)
        #expect(!out.isFragment && out.payload == [1, 2, 3, 4, 5])
        #expect(network.nat.fragments.count == 0)
    }
}
