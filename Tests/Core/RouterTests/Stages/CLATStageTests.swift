// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Randomness
import TestPackets
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// The CLAT in front of the NAT64 (RFC 6877), as seen on the client's link and on the world's.
@Suite struct CLATStageTests {
    private static let client = Place.behindCLAT
    private static let clat = IPv4Address(192, 0, 0, 2)

    /// A client's packet, and its host's answer: to the NAT64's address, and to the port or identifier that the NAT64 has chosen.
    struct Exchange: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var request: @Sendable () -> UpperLayer
        var answer: @Sendable (_ seen: [UInt8]) -> UpperLayer
    }

    private static func number(_ octets: [UInt8], _ offset: Int) -> UInt16 {
        UInt16(octets[offset]) << 8 | UInt16(octets[offset + 1])
    }

    private static let exchanges = [
        Exchange(
            testDescription: "UDP", request: { .udp(4000, 9) }, answer: { .udp(9, number($0, 20), [9, 8, 7]) }),
        Exchange(
            testDescription: "TCP", request: { .tcp(4000, 80, [.syn]) },
            answer: { .tcp(80, number($0, 20), [.syn, .ack], acknowledgment: 2) }),
        Exchange(
            testDescription: "echo", request: { .echoRequest4(77) }, answer: { .echoReply4(number($0, 24)) }),
    ]

    private static func fromClient(
        to destination: IPv4Address = Place.host4, ttl: UInt8 = 64, dontFragment: Bool = true
    ) -> IPv4Datagram {
        IPv4Datagram(source: client, destination: destination, dontFragment: dontFragment, ttl: ttl)
    }

    private static func fromWorld(
        _ source: IPv4Address = Place.host4, ttl: UInt8 = 64, dontFragment: Bool = true
    ) -> IPv4Datagram {
        IPv4Datagram(source: source, destination: Place.pool, dontFragment: dontFragment, ttl: ttl)
    }

    @Test(arguments: exchanges, ["64:ff9b::/96", "2001:2:0:64::/96", "2001:db8::/40"])
    func `a packet and its answer cross both translators`(_ exchange: Exchange, _ prefix: String) throws {
        var test = try RouterUnderTest(Place.clat(prefix: try Pref64(prefix)))
        let there = test.receive(PacketBuffer(Self.fromClient().packet(exchange.request())), from: .client)
        #expect(there.drops.isEmpty && there.sent.map(\.link) == [.world])
        let octets = try #require(there.sent.first).octets
        let seen = PacketVerdict(octets)
        #expect(seen.problem == nil && seen.hasRightChecksum())
        #expect(seen.source == bigEndian(Place.pool) && seen.destination == bigEndian(Place.host4))
        #expect(seen.hopLimit == 62, "two routers")

        let back = test.receive(PacketBuffer(Self.fromWorld().packet(exchange.answer(octets))), from: .world)
        #expect(back.drops.isEmpty && back.sent.map(\.link) == [.client])
        let answer = PacketVerdict(try #require(back.sent.first).octets)
        #expect(answer.problem == nil && answer.hasRightChecksum())
        #expect(answer.source == bigEndian(Place.host4) && answer.destination == bigEndian(Self.client))
        #expect(answer.hopLimit == 62)
        let port = exchange.testDescription == "echo" ? Self.number(answer.payload, 4) : Self.number(answer.payload, 2)
        #expect(port == (exchange.testDescription == "echo" ? 77 : 4000))

        let flow = try #require(test.router.flows.first)
        #expect(test.router.flows.count == 1 && flow.remote == .ipv4(Place.host4) && flow.route == .direct)
        #expect(test.router.tableCounts.sessions == 1)
    }

    @Test func `IPv6 beside it goes its own way`() throws {
        var test = try RouterUnderTest(Place.clat())
        let native = test.receive(Datagram.ipv6(to: Place.host6), from: .client)
        #expect(native.sent.map(\.link) == [.world])
        let translated = test.receive(Datagram.ipv6(to: Place.synthesised), from: .client)
        let port = Self.number(try #require(translated.sent.first).octets, 20)
        let back = test.receive(PacketBuffer(Self.fromWorld().packet(.udp(9, port))), from: .world)
        #expect(PacketVerdict(try #require(back.sent.first).octets).destination == bigEndian(Place.client6))
    }

    @Test func `the CLAT's address is nobody's to send from or to`() throws {
        var test = try RouterUnderTest(Place.clat())
        let source = try #require(Place.clat().clat).source
        #expect(test.receive(Datagram.ipv6(from: source, to: Place.host6), from: .client).drops == [.spoofedSource])
        #expect(
            test.receive(Datagram.ipv6(from: source, to: Place.synthesised), from: .client).drops == [.spoofedSource])
        #expect(test.receive(Datagram.ipv6(from: Place.host6, to: source), from: .world).drops == [.addressUnreachable])
        #expect(test.receive(Datagram.ipv4(from: IPv4Address(192, 0, 0, 3)), from: .client).drops == [.spoofedSource])
    }

    // MARK: - Sizes

    /// Octets of an IPv4 packet with an answer to a ping, without DF as hosts send it, and whether it arrives. RFC 7915 does not translate
    /// fragments of ICMP.
    @Test(
        arguments: [
            (1260, 1500, 1280, true), (1261, 1500, 1280, false), (1261, 1500, TranslationOptions.largestMTU, true),
            (1480, 1500, TranslationOptions.largestMTU, true), (1481, 1500, TranslationOptions.largestMTU, false),
            (1260, 1280, TranslationOptions.largestMTU, true), (1261, 1280, TranslationOptions.largestMTU, false),
        ])
    func `an answer to a ping arrives if it fits lowest-ipv6-mtu`(
        size: Int, mtu: Int, lowest: Int, arrives: Bool
    ) throws {
        var configuration = Place.clat(mtu: mtu)
        guard case .stateful(var nat64) = configuration.translation else { return }
        nat64.translation.lowestIPv6MTU = lowest
        configuration.translation = .stateful(nat64)
        var test = try RouterUnderTest(configuration)
        let request = Self.fromClient().packet(.echoRequest4(77))
        let seen = try #require(test.receive(PacketBuffer(request), from: .client).sent.first).octets
        let reply = UpperLayer.echoReply4(
            Self.number(seen, 24), payload: [UInt8](repeating: 7, count: size - IPv4Header.length - ICMPHeader.length))
        let back = test.receive(PacketBuffer(Self.fromWorld(dontFragment: false).packet(reply)), from: .world)
        #expect(back.sent.map(\.octets.count) == (arrives ? [size] : []))
        #expect(arrives ? back.drops.isEmpty : Set(back.drops) == [.fragmentedICMP])
    }

    // MARK: - Errors

    /// The TTL expires at the CLAT or at the NAT64, which has no IPv4 address of its own and uses another one (RFC 6791).
    @Test(arguments: [1, 2] as [UInt8]) func `a TTL that ends is told`(ttl: UInt8) throws {
        var test = try RouterUnderTest(Place.clat())
        let outcome = test.receive(PacketBuffer(Self.fromClient(ttl: ttl).packet(.udp(4000, 33434))), from: .client)
        #expect(outcome.drops == [.hopLimitExceeded] && outcome.sent.map(\.link) == [.client])
        try expectError(try #require(outcome.sent.first).octets, ICMPv4Type.timeExceeded, 0, from: Self.clat)
    }

    @Test func `a hop limit that ends between the two is not told`() throws {
        var test = try RouterUnderTest(Place.clat())
        let there = test.receive(PacketBuffer(Self.fromClient().packet(.udp(4000, 9))), from: .client)
        let port = Self.number(try #require(there.sent.first).octets, 20)
        let back = test.receive(PacketBuffer(Self.fromWorld(ttl: 2).packet(.udp(9, port))), from: .world)
        #expect(back.drops == [.hopLimitExceeded] && back.sent.isEmpty)
    }

    @Test func `an error from the world reaches the client about its own packet`() throws {
        var test = try RouterUnderTest(Place.clat())
        let there = test.receive(PacketBuffer(Self.fromClient().packet(.udp(4000, 9))), from: .client)
        let quoted = try #require(there.sent.first).octets
        let error = UpperLayer.icmpv4(ICMPv4Type.destinationUnreachable, 3, [0, 0, 0, 0] + quoted)
        let back = test.receive(PacketBuffer(Self.fromWorld().packet(error)), from: .world)
        try expectError(
            try #require(back.sent.first).octets, ICMPv4Type.destinationUnreachable, 3, from: Place.host4)
        #expect(test.router.flows.first?.unreachable == .port)
    }

    /// The destination; the drop; the code of the ICMPv4 error (destination unreachable).
    @Test(
        arguments: [
            (IPv4Address(10, 0, 0, 1), .nonGlobalIPv4, 10), (IPv4Address(169, 254, 169, 254), .nonGlobalIPv4, 13),
            (IPv4Address(8, 8, 8, 8), .noRoute, 1),
        ] as [(IPv4Address, DropReason, UInt8)])
    func `the client is told where there is no way`(_ to: IPv4Address, _ reason: DropReason, _ code: UInt8) throws {
        var test = try RouterUnderTest(Place.clat())
        let outcome = test.receive(PacketBuffer(Self.fromClient(to: to).packet(.udp(4000, 9))), from: .client)
        #expect(outcome.drops == [reason])
        try expectError(
            try #require(outcome.sent.first).octets, ICMPv4Type.destinationUnreachable, code, from: Self.clat, about: to
        )
    }

    @Test(arguments: [IPv4Address(224, 0, 0, 251), IPv4Address(127, 0, 0, 1), IPv4Address(255, 255, 255, 255)])
    func `what no router forwards ends here`(_ destination: IPv4Address) throws {
        var test = try RouterUnderTest(Place.clat())
        let outcome = test.receive(PacketBuffer(Self.fromClient(to: destination).packet(.udp(4000, 9))), from: .client)
        #expect(outcome.drops == [.illegalDestination] && outcome.sent.isEmpty)
    }

    @Test func `its gateway answers pings`() throws {
        var test = try RouterUnderTest(Place.clat())
        let outcome = test.receive(PacketBuffer(Self.fromClient(to: Self.clat).packet(.echoRequest4(5))), from: .client)
        let reply = PacketVerdict(try #require(outcome.sent.first).octets)
        #expect(outcome.sent.map(\.link) == [.client] && reply.hasRightChecksum())
        #expect(reply.source == bigEndian(Self.clat) && reply.payload.first == ICMPv4Type.echoReply)
        #expect(test.router.flows.isEmpty)
    }

    @Test func `a ping of its gateway whose checksum would be in its IP header is dropped`() throws {
        var test = try RouterUnderTest(Place.clat())
        var offload = Offload()
        offload.hasPartialChecksum = true
        let ping = Self.fromClient(to: Self.clat).packet(.echoRequest4(5))
        let outcome = test.receive(PacketBuffer(ping, offload: offload), from: .client)
        #expect(outcome.drops == [.unsupportedOffload] && outcome.sent.isEmpty)
    }

    // MARK: - Sizes

    /// The client's MTU, and what is left of it for an IPv4 packet (RFC 7915 §4.1).
    @Test(arguments: [(1500, 1480), (1280, 1260)]) func `the MTU is found out`(mtu: Int, left: Int) throws {
        var test = try RouterUnderTest(Place.clat(mtu: mtu))
        func send(_ size: Int) -> (sent: [Wires.Sent], drops: [DropReason]) {
            let content = [UInt8](repeating: 7, count: size - 28)
            return test.receive(PacketBuffer(Self.fromClient().packet(.udp(4000, 9, content))), from: .client)
        }
        let large = send(left + 1)
        #expect(large.drops == [.packetTooBig])
        let error = try #require(large.sent.first).octets
        try expectError(error, ICMPv4Type.destinationUnreachable, 4, from: Self.clat)
        #expect(Int(Self.number(error, 26)) == left)
        let fits = send(left)
        #expect(fits.drops.isEmpty && fits.sent.map(\.octets.count) == [left])
    }

    /// A packet without DF is fragmented for 1280 octets of IPv6 (RFC 7915 §4.1), and arrives whole.
    @Test(arguments: [false, true]) func `fragments arrive`(isFragmented: Bool) throws {
        var test = try RouterUnderTest(Place.clat())
        let upper = UpperLayer.udp(4000, 9, (0..<1400).map { UInt8(truncatingIfNeeded: $0) })
        let datagram = Self.fromClient(dontFragment: false)
        let packets = isFragmented ? datagram.fragments(upper, size: 800) : [datagram.packet(upper)]
        var sent: [[UInt8]] = []
        for packet in packets {
            let outcome = test.receive(PacketBuffer(packet), from: .client)
            #expect(outcome.drops.isEmpty)
            sent += outcome.sent.map(\.octets)
        }
        let seen = sent.map { PacketVerdict($0) }
        #expect(seen.count == 2 && seen.allSatisfy { $0.problem == nil && $0.source == bigEndian(Place.pool) })
        #expect(Set(seen.compactMap(\.fragmentHeader?.identification)).count == 1)
        let parts = seen.sorted { ($0.fragmentHeader?.offset ?? 0) < ($1.fragmentHeader?.offset ?? 0) }
        let whole = parts.flatMap(\.payload)
        #expect(whole.dropFirst(8).elementsEqual(upper.octets.dropFirst(8)))
        #expect(
            PacketVerdict.isRight(whole, from: bigEndian(Place.pool), to: bigEndian(Place.host4), UpperLayer.udp))

        // And back.
        let port = Self.number(whole, 0)
        var received: [PacketVerdict] = []
        let answer = Self.fromWorld(dontFragment: false)
        for packet in answer.fragments(.udp(9, port, Array(upper.octets.dropFirst(8))), size: 800) {
            let outcome = test.receive(PacketBuffer(packet), from: .world)
            #expect(outcome.drops.isEmpty)
            received += outcome.sent.map { PacketVerdict($0.octets) }
        }
        #expect(received.allSatisfy { $0.problem == nil && $0.destination == bigEndian(Self.client) })
        let back = received.sorted { ($0.fragmentHeader?.offset ?? 0) < ($1.fragmentHeader?.offset ?? 0) }
            .flatMap(\.payload)
        #expect(PacketVerdict.isRight(back, from: bigEndian(Place.host4), to: bigEndian(Self.client), UpperLayer.udp))
        #expect(back.dropFirst(8).elementsEqual(upper.octets.dropFirst(8)))
    }

    // MARK: - Faults and changes

    @Test func `a black hole for IPv6 is one for what the CLAT makes`() throws {
        var configuration = Place.clat()
        configuration.faults.ipv6BlackHole = 1000
        var test = try RouterUnderTest(configuration)
        func send(_ payload: Int, _ port: UInt16 = 9) -> (sent: [Wires.Sent], drops: [DropReason]) {
            let content = [UInt8](repeating: 7, count: payload)
            return test.receive(PacketBuffer(Self.fromClient().packet(.udp(4000, port, content))), from: .client)
        }
        #expect(send(953).drops == [.faultBlackHole])
        let small = send(952)
        #expect(small.drops.isEmpty)
        let port = Self.number(try #require(small.sent.first).octets, 20)
        for (payload, drops) in [(952, []), (953, [.faultBlackHole])] as [(Int, [DropReason])] {
            let answer = Self.fromWorld().packet(.udp(9, port, [UInt8](repeating: 7, count: payload)))
            #expect(test.receive(PacketBuffer(answer), from: .world).drops == drops)
        }
    }

    @Test func `it follows the NAT64 to another prefix`() throws {
        var test = try RouterUnderTest(Place.clat())
        guard case .stateful(var nat64) = Place.clat().translation else { return }
        nat64.prefixes = [try Pref64("2001:2:0:64::/96")]
        try test.router.change(to: nat64, seed: 1, now: test.now)
        let outcome = test.receive(PacketBuffer(Self.fromClient().packet(.udp(4000, 9))), from: .client)
        #expect(outcome.drops.isEmpty && outcome.sent.map(\.link) == [.world])
    }

    // MARK: - Hostile packets

    /// Packets of all kinds with some octets changed and the end cut off: what comes out is a packet, and the client's are its own.
    @Test(arguments: 0..<8 as Range<UInt64>) func `whatever comes, only packets leave`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var test = try RouterUnderTest(Place.clat(mtu: 1280))
        let own = Self.fromClient().packet(.udp(4000, 9))
        let there = try #require(test.receive(PacketBuffer(own), from: .client).sent.first).octets
        let port = Self.number(there, 20)
        let long = [UInt8](repeating: 7, count: 1300)
        let client =
            [
                own, Self.fromClient(dontFragment: false).packet(.udp(4000, 9, long)),
                Self.fromClient().packet(.tcp(4000, 80, [.syn], options: [2, 4, 5, 180])),
                Self.fromClient().packet(.echoRequest4(7)), Self.fromClient(to: Place.pool).packet(.udp(4000, port)),
                Self.fromClient().packet(.icmpv4(3, 3, [0, 0, 0, 0] + there)),
            ] + Self.fromClient(dontFragment: false).fragments(.udp(4000, 9, long), size: 640)
        let world =
            [
                Self.fromWorld().packet(.udp(9, port)), Self.fromWorld(ttl: 2).packet(.udp(9, port)),
                Self.fromWorld().packet(.icmpv4(3, 4, [0, 0, 5, 0] + there)), Self.fromWorld().packet(.echoReply4(7)),
            ] + Self.fromWorld(dontFragment: false).fragments(.udp(9, port, long), size: 640)
        for _ in 0..<2_000 {
            let link = Bool.random(using: &random) ? Link.client : .world
            var octets = (link == .client ? client : world).randomElement(using: &random)!
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                octets[Int.random(in: 0..<octets.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if random.next() % 8 == 0 { octets.removeLast(Int.random(in: 0..<octets.count, using: &random)) }
            for packet in test.receive(PacketBuffer(octets), from: link).sent {
                let seen = PacketVerdict(packet.octets)
                #expect(seen.problem == nil)
                guard packet.link == .client else { continue }
                #expect([bigEndian(Self.client), bigEndian(Place.client6)].contains(seen.destination))
            }
        }
    }

    /// An ICMPv4 error about a packet that the client had sent to `destination`.
    private func expectError(
        _ octets: [UInt8], _ type: UInt8, _ code: UInt8, from source: IPv4Address,
        about destination: IPv4Address = Place.host4
    ) throws {
        let seen = PacketVerdict(octets)
        #expect(seen.hasRightChecksum() && seen.isICMPError)
        #expect(seen.source == bigEndian(source) && seen.destination == bigEndian(Self.client))
        #expect(seen.payload[0] == type && seen.payload[1] == code)
        let layout = try IPv4Layout(octets.span)
        let quoted = try layout.quotedPacket(in: octets.span)
        #expect(quoted.source == Self.client && quoted.destination == destination)
        #expect(quoted.transport.sourcePort == 4000)
    }
}
