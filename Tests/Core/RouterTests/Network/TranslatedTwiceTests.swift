// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// 464XLAT (RFC 6877) as a row of routers: an IPv4 client behind a stateless translator, a home router that knows IPv6 only, and a
/// provider's NAT64.
@Suite struct `A network of a second translator, a router and a NAT64` {
    private static let host = IPv4Address(192, 0, 0, 1)
    private static let translator = IPv6Address("2e00:2:0:1::464")!
    private static let server = IPv4Address(198, 51, 100, 10)
    private static let pool = IPv4Address(198, 51, 100, 64)
    private static let prefix = Pref64.wellKnown

    private static func errors(_ ipv6: String, _ ipv4: IPv4Address) -> ErrorPolicy {
        ErrorPolicy(ipv6Source: IPv6Address(ipv6)!, ipv4Source: ipv4)
    }

    /// The host's IPv4 address has one IPv6 address; everybody else is under the Pref64.
    private static func second() throws -> RouterConfiguration {
        let errors = errors("2e00:2:0:1::465", IPv4Address(192, 0, 0, 2))
        let mapping = try #require(
            ExplicitAddressMapping(IPv4Prefix(host, length: 32)!, IPv6Prefix(translator, length: 128)!))
        let addresses = StatelessAddresses(
            mappings: try ExplicitAddressMappingTable([mapping]), prefix: prefix,
            exemptIPv4: [IPv4Prefix("198.51.100.0/24")!], errorSources: errors.borrowedSources)
        var configuration = RouterConfiguration(.stateless(addresses, TranslationOptions()), errors: errors)
        configuration.ipv6Link = .world
        configuration.hasOneFamilyPerLink = true
        return configuration
    }

    private static func home(mtu: Int) -> RouterConfiguration {
        let errors = errors("2e00:2:0:1::1", IPv4Address(192, 0, 2, 1))
        return RouterConfiguration(
            .none, errors: errors,
            forwarding: Forwarding(
                links: LinkPlan(clientMTU: 1500, worldMTU: mtu), ipv6Router: errors.ipv6Source,
                ipv4Router: errors.ipv4Source, client: Forwarding.Client(ipv6: translator),
                reach: Reach(ipv4Hosts: [], ipv6Hosts: [prefix.embed(server)])))
    }

    private static func provider() -> RouterConfiguration {
        let errors = errors("2001:2:0:ffff::1", IPv4Address(198, 51, 100, 1))
        var nat64 = NAT64Configuration(prefixes: [prefix], pool: [pool], errors: errors)
        nat64.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!]
        var configuration = RouterConfiguration(.stateful(nat64), errors: errors)
        configuration.hasOneFamilyPerLink = true
        return configuration
    }

    private static func network(mtu: Int = 1500) throws -> VirtualNetwork {
        let network = try VirtualNetwork([try second(), home(mtu: mtu), provider()])
        network.server = { octets in
            guard let layout = try? IPv4Layout(octets.span), layout.transport.kind == .udp else { return nil }
            return Datagram.ipv4(
                from: layout.destination, to: layout.source, payload: layout.transport.count - UDPHeader.length,
                ports: (layout.transport.destinationPort, layout.transport.sourcePort)
            ).contents
        }
        return network
    }

    private static func question(payload: Int = 20, ttl: UInt8 = 64, dontFragment: Bool = false) -> PacketBuffer {
        Datagram.ipv4(from: host, to: server, ttl: ttl, payload: payload, dontFragment: dontFragment)
    }

    @Test func `a question gets there as IPv4, and the answer gets back`() throws {
        let network = try Self.network()
        network.send(Self.question())
        #expect(network.drops.isEmpty && network.toServer.count == 1 && network.toClient.count == 1)
        let (there, answer) = (network.toServer[0], network.toClient[0])
        let seen = try IPv4Layout(there.span)
        #expect(seen.source == Self.pool && seen.destination == Self.server)
        // Three hops.
        #expect(there[IPv4Header.ttl] == 61)
        let back = try IPv4Layout(answer.span)
        #expect(back.source == Self.server && back.destination == Self.host)
        #expect(back.transport.sourcePort == 9 && back.transport.destinationPort == 4000)
        #expect(answer[IPv4Header.ttl] == 61)
    }

    /// The number of the router that answers, by the TTL that the client chose.
    @Test(arguments: [(1, 0), (2, 1), (3, 2)] as [(UInt8, Int)])
    func `a traceroute shows the routers in their order`(ttl: UInt8, router: Int) throws {
        let network = try Self.network()
        network.send(Self.question(ttl: ttl))
        #expect(network.toServer.isEmpty)
        #expect(network.drops.map(\.router) == [router] && network.drops.map(\.reason) == [.hopLimitExceeded])
        let error = try #require(network.toClient.first)
        let layout = try IPv4Layout(error.span)
        #expect(layout.transport.kind == .icmpError && error[20] == ICMPv4Type.timeExceeded)
        // The quoted packet is the client's own again.
        let quoted = try layout.quotedPacket(in: error.span)
        #expect(quoted.source == Self.host && quoted.destination == Self.server)
        #expect(quoted.transport.destinationPort == 9)
    }

    @Test func `the smallest link on the way is found out`() throws {
        let network = try Self.network(mtu: 1400)
        network.send(Self.question(payload: 1400, dontFragment: true))
        #expect(network.drops.map(\.router) == [1] && network.drops.map(\.reason) == [.packetTooBig])
        let error = try #require(network.toClient.first)
        #expect(error[20] == ICMPv4Type.destinationUnreachable && error[21] == 4)
        // 1400 for IPv6 are 1380 for IPv4 (RFC 7915 §5.2).
        #expect(UInt16(error[26]) << 8 | UInt16(error[27]) == 1380)
        network.send(Self.question(payload: 1380 - 28, dontFragment: true))
        // The answer may be fragmented, and is: a translator knows of no more than 1280 octets on the way (RFC 7915 §4.1).
        #expect(network.toServer.count == 1 && network.toClient.count == 3)
    }

    @Test func `a session ends when its time is over`() throws {
        let network = try Self.network()
        network.send(Self.question())
        #expect(network[2]?.sessionsOpened == 1 && network[2]?.sessionsClosed == 0)
        network.pass(.seconds(301))
        #expect(network[2]?.sessionsClosed == 1)
    }
}
