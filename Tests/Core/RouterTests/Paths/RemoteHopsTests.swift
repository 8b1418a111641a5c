// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import TestPackets
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// Routers and links between the simulator's own link and a host.
@Suite struct RemoteHopsTests {
    private static let first4 = IPv4Address(198, 51, 100, 101)
    private static let first6 = IPv6Address("2e00:2:0:cafe::101")!

    /// Three routers, of which the second is silent.
    private func path(mtu: Int? = nil, link: String? = nil) throws -> HostPath {
        var path = HostPath(to: "far.test", [.ipv4(Place.host4), .ipv6(Place.host6)])
        path.routers = [
            HostPath.Router(ipv4: Self.first4, ipv6: Self.first6), HostPath.Router(),
            HostPath.Router(ipv4: IPv4Address(198, 51, 100, 103), mtu: mtu),
        ]
        if let link { path.link = try ConditionPlan.ofHost([link]) }
        return path
    }

    private func router(
        _ path: HostPath, _ configuration: RouterConfiguration = Place.plain()
    ) throws -> RouterUnderTest {
        var configuration = configuration
        configuration.paths = [path]
        return try RouterUnderTest(configuration)
    }

    private func hopLimit(_ sent: Wires.Sent) -> UInt8 {
        sent.octets[0] >> 4 == 6 ? sent.octets[IPv6Header.hopLimit] : sent.octets[IPv4Header.ttl]
    }

    @Test func `each router costs a hop, in both directions and families`() throws {
        var router = try router(path())
        // One more is our own router's.
        let up = router.receive(Datagram.ipv6(hopLimit: 64), from: .client)
        #expect(up.sent.count == 1 && up.sent[0].link == .world && hopLimit(up.sent[0]) == 60)
        let down = router.receive(Datagram.ipv4(from: Place.host4, to: Place.client4, ttl: 64), from: .world)
        #expect(down.sent.count == 1 && down.sent[0].link == .client && hopLimit(down.sent[0]) == 60)
    }

    /// With one hop for our own router.
    @Test(arguments: [(2, "2e00:2:0:cafe::101"), (3, nil), (4, nil), (5, "")] as [(UInt8, String?)])
    func `the router at which an IPv6 hop limit ends says so, unless it is silent or has no such address`(
        hopLimit: UInt8, answer: String?
    ) throws {
        var router = try router(path())
        let (sent, drops) = router.receive(Datagram.ipv6(hopLimit: hopLimit), from: .client)
        if answer == "" {
            #expect(sent.count == 1 && sent[0].link == .world && drops.isEmpty)
            return
        }
        #expect(drops == [.hopLimitExceeded] && sent.count == (answer == nil ? 0 : 1))
        if let answer {
            let error = PacketBuffer(sent[0].octets)
            #expect(sent[0].link == .client && error.bytes.ipv6Address(at: IPv6Header.source) == IPv6Address(answer))
            #expect(error.bytes[IPv6Header.length] == ICMPv6Type.timeExceeded)
        }
    }

