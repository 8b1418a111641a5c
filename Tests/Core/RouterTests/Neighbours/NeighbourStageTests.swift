// SPDX-License-Identifier: Apache-2.0
import NAT64
import TestPackets
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// The router as a neighbour of a device (RFC 4861 §7.2, RFC 4862 §5.4), and what it tells it of its prefix (RFC 8273).
@Suite struct NeighbourStageTests {
    private static let device = IPv6Address("fe80::100")!
    private static let ethernet = EthernetAddress("02:00:5e:10:00:01")!
    private static let prefix = IPv6Prefix("2e00:2:1:8::/64")!
    private static let otherPrefix = IPv6Prefix("2e00:2:1:9::/64")!

    private static func configuration(
        _ prefix: IPv6Prefix = prefix, prefixes: [Pref64] = [.wellKnown]
    ) -> RouterConfiguration {
        var configuration = Place.nat64()
        if prefixes.isEmpty { configuration.translation = .none }
        configuration.forwarding = Forwarding(
            links: LinkPlan(), ipv6Router: Place.router6, ipv4Router: Place.router4,
            client: Forwarding.Client(ipv6: [prefix], pool: [Place.pool]), reach: Place.reach)
        configuration.advertisedLink = AdvertisedLink(
            router: NetworkPlan.linkLocalRouter, prefix: prefix, resolvers: [Place.router6], mtu: 1500,
            Advertisement(), isUnsolicited: true, ethernet: ethernet)
        configuration.clientLimit = DevicePlan.addressLimit
        return configuration
    }

    private static func group(of address: IPv6Address) -> IPv6Address {
        IPv6Address(bits: IPv6Address("ff02::1:ff00:0")!.bits | address.bits & 0xff_ffff)
    }

    private static func solicitation(
        of target: IPv6Address, from source: IPv6Address = device, to destination: IPv6Address? = nil,
        hopLimit: UInt8 = 255, options: [UInt8] = [1, 1, 2, 0, 0x5e, 0x20, 0, 2]
    ) -> [UInt8] {
        IPv6Datagram(source: source, destination: destination ?? group(of: target), hopLimit: hopLimit).packet(
            .icmpv6(135, 0, [0, 0, 0, 0] + bigEndian(target) + options))
    }

    private static func answers(_ packet: [UInt8]) throws -> [Wires.Sent] {
        var test = try RouterUnderTest(configuration())
        return test.receive(PacketBuffer(packet), from: .client).sent
    }

