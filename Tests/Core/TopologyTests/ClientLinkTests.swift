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
        let place = ClientSlot(3, on: link)
        let router = IPv6Address("2001:db8:1:2::1")!
        #expect(link.router == router)
        #expect(place.ipv6(on: .nat64) == IPv6Address("2001:db8:1:2::c3:100"))
        #expect(place.clat(on: .nat64CLAT)?.source == IPv6Address("2001:db8:1:2::3:464"))
        #expect(place.clientNetwork(on: .nat64).ipv6?.gateway == router)
        #expect(Network.nat64.entry.resolvers(on: link) == [.ipv6(router)])
        #expect(link.simulatedNetwork.ipv6.first == link.prefix && link.simulatedNetwork.ipv6Router == link.router)
        #expect(ServedClient(IPAddress("2001:db8:1:2::c3:100")!) == .place(place))
        let other = IPAddress("2001:db8:1:2::3:101")!
        #expect(ServedClient(other) == .other(other))
    }

    @Test func `has others in its place where a host has these addresses`() throws {
        let links = ClientLink.standard.alternatives
        #expect(links.first == .standard && links.count == 255)
        #expect(Set(links.map(\.ipv4)).count == 255 && Set(links.map(\.prefix)).count == 255)
        #expect(!links.contains { $0.prefix.contains(IPv6Address("2e00:2:0:cafe::1")!) })
        let place = ClientSlot(3, on: links[2])
        #expect(place.poolAddress == IPv4Address("198.19.2.67"))
        #expect(place.ipv6(on: .nat64) == IPv6Address("2e00:2:0:102::c3:100"))
        #expect(place.clientNetwork(on: .dualStack).ipv4?.address == IPv4Address("198.19.2.103"))
        #expect(place.clientNetwork(on: .dualStack).ipv4?.gateway == IPv4Address("198.19.2.1"))
        #expect(Network.dualStack.entry.resolvers(on: links[2]).contains(.ipv4(IPv4Address("198.19.2.1")!)))
        for address in ["198.19.2.67", "198.19.2.103", "2e00:2:0:102::c3:100"] {
            #expect(ServedClient(IPAddress(address)!) == .place(place), "\(address)")
        }
        #expect(LinkPlan(client: .standard).on(links[2]).client == links[2])
        let asked = try ClientLink("2001:db8:1:2::/64")
        #expect(Set(asked.alternatives.map(\.prefix)) == [asked.prefix])
    }

    @Test func `is in a daemon's plan for each client`() throws {
        let plan = LinkPlan(client: .apple)
        #expect(try plan.with(LinkWishes(conditions: ["delay=1ms"])).client == .apple)
    }
}
