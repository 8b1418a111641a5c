// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Topology

/// The prefix of the client's own addresses.
@Suite struct ClientLinkTests {
    @Test(arguments: ["2001:db8:1:2::/64", "apple", "fd00:1:2:3::/64"])
    func `comes out as it was written`(_ text: String) throws { #expect("\(try ClientLink(text))" == text) }

    @Test(arguments: [
        "", "2001:db8::/48", "2001:db8::1/64", "10.0.0.0/8", "2001:db8::", "::/64", "ff02::/64", "fe80::/64",
        "2e00:2:0:cafe::/64",
    ])
    func `is nothing else`(_ text: String) { #expect(throws: ClientLink.Mistake.self) { try ClientLink(text) } }

    @Test func `has the router and the clients of each network`() throws {
        let link = try ClientLink("2001:db8:1:2::/64")
        let place = ClientPlace(3, on: link)
        let router = IPv6Address("2001:db8:1:2::1")!
        #expect(link.router == router)
        #expect(place.ipv6(on: .nat64) == IPv6Address("2001:db8:1:2::3:100"))
        #expect(place.clat(on: .nat64CLAT)?.source == IPv6Address("2001:db8:1:2::3:464"))
        #expect(place.clientNetwork(on: .nat64).ipv6?.gateway == router)
        #expect(Network.nat64.entry.resolvers(on: link) == [.ipv6(router)])
        #expect(link.simulatedNetwork.ipv6 == link.prefix && link.simulatedNetwork.ipv6Router == link.router)
        #expect(ServedClient(IPAddress("2001:db8:1:2::3:100")!) == .place(place))
        let other = IPAddress("2001:db8:1:2::3:101")!
        #expect(ServedClient(other) == .other(other))
    }

    @Test func `is in a daemon's plan for each client`() throws {
        let plan = LinkPlan(client: .apple)
        #expect(try plan.with(LinkWishes(conditions: ["delay=1ms"])).client == .apple)
    }
}
