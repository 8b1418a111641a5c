// SPDX-License-Identifier: Apache-2.0
import NAT64
import Testing
import Translation
import Wire

@testable import Router

/// The router as the origin of ICMP errors: one, whichever stage has something to say.
@Suite struct ICMPOriginTests {
    /// The three kinds of routers, and a packet that each refuses in a stage of its own.
    private static let cases: [(name: String, configuration: RouterConfiguration, packet: [UInt8], link: Link)] = [
        ("forwarding", Place.plain(), Datagram.ipv6(hopLimit: 1).contents, .client),
        ("NAT64", Place.nat64(), Datagram.ipv6(to: Place.synthesised, hopLimit: 1).contents, .client),
        ("route", Place.nat64(), Datagram.ipv6(to: IPv6Address("2600::1")!).contents, .client),
        ("stateless", stateless(Place.errors), Datagram.ipv6(to: Place.synthesised, hopLimit: 1).contents, .client),
    ]

    private static func stateless(_ errors: ErrorPolicy) -> RouterConfiguration {
        let prefix = Pref64.wellKnown
        let addresses = StatelessAddresses(
            mappings: try! ExplicitAddressMappingTable([
                ExplicitAddressMapping(IPv4Prefix("192.0.2.100/32")!, IPv6Prefix("2e00:2:0:1::c0:100/128")!)!
            ]), prefix: prefix, exemptIPv4: [IPv4Prefix("198.51.100.0/24")!], errorSources: errors.borrowedSources)
        return RouterConfiguration(.stateless(addresses, TranslationOptions()), errors: errors)
    }

    private static func limited(_ configuration: RouterConfiguration, _ errors: ErrorPolicy) -> RouterConfiguration {
        var configuration = configuration
        configuration.errors = errors
        switch configuration.translation {
        case .stateful(var nat64):
            nat64.errors = errors
            configuration.translation = .stateful(nat64)
        case .none, .stateless: break
        }
        return configuration
    }

    @Test(arguments: 0..<4) func `each stage's error comes from the router's own address`(number: Int) throws {
        let one = Self.cases[number]
        var test = try RouterUnderTest(one.configuration)
        let outcome = test.receive(PacketBuffer(one.packet), from: one.link)
        #expect(outcome.drops.count == 1, "\(one.name)")
        let answer = try #require(outcome.sent.first, "\(one.name)")
        let layout = try IPv6Layout(answer.octets.span)
        #expect(answer.link == one.link && layout.source == Place.router6 && layout.destination == Place.client6)
        #expect(layout.transport.kind == .icmpError)
        // As much as there is of the packet stands in it.
        #expect(answer.octets.count == 48 + one.packet.count)
    }

    @Test(arguments: 0..<4) func `no stage sends more than the limit`(number: Int) throws {
        let one = Self.cases[number]
        var errors = Place.errors
        errors.perSecond = 2
        errors.burst = 3
        var test = try RouterUnderTest(Self.limited(one.configuration, errors))
        var sent = 0
        for _ in 0..<10 { sent += test.receive(PacketBuffer(one.packet), from: one.link).sent.count }
        #expect(sent == 3, "\(one.name)")
        test.now = test.now + .seconds(1)
        for _ in 0..<10 { sent += test.receive(PacketBuffer(one.packet), from: one.link).sent.count }
        #expect(sent == 5, "\(one.name)")
    }

    @Test func `the stages of one router share its limit`() throws {
        var errors = Place.errors
        errors.burst = 4
        errors.perSecond = 1
        var test = try RouterUnderTest(Self.limited(Place.nat64(), errors))
        var sent = 0
        for _ in 0..<4 {
            sent += test.receive(Datagram.ipv6(to: Place.synthesised, hopLimit: 1), from: .client).sent.count
            sent += test.receive(Datagram.ipv6(to: IPv6Address("2600::1")!), from: .client).sent.count
        }
        #expect(sent == 4)
    }

    @Test func `there is no error about an error`() throws {
        var test = try RouterUnderTest(Place.plain())
        let error = test.receive(Datagram.ipv6(hopLimit: 1), from: .client).sent[0].octets
        // The error is sent back to an address that is not reachable.
        var packet = PacketBuffer(error)
        var bytes = packet.mutableBytes
        bytes.setAddress(Place.client6, at: IPv6Header.source)
        bytes.setAddress(IPv6Address("2600::1")!, at: IPv6Header.destination)
        let outcome = test.receive(packet, from: .client)
        #expect(outcome.drops == [.noRoute] && outcome.sent.isEmpty)
    }
}
