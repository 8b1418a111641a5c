// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// Conditions as a stage of the router.
@Suite struct LinkConditionerTests {
    private final class Setting {
        let wires = Wires()
        var router: RouterBox

        init(_ text: String, _ configuration: RouterConfiguration = Place.plain()) throws {
            var configuration = configuration
            configuration.conditions = try ConditionPlan([text]).on(.nat64)
            router = RouterBox(try Router(configuration, now: .zero, output: wires))
        }

        func receive(_ packet: consuming PacketBuffer, from link: Link, at milliseconds: Int) {
            var packet = packet
            router.router.receive(&packet, from: link, at: .zero + .milliseconds(milliseconds))
        }

        /// How many packets have come out on the link by then.
        func sent(_ link: Link, at milliseconds: Int) -> Int {
            router.router.advance(to: .zero + .milliseconds(milliseconds))
            return wires.sent.count { $0.link == link }
        }
    }

    private final class RouterBox {
        var router: Router
        init(_ router: consuming Router) { self.router = router }
    }

    private var up: PacketBuffer { Datagram.ipv6() }
    private var down: PacketBuffer { Datagram.ipv6(from: Place.host6, to: Place.client6) }
    private func reply(from source: IPv6Address = Place.router6) -> PacketBuffer {
        Datagram.ipv6(from: source, to: Place.client6, ports: (53, 4000))
    }

    @Test func `each direction has its own delay`() throws {
        let setting = try Setting("lte")
        setting.receive(up, from: .client, at: 0)
        setting.receive(down, from: .world, at: 0)
        #expect(setting.sent(.client, at: 49) == 0 && setting.sent(.client, at: 51) == 1)
        #expect(setting.sent(.world, at: 64) == 0 && setting.sent(.world, at: 66) == 1)
        let counts = setting.router.router.conditionCounts
        #expect(counts?.down.late == 1 && counts?.up.late == 1)
    }

    @Test func `the router says when it has to be called`() throws {
        let setting = try Setting("down-delay=30ms")
        #expect(setting.router.router.nextDeadline == .distantFuture)
        setting.receive(down, from: .world, at: 100)
        #expect(setting.router.router.nextDeadline == .zero + .milliseconds(130))
    }

    @Test func `without conditions nothing waits`() throws {
        let setting = try Setting("delay=0ms")
        setting.receive(up, from: .client, at: 0)
        #expect(setting.wires.sent.count == 1 && setting.router.router.conditionCounts == nil)
    }

    @Test func `what the NAT64 translates is late as well`() throws {
        let setting = try Setting("delay=10ms", Place.nat64())
        setting.receive(Datagram.ipv6(to: Place.synthesised), from: .client, at: 0)
        #expect(setting.sent(.world, at: 9) == 0 && setting.sent(.world, at: 10) == 1)
        #expect(setting.wires.sent[0].octets[0] >> 4 == 4)
    }

    @Test func `replies of DNS servers are late alone, and hold up nothing`() throws {
        let setting = try Setting("high-latency-dns")
        setting.receive(reply(), from: .world, at: 0)
        setting.receive(down, from: .world, at: 1)
        #expect(setting.sent(.client, at: 1) == 1)
        #expect(setting.sent(.client, at: 2_999) == 1 && setting.sent(.client, at: 3_000) == 2)
    }

    @Test func `an outage loses what is sent meanwhile`() throws {
        let setting = try Setting("down=10s-15s")
        for second in [9, 10, 14, 15] { setting.receive(up, from: .client, at: second * 1_000) }
        #expect(setting.sent(.world, at: 20_000) == 2)
        #expect(setting.wires.drops == [.conditionOutage, .conditionOutage])
        setting.receive(down, from: .world, at: 20_000)
        #expect(setting.sent(.client, at: 20_000) == 1)
    }

    @Test func `the next network's conditions hold from the next packet on`() throws {
        let setting = try Setting("delay=10ms")
        setting.receive(up, from: .client, at: 0)
        var next = Place.plain()
        next.conditions = try ConditionPlan(["up-delay=50ms,down=100ms-200ms"]).on(.nat64)
        try setting.router.router.move(to: next, now: .zero + .milliseconds(5))
        setting.receive(up, from: .client, at: 5)
        #expect(setting.sent(.world, at: 10) == 1, "what was on its way arrives when it would have")
        #expect(setting.sent(.world, at: 54) == 1 && setting.sent(.world, at: 55) == 2)
        // Counted from the client's connection on, not from the move.
        setting.receive(up, from: .client, at: 102)
        #expect(setting.wires.drops == [.conditionOutage])
        #expect(setting.router.router.conditionCounts?.up.packets == 3)
    }

    @Test func `conditions begin with a network that has some`() throws {
        let setting = try Setting("delay=0ms")
        var next = Place.plain()
        next.conditions = try ConditionPlan(["delay=20ms"]).on(.nat64)
        try setting.router.router.move(to: next, now: .zero + .milliseconds(5))
        setting.receive(up, from: .client, at: 5)
        #expect(setting.sent(.world, at: 24) == 0 && setting.sent(.world, at: 25) == 1)
    }

    @Test func `a link that flaps is there every other time`() throws {
        let setting = try Setting("flap=10ms")
        for time in 0..<40 { setting.receive(up, from: .client, at: time) }
        #expect(setting.sent(.world, at: 100) == 20 && setting.wires.drops.count == 20)
    }

    @Test func `without an uplink the router alone is there`() throws {
        let setting = try Setting("no-uplink")
        setting.receive(up, from: .client, at: 0)
        #expect(setting.wires.sent.isEmpty && setting.wires.drops == [.conditionOutage])
        setting.receive(Datagram.ipv6(to: Place.router6, ports: (4000, 53)), from: .client, at: 0)
        #expect(setting.wires.sent.map(\.link) == [.world])
    }

    @Test func `each lost packet is counted under its reason`() throws {
        let setting = try Setting("up-loss=100%")
        for _ in 0..<3 { setting.receive(up, from: .client, at: 0) }
        #expect(setting.wires.drops == [.conditionLoss, .conditionLoss, .conditionLoss])
        setting.receive(down, from: .world, at: 0)
        #expect(setting.wires.sent.map(\.link) == [.client])
    }
}