    @Test(arguments: [NetworkPlan.linkLocalRouter, Place.router6])
    func `who looks for one of its addresses is told the Ethernet address`(target: IPv6Address) throws {
        for destination in [Self.group(of: target), target] {
            let sent = try Self.answers(Self.solicitation(of: target, to: destination))
            let told = PacketVerdict(try #require(sent.first).octets)
            #expect(sent.count == 1 && told.problem == nil && told.hasRightChecksum() && told.hopLimit == 255)
            #expect(told.source == bigEndian(target) && told.destination == bigEndian(Self.device))
            // R, S and O; the target and its link-layer address
            #expect(told.payload[0] == 136 && told.payload[4] == 0xe0)
            #expect(Array(told.payload[8..<24]) == bigEndian(target))
            #expect(Array(told.payload[24...]) == [2, 1] + Self.ethernet.octets)
        }
    }

    @Test func `a device that wants the router's address is told, with all others, that it is taken`() throws {
        let probe = Self.solicitation(of: NetworkPlan.linkLocalRouter, from: .unspecified, options: [])
        let told = PacketVerdict(try #require(try Self.answers(probe).first).octets)
        #expect(told.destination == bigEndian(IPv6Address("ff02::1")!) && told.payload[4] == 0xa0)
    }

    private static let silent: [(what: String, octets: [UInt8])] = [
        ("another's address", solicitation(of: IPv6Address("fe80::2")!)),
        ("forwarded", solicitation(of: NetworkPlan.linkLocalRouter, hopLimit: 254)),
        ("another group", solicitation(of: NetworkPlan.linkLocalRouter, to: IPv6Address("ff02::1")!)),
        (
            "a probe to the address itself",
            solicitation(
                of: NetworkPlan.linkLocalRouter, from: .unspecified, to: NetworkPlan.linkLocalRouter, options: [])
        ),
        ("a probe with a link-layer address", solicitation(of: NetworkPlan.linkLocalRouter, from: .unspecified)),
        ("an option of no length", solicitation(of: NetworkPlan.linkLocalRouter, options: [1, 0, 0, 0, 0, 0, 0, 0])),
        ("a cut option", solicitation(of: NetworkPlan.linkLocalRouter, options: [1, 2, 0, 0, 0, 0, 0, 0])),
        (
            "too short",
            IPv6Datagram(source: device, destination: group(of: NetworkPlan.linkLocalRouter), hopLimit: 255)
                .packet(.icmpv6(135, 0, [0, 0, 0, 0]))
        ),
        ("a wrong checksum", solicitation(of: NetworkPlan.linkLocalRouter).dropLast() + [9]),
    ]

    @Test(arguments: silent.indices)
    func `what is no valid solicitation of it is not answered (RFC 4861 §7.1.1)`(index: Int) throws {
        #expect(try Self.answers(Self.silent[index].octets).isEmpty, "\(Self.silent[index].what)")
    }

    /// The options of an advertisement.
    private static func options(_ octets: [UInt8]) throws -> [[UInt8]] {
        var rest = PacketVerdict(octets).payload.dropFirst(16)
        var options: [[UInt8]] = []
        while rest.count >= 8 {
            let length = Int(rest[rest.startIndex + 1]) * 8
            try #require(length > 0 && length <= rest.count)
            options.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return options
    }

    private static func sent(_ test: inout RouterUnderTest, at time: Instant) -> [[UInt8]] {
        test.now = time
        test.router.advance(to: time)
        defer { test.wires.sent = [] }
        return test.wires.sent.map(\.octets)
    }

    private static func information(_ prefix: IPv6Prefix, isUsed: Bool) -> [UInt8] {
        let times: [UInt8] = isUsed ? [0, 0x27, 0x8d, 0, 0, 0x09, 0x3a, 0x80] : [UInt8](repeating: 0, count: 8)
        return [3, 4, 64, 0x40] + times + [0, 0, 0, 0] + bigEndian(prefix.address)
    }

    @Test func `a device's prefix is its own, and nothing of it is on the link`() throws {
        var test = try RouterUnderTest(Self.configuration())
        let options = try Self.options(try #require(Self.sent(&test, at: .zero).first))
        #expect(options.contains([1, 1] + Self.ethernet.octets))
        #expect(options.filter { $0[0] == 3 } == [Self.information(Self.prefix, isUsed: true)])
        var gaps: [Duration] = []
        for _ in 0..<6 {
            let time = test.router.nextDeadline
            gaps.append(time - test.now)
            _ = Self.sent(&test, at: time)
        }
        #expect(gaps.dropFirst(2).allSatisfy { (.seconds(30)...Duration.seconds(100)).contains($0) })
    }

    @Test func `a device that is moved is told to leave its old prefix and PREF64`() throws {
        var test = try RouterUnderTest(Self.configuration())
        _ = Self.sent(&test, at: .zero)
        try test.router.move(to: Self.configuration(Self.otherPrefix, prefixes: []), now: .zero + .seconds(10))
        let options = try Self.options(try #require(Self.sent(&test, at: .zero + .seconds(10)).first))
        #expect(
            options.filter { $0[0] == 3 } == [
                Self.information(Self.otherPrefix, isUsed: true), Self.information(Self.prefix, isUsed: false),
            ])
        // A lifetime of 0 (RFC 8781 §4)
        #expect(options.filter { $0[0] == 38 }.map { Array($0[2..<4]) } == [[0, 0]])

        try test.router.move(to: Self.configuration(), now: .zero + .seconds(20))
        let back = try Self.options(try #require(Self.sent(&test, at: .zero + .seconds(20)).first))
        #expect(
            back.filter { $0[0] == 3 } == [
                Self.information(Self.prefix, isUsed: true), Self.information(Self.otherPrefix, isUsed: false),
            ])
    }

    @Test func `a device that uses the prefix of another slot is told to leave it`() throws {
        var test = try RouterUnderTest(Self.configuration())
        _ = Self.sent(&test, at: .zero)
        let stale = IPv6Datagram(source: IPv6Address("2e00:2:1:9::5")!, destination: Place.synthesised)
        for _ in 0..<3 {
            #expect(test.receive(PacketBuffer(stale.packet(.echoRequest6(7))), from: .client).sent.isEmpty)
        }
        #expect(test.router.nextDeadline == .zero + .seconds(3))
        let options = try Self.options(try #require(Self.sent(&test, at: .zero + .seconds(3)).first))
        #expect(
            options.filter { $0[0] == 3 } == [
                Self.information(Self.prefix, isUsed: true), Self.information(Self.otherPrefix, isUsed: false),
            ])
        // Told once, and what is no prefix of devices not at all.
        let next = test.router.nextDeadline
        let foreign = IPv6Datagram(source: IPv6Address("2001:db8::5")!, destination: Place.synthesised)
        for datagram in [stale, foreign] {
            _ = test.receive(PacketBuffer(datagram.packet(.echoRequest6(7))), from: .client)
        }
        #expect(test.router.nextDeadline == next)
    }

    @Test func `a device without a network has no router, and gets one again`() throws {
        var test = try RouterUnderTest(Self.configuration())
        _ = Self.sent(&test, at: .zero)
        var none = Self.configuration(prefixes: [])
        none.advertisedLink = nil
        try test.router.move(to: none, now: .zero + .seconds(10))
        for _ in 0..<3 {
            let packet = try #require(Self.sent(&test, at: max(test.router.nextDeadline, test.now)).first)
            #expect(Array(PacketVerdict(packet).payload[6..<8]) == [0, 0])
            #expect(try Self.options(packet).filter { $0[0] == 3 } == [Self.information(Self.prefix, isUsed: false)])
            #expect(try Self.options(packet).filter { $0[0] == 25 }.isEmpty)
        }
        #expect(test.router.nextDeadline == .distantFuture)
        try test.router.move(to: Self.configuration(), now: test.now + .seconds(10))
        let packet = try #require(Self.sent(&test, at: test.now + .seconds(10)).first)
        #expect(Array(PacketVerdict(packet).payload[6..<8]) == [0x07, 0x08])
    }

    @Test func `a device sends from addresses of its prefix alone, and each has an account`() throws {
        var test = try RouterUnderTest(Self.configuration())
        for (source, isOwn) in [
            ("2e00:2:1:8::5", true), ("2e00:2:1:8:1234::9", true), ("2e00:2:1:9::5", false), ("2e00:2:1:10::5", false),
        ] {
            let ping = IPv6Datagram(source: IPv6Address(source)!, destination: Place.synthesised).packet(
                .echoRequest6(7))
            let outcome = test.receive(PacketBuffer(ping), from: .client)
            #expect(outcome.sent.isEmpty != isOwn, "\(source)")
        }
        #expect(
            test.router.clients.map(\.address) == [IPv6Address("2e00:2:1:8::5")!, IPv6Address("2e00:2:1:8:1234::9")!])
        #expect(test.router.drops.entries.map(\.reason) == [.spoofedSource])
    }

    @Test func `ten thousand addresses of a device take the room of some`() throws {
        var test = try RouterUnderTest(Self.configuration())
        for number in 0..<10_000 {
            let source = IPv6Address(bits: Self.prefix.address.bits | UInt128(number + 1))
            let ping = IPv6Datagram(source: source, destination: Place.synthesised).packet(.echoRequest6(7))
            _ = test.receive(PacketBuffer(ping), from: .client)
        }
        #expect(test.router.clients.count == DevicePlan.addressLimit)
    }
}
