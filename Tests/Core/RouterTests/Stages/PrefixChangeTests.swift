// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Translation
import Wire

@testable import Router

struct PrefixChangeTests {
    /// Its client may have moved away from the NAT64 meanwhile.
    @Test func `a router that translates nothing does not begin to`() throws {
        var router = try RouterUnderTest(Place.plain())
        guard case .stateful(let nat64) = Place.nat64().translation else { return }
        try router.router.change(to: nat64, seed: 1, now: .zero)
        #expect(router.router.translatorCounters == nil)
        #expect(router.receive(Datagram.ipv6(), from: .client).sent.map(\.link) == [.world])
    }
}
