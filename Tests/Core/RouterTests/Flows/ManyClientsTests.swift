// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// A link with the hosts of a network that is not ours.
@Suite struct ManyClientsTests {
    private static let prefixes = [IPv6Prefix("fd00:10:244::/56")!, IPv6Prefix("fd00:10:89::/64")!]

    private static func configuration() -> RouterConfiguration {
        var nat64 = NAT64Configuration(
            prefixes: [.wellKnown], pool: [Place.pool, IPv4Address(192, 0, 2, 65)], errors: Place.errors)
        nat64.exemptIPv4 = [IPv4Prefix("198.51.100.0/24")!, IPv4Prefix("192.0.2.0/24")!]
        var configuration = RouterConfiguration(
            .stateful(nat64), errors: Place.errors,
            forwarding: Forwarding(
                links: LinkPlan(), ipv6Router: Place.router6, ipv4Router: Place.router4,
                client: Forwarding.Client(ipv6: prefixes, pool: nat64.pool), reach: Place.reach))
        configuration.clientLimit = GatewayPlan.clientLimit
        return configuration
    }

    private static func client(_ number: Int) -> IPv6Address {
        IPv6Address(bits: prefixes[number % 2].address.bits | UInt128(number + 16))
    }

    @Test func `each address has its own flows and counts`() throws {
        var test = try RouterUnderTest(Self.configuration())
        for (client, ports) in [(0, [9, 7]), (1, [9])] {
            for port in ports {
                let packet = Datagram.ipv6(
                    from: Self.client(client), to: Place.synthesised, ports: (4000, UInt16(port)))
                let outcome = test.receive(packet, from: .client)
                #expect(outcome.sent.map(\.link) == [.world])
                let octets = outcome.sent[0].octets
                let layout = try IPv4Layout(octets.span)
                let answer = Datagram.ipv4(
                    from: layout.destination, to: layout.source,
                    ports: (layout.transport.destinationPort, layout.transport.sourcePort))
                #expect(test.receive(answer, from: .world).sent.map(\.link) == [.client])
            }
        }
        let seen = test.router.clients
        #expect(seen.map(\.address) == [Self.client(1), Self.client(0)])
        #expect(seen.map { $0.flows.map(\.port) } == [[9], [9, 7]])
        #expect(seen.allSatisfy { $0.flows.allSatisfy { $0.route == .translated(Place.host4) && $0.isAnswered } })
        #expect(seen.map(\.sent.packets) == [1, 2] && seen.map(\.received.packets) == [1, 2])
        #expect(seen.map(\.sent.octets) == [56, 112])
        #expect(test.router.flows.isEmpty)
    }

    @Test func `who is on none of its prefixes is refused, and has no account`() throws {
        var test = try RouterUnderTest(Self.configuration())
        for source in ["fd00:10:245::5", "fd00:10:89:1::5", "2e00:2:0:1::c0:100", "64:ff9b::1"] {
            let outcome = test.receive(
                Datagram.ipv6(from: IPv6Address(source)!, to: Place.synthesised), from: .client)
            #expect(outcome.drops == [.spoofedSource] && outcome.sent.isEmpty)
        }
        #expect(test.router.clients.isEmpty)
    }

    @Test func `nothing comes from the world with an address of theirs`() throws {
        var test = try RouterUnderTest(Self.configuration())
        let packet = Datagram.ipv6(from: Self.client(0), to: Self.client(1))
        #expect(test.receive(packet, from: .world).drops == [.spoofedSource])
    }

    @Test func `what is forwarded goes to whom it is for`() throws {
        var test = try RouterUnderTest(Self.configuration())
        let there = test.receive(Datagram.ipv6(from: Self.client(3), to: Place.host6), from: .client)
        #expect(there.sent.map(\.link) == [.world])
        let back = test.receive(Datagram.ipv6(from: Place.host6, to: Self.client(3), ports: (9, 4000)), from: .world)
        #expect(back.sent.map(\.link) == [.client])
        let astray = test.receive(Datagram.ipv6(from: Place.host6, to: IPv6Address("fd00:11::1")!), from: .world)
        #expect(astray.drops == [.addressUnreachable])
        #expect(test.router.clients.map { $0.flows.map(\.route) } == [[.direct]])
    }

    @Test func `drops are of whose packet went nowhere`() throws {
        var test = try RouterUnderTest(Self.configuration())
        _ = test.receive(Datagram.ipv6(from: Self.client(0), to: Place.synthesised), from: .client)
        let refused = test.receive(
            Datagram.ipv6(from: Self.client(1), to: IPv6Address("64:ff9b::a00:1")!), from: .client)
        #expect(refused.drops == [.nonGlobalIPv4])
        let seen = Dictionary(uniqueKeysWithValues: test.router.clients.map { ($0.address, $0.drops) })
        #expect(seen[Self.client(0)] == [])
        #expect(seen[Self.client(1)]?.map(\.reason) == [.nonGlobalIPv4])
    }

    /// As a host without an address does, and the host's own kernel on the link (RFC 3810 §5.2.13).
    @Test func `who has no address has no account`() throws {
        var test = try RouterUnderTest(Self.configuration())
        for source in [IPv6Address.unspecified, IPv6Address("fe80::1")!] {
            _ = test.receive(Datagram.ipv6(from: source, to: IPv6Address("ff02::16")!), from: .client)
        }
        #expect(test.router.clients.isEmpty)
    }

    @Test func `one that scans has a bounded account`() throws {
        var test = try RouterUnderTest(Self.configuration())
        for port in 1...3000 {
            _ = test.receive(
                Datagram.ipv6(from: Self.client(0), to: Place.synthesised, ports: (4000, UInt16(port))), from: .client)
        }
        let seen = try #require(test.router.clients.first)
        #expect(seen.flows.count == 1024 && seen.lostFlows == 3000 - 1024)
        #expect(seen.flows.map(\.port) == Array(1...1024))
        #expect(seen.sent.packets == 3000)
    }

    @Test func `ten thousand have an account, and one who comes then too`() throws {
        var test = try RouterUnderTest(Self.configuration())
        for number in 0..<GatewayPlan.clientLimit + 500 {
            _ = test.receive(Datagram.ipv6(from: Self.client(number), to: Place.synthesised), from: .client)
        }
        #expect(test.router.clients.count == GatewayPlan.clientLimit)
        #expect(test.router.forgottenClients == 500)
    }
}