    @Test func `behind a NAT64 it is the router's IPv4 address under the prefix`() throws {
        var router = try router(path(), Place.nat64())
        let (sent, _) = router.receive(Datagram.ipv6(to: Place.synthesised, hopLimit: 2), from: .client)
        let error = PacketBuffer(try #require(sent.first { $0.link == .client }).octets)
        #expect(Pref64.wellKnown.extract(error.bytes.ipv6Address(at: IPv6Header.source)) == Self.first4)
        #expect(error.bytes[IPv6Header.length] == ICMPv6Type.timeExceeded)
        // The error quotes the client's own packet.
        #expect(error.bytes.ipv6Address(at: IPv6Header.length + 8 + IPv6Header.destination) == Place.synthesised)
    }

    @Test func `what is too large for a link on the way is told, or falls in pieces`() throws {
        var router = try router(path(mtu: 600))
        let told = router.receive(Datagram.ipv4(payload: 1000, dontFragment: true), from: .client)
        #expect(told.drops == [.packetTooBig] && told.sent.map(\.link) == [.client])
        #expect(told.sent.first.map { PacketBuffer($0.octets).bytes.uint16(at: IPv4Header.length + 6) } == 600)
        let pieces = router.receive(Datagram.ipv4(payload: 1000), from: .client)
        #expect(pieces.drops.isEmpty && pieces.sent.count == 2 && pieces.sent.allSatisfy { $0.octets.count <= 600 })
        #expect(pieces.sent.reduce(0) { $0 + $1.octets.count - IPv4Header.length } == 1008)
        #expect(pieces.sent.allSatisfy { hopLimit($0) == 60 })
        // The host is told likewise.
        let back = router.receive(
            Datagram.ipv4(from: Place.host4, to: Place.client4, payload: 1000, dontFragment: true), from: .world)
        #expect(back.drops == [.packetTooBig] && back.sent.map(\.link) == [.world])
    }

    /// RFC 8200 §5: every link carries IPv6 packets of 1280 octets.
    @Test func `a link too narrow for IPv6 is that for IPv4 alone`() throws {
        var router = try router(path(mtu: 600))
        for (payload, drops) in [(1280 - 48, []), (1281 - 48, [.packetTooBig])] as [(Int, [DropReason])] {
            #expect(router.receive(Datagram.ipv6(payload: payload), from: .client).drops == drops)
        }
    }

    @Test func `a silent router with a narrow link is a black hole`() throws {
        var path = try path()
        path.routers = [HostPath.Router(mtu: 1400)]
        var router = try router(path)
        let (sent, drops) = router.receive(Datagram.ipv6(payload: 1400), from: .client)
        #expect(sent.isEmpty && drops == [.packetTooBig])
    }

    @Test func `its routers answer pings, and nothing else`() throws {
        var configuration = Place.plain()
        configuration.forwarding = Place.forwarding(
            reach: Reach(ipv4Hosts: [Place.host4, Self.first4], ipv6Hosts: [Place.host6, Self.first6]))
        var router = try router(path(), configuration)
        let other = router.receive(Datagram.ipv6(to: Self.first6), from: .client)
        #expect(other.sent.isEmpty && other.drops == [.addressUnreachable])
        let ping = router.receive(
            PacketBuffer(IPv6Datagram(source: Place.client6, destination: Self.first6).packet(.echoRequest6(7))),
            from: .client)
        #expect(ping.drops.isEmpty && ping.sent.map(\.link) == [.client])
    }

    @Test func `the host's link is late, and no other host's is`() throws {
        var router = try router(path(link: "delay=80ms"))
        #expect(router.receive(Datagram.ipv6(), from: .client).sent.isEmpty)
        #expect(router.router.nextDeadline == .zero + .milliseconds(80))
        router.router.advance(to: .zero + .milliseconds(80))
        #expect(router.wires.sent.map(\.link) == [.world])
        router.wires.sent = []
        // An address that is no host's with a path.
        let near = router.receive(
            Datagram.ipv6(from: IPv6Address("2e00:2:0:cafe::7")!, to: Place.client6), from: .world)
        #expect(near.sent.map(\.link) == [.client])
        let counts = try #require(router.router.hostConditionCounts[0])
        #expect(counts.up.packets == 1 && counts.up.late == 1 && counts.down.packets == 0)
    }

    /// Only some of several paths have a link with conditions.
    @Test func `each host's link has its own time`() throws {
        var configuration = Place.plain()
        var paths: [HostPath] = []
        for (number, delay) in [nil, "delay=30ms", nil, "delay=10ms"].enumerated() {
            var path = HostPath(to: "\(number).test", [.ipv6(Self.host(number))])
            if let delay { path.link = try ConditionPlan.ofHost([delay]) }
            paths.append(path)
        }
        configuration.paths = paths
        configuration.forwarding = Place.forwarding(
            reach: Reach(ipv4Hosts: [], ipv6Hosts: Set((0..<4).map(Self.host))))
        var router = try RouterUnderTest(configuration)
        let sent = (0..<4).map { router.receive(Datagram.ipv6(to: Self.host($0)), from: .client).sent.count }
        #expect(sent == [1, 0, 1, 0])
        for milliseconds in [10, 30] {
            let due = Instant.zero + .milliseconds(milliseconds)
            #expect(router.router.nextDeadline == due)
            router.wires.sent = []
            router.router.advance(to: due)
            #expect(router.wires.sent.map(\.link) == [.world])
        }
        #expect(router.router.nextDeadline == .distantFuture)
    }

    private static func host(_ number: Int) -> IPv6Address {
        IPv6Address(0x2e00, 2, 0, 0xcafe, 0, 0, 1, UInt16(number))
    }

    /// A router's answer costs what the client's own network costs.
    @Test func `an answer on the way comes over the client's link`() throws {
        var configuration = Place.plain()
        configuration.conditions = try ConditionPlan(["delay=10ms"]).on(.nat64)
        var router = try router(path(link: "delay=80ms"), configuration)
        #expect(router.receive(Datagram.ipv6(hopLimit: 2), from: .client).sent.isEmpty)
        router.router.advance(to: .zero + .milliseconds(10))
        #expect(router.wires.sent.isEmpty)
        router.router.advance(to: .zero + .milliseconds(20))
        #expect(router.wires.sent.map(\.link) == [.client])
    }

    @Test func `what is cut off on the way is dropped, and no trap`() throws {
        var router = try router(path(mtu: 600, link: "delay=1ms"))
        for link in [Link.client, .world] {
            for octets in [Datagram.ipv6().contents, Datagram.ipv4(from: Place.host4, to: Place.client4).contents] {
                for length in octets.indices {
                    _ = router.receive(PacketBuffer(Array(octets[..<length])), from: link)
                }
            }
        }
        router.router.advance(to: .zero + .seconds(1))
        #expect(router.router.nextDeadline == .distantFuture)
    }
}
