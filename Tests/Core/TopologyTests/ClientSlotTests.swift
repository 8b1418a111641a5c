// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Wire

@testable import Topology

@Suite struct ClientSlotTests {
    private static let places = (0..<ClientSlot.limit).map { ClientSlot($0) }

    @Test func `every address is handed out once`() {
        var addresses: [IPAddress] = [.ipv6(NetworkPlan.router), .ipv4(NetworkPlan.ipv4Router)]
        for place in Self.places {
            addresses += Network.allCases.flatMap { place.addresses(on: $0) } + [.ipv4(place.poolAddress)]
        }
        #expect(Set(addresses).count == addresses.count)
    }

    @Test func `every address lies in a link of the plan`() {
        for place in Self.places {
            for address in Network.allCases.flatMap({ place.addresses(on: $0) }) + [.ipv4(place.poolAddress)] {
                switch address {
                case .ipv4(let address): #expect(NetworkPlan.ipv4Link.contains(address))
                case .ipv6(let address): #expect(NetworkPlan.clientLink.contains(address))
                }
            }
        }
    }

    @Test func `an IPv6-only network has neither an IPv4 address nor an IPv4 resolver`() {
        for network in [Network.nat64, .nat64NoDNS64, .strict, .strictNoLoopback4] {
            #expect(ClientSlot.first.clientNetwork(on: network).ipv4 == nil)
            #expect(network.entry.resolvers(on: .standard).allSatisfy { $0.ipv4 == nil })
        }
        #expect(ClientSlot.first.clientNetwork(on: .dualStack).ipv4?.gateway == NetworkPlan.ipv4Router)
    }

    @Test func `behind a CLAT every client has the same IPv4 address, and one of its own to the NAT64`() throws {
        var sources: Set<IPv6Address> = []
        for place in Self.places {
            let clat = try #require(place.clat(on: .nat64CLAT))
            #expect(sources.insert(clat.source).inserted && NetworkPlan.clientLink.contains(clat.source))
            #expect(!Network.allCases.flatMap(place.addresses).contains(.ipv6(clat.source)))
            let network = place.clientNetwork(on: .nat64CLAT)
            #expect(network.ipv4?.address == IPv4Address(192, 0, 0, 1) && network.ipv4?.prefixLength == 29)
            #expect(network.ipv4?.gateway == IPv4Address(192, 0, 0, 2) && network.ipv6?.address != clat.source)
            #expect(place.linkAddresses(on: .nat64CLAT).contains(.ipv4(clat.client)))
        }
        #expect(ClientSlot.first.clat(on: .nat64) == nil)
    }

    @Test func `an IPv4-only network has neither an IPv6 address nor an IPv6 resolver`() {
        #expect(ClientSlot.first.clientNetwork(on: .ipv4Only).ipv6 == nil)
        #expect(Network.ipv4Only.entry.resolvers(on: .standard) == [.ipv4(NetworkPlan.ipv4Router)])
    }

    @Test func `an address says whose place it is`() {
        for place in Self.places {
            for address in Network.allCases.flatMap({ place.addresses(on: $0) }) + [.ipv4(place.poolAddress)] {
                #expect(ServedClient(address) == .place(place))
            }
        }
        for address in [NetworkPlan.ipv4Router, IPv4Address(192, 0, 2, 63), IPv4Address(192, 0, 2, 255)] {
            #expect(ServedClient(.ipv4(address)) == .other(.ipv4(address)))
        }
    }
}
