// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// A path-MTU black hole drops packets that are too big, silently.
@Suite struct FaultTests {
    private func faulty(ipv6: Int? = nil, ipv4: Int? = nil) -> RouterConfiguration {
        var configuration = Place.nat64()
        configuration.faults.ipv6BlackHole = ipv6
        configuration.faults.ipv4BlackHole = ipv4
        return configuration
    }

    @Test func `swallows what arrives`() throws {
        var test = try RouterUnderTest(faulty(ipv6: 1000))
        let small = test.receive(Datagram.ipv6(to: Place.synthesised, payload: 952), from: .client)
        #expect(small.drops.isEmpty && small.sent.map(\.link) == [.world])
        let large = test.receive(Datagram.ipv6(to: Place.synthesised, payload: 953), from: .client)
        #expect(large.drops == [.faultBlackHole] && large.sent.isEmpty)
    }

    @Test func `swallows what leaves, after the translation`() throws {
        // An IPv4 header is 20 octets shorter.
        var test = try RouterUnderTest(faulty(ipv4: 980))
        let small = test.receive(Datagram.ipv6(to: Place.synthesised, payload: 952), from: .client)
        #expect(small.drops.isEmpty && small.sent[0].octets.count == 980)
        let large = test.receive(Datagram.ipv6(to: Place.synthesised, payload: 953), from: .client)
        #expect(large.drops == [.faultBlackHole] && large.sent.isEmpty)
    }

    @Test func `is for packets of its own family`() throws {
        var test = try RouterUnderTest(faulty(ipv4: 100))
        let outcome = test.receive(Datagram.ipv6(to: Place.host6, payload: 1000), from: .client)
        #expect(outcome.drops.isEmpty && outcome.sent.count == 1)
    }
}
