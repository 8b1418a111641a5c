// SPDX-License-Identifier: Apache-2.0
import DNSWire
import NAT64
import TestPackets
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// Router advertisements on the client's link, and their times (RFC 4861 §6.2, RFC 8106 §5, RFC 8781 §4).
@Suite struct AdvertisingStageTests {
    private static let linkLocal = IPv6Address("fe80::100")!
    private static let allRouters = IPv6Address("ff02::2")!
    private static let allHosts = IPv6Address("ff02::1")!

    private static func configuration(
        _ advertisement: Advertisement = Advertisement(), mtu: Int = 1500, isUnsolicited: Bool = true,
        prefixes: [Pref64] = [.wellKnown]
    ) -> RouterConfiguration {
        var configuration = Place.nat64()
        if case .stateful(var nat64) = configuration.translation {
            nat64.prefixes = prefixes
            configuration.translation = .stateful(nat64)
        }
        configuration.advertisedLink = AdvertisedLink(
            router: NetworkPlan.linkLocalRouter, prefix: NetworkPlan.clientLink, resolvers: [NetworkPlan.router],
            mtu: mtu, advertisement, isUnsolicited: isUnsolicited)
        return configuration
    }

    /// An advertisement as a host reads it: its fixed part, and its options by type.
    private struct Told {
        let verdict: PacketVerdict
        let header: [UInt8]
        var options: [(type: UInt8, octets: [UInt8])] = []

        init(_ octets: [UInt8]) throws {
            verdict = PacketVerdict(octets)
            #expect(verdict.problem == nil && verdict.hasRightChecksum() && verdict.hopLimit == 255)
            #expect(verdict.source == bigEndian(NetworkPlan.linkLocalRouter))
            #expect(verdict.payload[0] == 134 && verdict.payload[1] == 0)
            header = Array(verdict.payload.prefix(16))
            var rest = verdict.payload.dropFirst(16)
            while let type = rest.first {
                let length = try #require(rest.dropFirst().first.map { Int($0) * 8 })
                #expect(length > 0 && length <= rest.count)
                options.append((type, Array(rest.prefix(length))))
                rest = rest.dropFirst(max(length, 1))
            }
        }

        func octets(_ type: UInt8) -> [[UInt8]] { options.filter { $0.type == type }.map(\.octets) }
    }

    private static func solicitation(
        from source: IPv6Address = linkLocal, to destination: IPv6Address = allRouters, hopLimit: UInt8 = 255,
        code: UInt8 = 0, rest: [UInt8] = [0, 0, 0, 0]
    ) -> [UInt8] {
        IPv6Datagram(source: source, destination: destination, hopLimit: hopLimit).packet(.icmpv6(133, code, rest))
    }

    /// The packets sent by `time`.
    private static func sent(_ test: inout RouterUnderTest, at time: Instant) -> [[UInt8]] {
        test.now = time
        test.router.advance(to: time)
        defer { test.wires.sent = [] }
        return test.wires.sent.map(\.octets)
    }

