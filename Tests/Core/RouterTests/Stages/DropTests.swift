// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Translation
import Wire

@testable import Router

/// Every packet that goes nowhere is counted once.
@Suite struct DropTests {
    @Test func `a drop is told once and counted once`() throws {
        var test = try RouterUnderTest(Place.nat64())
        let outcome = test.receive(Datagram.ipv6(to: Place.synthesised, hopLimit: 1), from: .client)
        #expect(outcome.drops == [.hopLimitExceeded])
        let entries = test.router.drops.entries
        #expect(entries.map(\.reason) == [.hopLimitExceeded] && entries.map(\.count) == [1])
    }

    /// Octets that are not a packet.
    @Test(
        arguments: [
            ([], .truncated), ([0x45], .truncated), ([0x60] + [UInt8](repeating: 0, count: 38), .truncated),
            ([0x05], .notIP), ([UInt8](repeating: 0xff, count: 60), .notIP),
            ([0x45] + [UInt8](repeating: 0, count: 19), .malformedIPv4Header),
        ] as [([UInt8], DropReason)])
    func `what is no packet goes nowhere`(_ octets: [UInt8], _ reason: DropReason) throws {
        for link in [Link.client, .world] {
            var test = try RouterUnderTest(Place.plain())
            let outcome = test.receive(PacketBuffer(octets), from: link)
            #expect(outcome.drops == [reason] && outcome.sent.isEmpty)
        }
    }

    @Test func `a packet of the other family has no business on a link of one family`() throws {
        var configuration = Place.nat64()
        configuration.forwarding = nil
        configuration.hasOneFamilyPerLink = true
        var test = try RouterUnderTest(configuration)
        #expect(test.receive(Datagram.ipv4(), from: .client).drops == [.wrongFamily])
        #expect(test.receive(Datagram.ipv6(), from: .world).drops == [.wrongFamily])
    }

    @Test func `what a link does not take is dropped, and was not sent`() throws {
        var test = try RouterUnderTest(Place.nat64())
        test.wires.answers = .queueFull
        let outcome = test.receive(Datagram.ipv6(to: Place.synthesised), from: .client)
        #expect(outcome.drops == [.queueFull])
        let counters = test.router.counters
        #expect(counters.receivedFromIPv6 == 1 && counters.emittedToIPv4 == 0)
        #expect(counters.drops[.queueFull] == 1)
    }

    @Test func `what came is what left and what was dropped`() throws {
        var test = try RouterUnderTest(Place.nat64())
        _ = test.receive(Datagram.ipv6(to: Place.synthesised), from: .client)
        _ = test.receive(Datagram.ipv6(), from: .client)
        _ = test.receive(Datagram.ipv6(to: IPv6Address("ff02::1")!), from: .client)
        let traffic = test.router.traffic
        #expect(traffic.fromClient.packets == 3 && traffic.toWorld.packets == 2)
        #expect(test.router.drops.counters.total == 1)
    }
}
