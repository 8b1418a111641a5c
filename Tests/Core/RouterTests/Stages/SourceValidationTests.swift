// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Translation
import Wire

@testable import Router

/// BCP 38 (RFC 2827, RFC 3704): a packet with a spoofed source is not forwarded.
@Suite struct SourceValidationTests {
    private static let networks: [(name: String, configuration: RouterConfiguration)] = [
        ("nat64", Place.nat64()), ("dual-stack", Place.plain()),
    ]

    /// Addresses of another client of the same network, of the other network, of the router, of a host, and of elsewhere.
    private static let strangers6 = [
        "2e00:2:0:1::c1:100", "2e00:2:0:1::c0:200", "2e00:2:0:1::1", "2e00:2:0:1::abc", "2e00:2:0:cafe::6",
        "64:ff9b::c633:640a", "2600::1",
    ]
    private static let strangers4 = ["192.0.2.101", "192.0.2.64", "192.0.2.1", "198.51.100.10", "8.8.8.8"]

    private func expectSpoofed(
        _ packet: borrowing PacketBuffer, from link: Link, on configuration: RouterConfiguration, _ comment: Comment
    ) throws {
        var test = try RouterUnderTest(configuration)
        let outcome = test.receive(packet, from: link)
        #expect(outcome.drops == [.spoofedSource] && outcome.sent.isEmpty, comment)
        #expect(test.router.flows.isEmpty, comment)
        #expect(test.router.drops.entries.map(\.count) == [1], comment)
    }

    @Test(arguments: 0..<2) func `a client sends from its own IPv6 address only`(number: Int) throws {
        let (name, configuration) = Self.networks[number]
        for text in Self.strangers6 {
            let source = IPv6Address(text)!
            for destination in [Place.router6, Place.host6, Place.synthesised] {
                try expectSpoofed(
                    Datagram.ipv6(from: source, to: destination, ports: (4000, 53)), from: .client, on: configuration,
                    "\(text) to \(destination) on \(name)")
            }
        }
    }

    @Test func `a dual-stack client sends from its own IPv4 address only`() throws {
        for text in Self.strangers4 {
            for destination in [Place.router4, Place.host4] {
                try expectSpoofed(
                    Datagram.ipv4(from: IPv4Address(text)!, to: destination), from: .client, on: Place.plain(),
                    "\(text) to \(destination)")
            }
        }
    }

    @Test(arguments: 0..<2) func `nothing comes from the world with an address of the clients' link`(number: Int) throws
    {
        let (name, configuration) = Self.networks[number]
        for text in ["2e00:2:0:1::c0:100", "2e00:2:0:1::c1:100", "2e00:2:0:1::abc"] {
            try expectSpoofed(
                Datagram.ipv6(from: IPv6Address(text)!, to: Place.client6), from: .world, on: configuration,
                "\(text) on \(name)")
        }
        for text in ["192.0.2.100", "192.0.2.101", "192.0.2.64", "192.0.2.65"] {
            try expectSpoofed(
                Datagram.ipv4(from: IPv4Address(text)!, to: number == 0 ? Place.pool : Place.client4), from: .world,
                on: configuration, "\(text) on \(name)")
        }
    }

    @Test func `a ping with another's address is not answered`() throws {
        let ping = PacketBuffer(
            [
                0x60, 0, 0, 0, 0, 8, 58, 64, 0x20, 0x01, 0, 2, 0, 0, 0xaa, 0xb1, 0, 0, 0, 0, 0, 1, 1, 0,
                0x20, 0x01, 0, 2, 0, 0, 0xaa, 0xb1, 0, 0, 0, 0, 0, 0, 0, 1, 128, 0, 0, 0, 0, 1, 0, 1,
            ])
        try expectSpoofed(ping, from: .client, on: Place.nat64(), "from another client")
    }

    @Test(arguments: 0..<2) func `what is right goes on`(number: Int) throws {
        let (name, configuration) = Self.networks[number]
        var test = try RouterUnderTest(configuration)
        let router: Comment = "\(name): the router's own, such as the DNS server's answers"
        #expect(test.receive(Datagram.ipv6(to: Place.router6), from: .client).sent.count == 1)
        #expect(
            test.receive(Datagram.ipv6(from: Place.router6, to: Place.client6), from: .world).sent.count == 1, router)
        #expect(test.receive(Datagram.ipv6(from: Place.host6, to: Place.client6), from: .world).sent.count == 1)
        guard number == 1 else { return }
        #expect(test.receive(Datagram.ipv4(to: Place.router4), from: .client).sent.count == 1)
        #expect(
            test.receive(Datagram.ipv4(from: Place.router4, to: Place.client4), from: .world).sent.count == 1, router)
    }

    /// RFC 4862 §5.4 and RFC 3810 §5.2.13: a host without an address, and one that says what it listens to.
    @Test(arguments: 0..<2) func `the link's own affairs stay background`(number: Int) throws {
        for source in ["::", "fe80::1"] {
            for link in [Link.client, .world] {
                var test = try RouterUnderTest(Self.networks[number].configuration)
                let report = Datagram.ipv6(from: IPv6Address(source)!, to: IPv6Address("ff02::16")!)
                #expect(test.receive(report, from: link).drops == [.illegalDestination])
            }
            var test = try RouterUnderTest(Self.networks[number].configuration)
            let elsewhere = Datagram.ipv6(from: IPv6Address(source)!, to: Place.synthesised)
            let reason: DropReason = number == 0 ? .illegalSource : .noRoute
            #expect(test.receive(elsewhere, from: .client).drops == [reason])
        }
    }

    @Test func `where there is no IPv4, an IPv4 packet has no route`() throws {
        for text in Self.strangers4 {
            var test = try RouterUnderTest(Place.nat64())
            #expect(test.receive(Datagram.ipv4(from: IPv4Address(text)!), from: .client).drops == [.noRoute])
        }
    }

    @Test func `a translator by itself knows no clients`() throws {
        var configuration = Place.nat64()
        configuration.forwarding = nil
        var test = try RouterUnderTest(configuration)
        let stranger = Datagram.ipv6(from: IPv6Address("2600::1")!, to: Place.synthesised)
        #expect(test.receive(stranger, from: .client).sent.count == 1)
        let inside = Datagram.ipv6(from: Place.synthesised, to: Place.synthesised)
        #expect(test.receive(inside, from: .client).drops == [.sourceInsidePref64], "RFC 6146 §3.5")
    }
}