    @Test func `it begins with all that it has to say, to all hosts`() throws {
        var test = try RouterUnderTest(Self.configuration())
        #expect(test.router.nextDeadline == .zero)
        let packets = Self.sent(&test, at: .zero)
        #expect(packets.count == 1)
        let told = try Told(packets[0])
        #expect(told.verdict.destination == bigEndian(Self.allHosts))
        // Cur Hop Limit 64, neither M nor O, a lifetime of 1800 s
        #expect(Array(told.header[4..<8]) == [64, 0, 0x07, 0x08] && told.header[8...].allSatisfy { $0 == 0 })
        #expect(told.octets(5) == [[5, 1, 0, 0, 0, 0, 0x05, 0xdc]])
        // L and A, 30 days, 7 days
        #expect(
            told.octets(3) == [
                [3, 4, 64, 0xc0, 0, 0x27, 0x8d, 0, 0, 0x09, 0x3a, 0x80, 0, 0, 0, 0]
                    + bigEndian(NetworkPlan.clientLink.address)
            ])
        #expect(told.octets(25) == [[25, 3, 0, 0, 0, 0, 0x07, 0x08] + bigEndian(NetworkPlan.router)])
        #expect(told.octets(38) == [[38, 2, 0x07, 0x08, 0, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8)])
        #expect(told.octets(31).isEmpty && told.options.count == 4)
    }

    @Test func `flags, lifetimes and domains are those that were asked for`() throws {
        var advertisement = Advertisement()
        advertisement.isManaged = true
        advertisement.hasOtherConfiguration = true
        advertisement.routerLifetime = 0
        advertisement.pref64Lifetime = 0
        advertisement.namesResolvers = false
        advertisement.searchDomains = [try DomainName("corp.test")]
        var test = try RouterUnderTest(Self.configuration(advertisement))
        let told = try Told(try #require(Self.sent(&test, at: .zero).first))
        #expect(Array(told.header[5..<8]) == [0xc0, 0, 0])
        #expect(told.octets(25).isEmpty)
        #expect(
            told.octets(31) == [
                [31, 3, 0, 0, 0, 0, 0x07, 0x08] + [4] + Array("corp".utf8) + [4] + Array("test".utf8) + [0] + [
                    0, 0, 0, 0, 0,
                ]
            ])
        #expect(told.octets(38).map { Array($0[2..<4]) } == [[0, 0]])
    }

    @Test func `what does not fit into one packet stands in further ones`() throws {
        let prefixes = try (0..<64).map { try Pref64("2001:db8:\($0)::/96") }
        var advertisement = Advertisement()
        advertisement.searchDomains = try (0..<4).map { try DomainName("\(String(repeating: "a", count: 60)).\($0)") }
        var test = try RouterUnderTest(Self.configuration(advertisement, mtu: 1280, prefixes: prefixes))
        let packets = Self.sent(&test, at: .zero)
        #expect(packets.count == 2 && packets.allSatisfy { $0.count <= 1280 })
        #expect(try packets.flatMap { try Told($0).octets(38) }.count == 64)
    }

    @Test func `three come soon, and then they are minutes apart`() throws {
        var test = try RouterUnderTest(Self.configuration())
        var times: [Instant] = []
        for _ in 0..<8 {
            let time = test.router.nextDeadline
            #expect(Self.sent(&test, at: time).count == 1)
            times.append(time)
        }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(gaps.prefix(2).allSatisfy { $0 <= .seconds(16) && $0 >= .seconds(3) })
        #expect(gaps.dropFirst(2).allSatisfy { $0 >= .seconds(200) && $0 <= .seconds(600) })
        #expect(Set(gaps.dropFirst(2)).count > 1)
    }

    @Test func `who asks is answered within half a second`() throws {
        var test = try RouterUnderTest(Self.configuration(isUnsolicited: false))
        #expect(Self.sent(&test, at: .zero).isEmpty && test.router.nextDeadline == .distantFuture)
        let outcome = test.receive(PacketBuffer(Self.solicitation()), from: .client)
        #expect(outcome.sent.isEmpty && outcome.drops.isEmpty)
        // Asking again meanwhile changes nothing.
        _ = test.receive(PacketBuffer(Self.solicitation()), from: .client)
        let time = test.router.nextDeadline
        #expect(time <= .zero + .milliseconds(500))
        let packets = Self.sent(&test, at: time)
        #expect(packets.count == 1)
        #expect(try Told(packets[0]).verdict.destination == bigEndian(Self.linkLocal))
        #expect(test.router.nextDeadline == .distantFuture)
    }

    @Test func `who asks without an address is answered to all, and not more often than every three seconds`() throws {
        var test = try RouterUnderTest(Self.configuration())
        #expect(Self.sent(&test, at: .zero).count == 1)
        _ = test.receive(PacketBuffer(Self.solicitation(from: .unspecified)), from: .client)
        #expect(test.router.nextDeadline == .zero + .seconds(3))
        #expect(try Told(Self.sent(&test, at: .zero + .seconds(3))[0]).verdict.destination == bigEndian(Self.allHosts))
    }

    private static let invalid: [(what: String, octets: [UInt8])] = [
        ("forwarded", solicitation(hopLimit: 254)),
        ("another code", solicitation(code: 1)),
        ("too short", solicitation(rest: [])),
        ("an option of no length", solicitation(rest: [0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0])),
        ("an option that is cut", solicitation(rest: [0, 0, 0, 0, 14, 2, 0, 0, 0, 0, 0, 0])),
        (
            "no address, and a link-layer one",
            solicitation(from: .unspecified, rest: [0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 2])
        ),
        ("a wrong checksum", solicitation().dropLast() + [9]),
        (
            "an advertisement",
            IPv6Datagram(source: linkLocal, destination: allRouters, hopLimit: 255).packet(
                .icmpv6(134, 0, [0, 0, 0, 0]))
        ),
    ]

    @Test(arguments: invalid.indices)
    func `what is no valid solicitation is not answered (RFC 4861 §6.1.1)`(index: Int) throws {
        var test = try RouterUnderTest(Self.configuration(isUnsolicited: false))
        let outcome = test.receive(PacketBuffer(Self.invalid[index].octets), from: .client)
        #expect(outcome.sent.isEmpty, "\(Self.invalid[index].what)")
        #expect(test.router.nextDeadline == .distantFuture, "\(Self.invalid[index].what)")
        let fine = Self.solicitation(rest: [0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 2])
        _ = test.receive(PacketBuffer(fine), from: .client)
        #expect(test.router.nextDeadline < .distantFuture)
    }

    @Test func `its link-local address answers pings, and nothing of this is a flow of the client's`() throws {
        var test = try RouterUnderTest(Self.configuration())
        let ping = IPv6Datagram(source: Self.linkLocal, destination: NetworkPlan.linkLocalRouter).packet(
            .echoRequest6(7))
        let outcome = test.receive(PacketBuffer(ping), from: .client)
        let reply = PacketVerdict(try #require(outcome.sent.first).octets)
        #expect(reply.problem == nil && reply.hasRightChecksum() && reply.payload[0] == 129)
        #expect(reply.destination == bigEndian(Self.linkLocal))
        _ = test.receive(PacketBuffer(Self.solicitation()), from: .client)
        _ = Self.sent(&test, at: .zero + .seconds(1))
        #expect(test.router.flows.isEmpty && test.router.drops.entries.isEmpty)
    }

    @Test func `another prefix is told soon, and the old one withdrawn`() throws {
        var test = try RouterUnderTest(Self.configuration())
        _ = Self.sent(&test, at: .zero)
        guard case .stateful(var nat64) = Self.configuration().translation else { return }
        nat64.prefixes = [try Pref64("2001:db8:64::/96")]
        try test.router.change(to: nat64, seed: 1, now: .zero + .seconds(1))
        #expect(test.router.nextDeadline == .zero + .seconds(3))
        let told = try Told(Self.sent(&test, at: .zero + .seconds(3))[0])
        let options = told.octets(38).map { ($0[2], $0[3], Array($0[4..<8])) }
        #expect(options.count == 2)
        #expect(options.contains { $0 == (7, 8, [0x20, 0x01, 0x0d, 0xb8]) })
        #expect(options.contains { $0 == (0, 0, [0, 0x64, 0xff, 0x9b]) })
    }

    @Test func `a network without advertisements says nothing`() throws {
        var test = try RouterUnderTest(Place.nat64())
        let outcome = test.receive(PacketBuffer(Self.solicitation()), from: .client)
        #expect(outcome.sent.isEmpty && outcome.drops == [.illegalDestination])
        #expect(test.router.nextDeadline == .distantFuture)
    }
}
