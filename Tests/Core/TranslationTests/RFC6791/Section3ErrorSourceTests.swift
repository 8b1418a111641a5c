// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

/// RFC 6791: ICMPv6 errors from routers without an IPv4 address.
@Suite struct RFC6791Section3Tests {
    static let router = IPv6Address("2001:db8:9::1")!
    static let pool = [IPv4Address(9, 9, 9, 1), IPv4Address(9, 9, 9, 2), IPv4Address(9, 9, 9, 3)]

    static func error(from source: IPv6Address) -> [UInt8] {
        let got = IPv6Datagram(source: StatelessTranslatorTests.server6, destination: StatelessTranslatorTests.host6)
        return IPv6Datagram(source: source, destination: StatelessTranslatorTests.server6)
            .packet(58, icmp(3, 0, got.packet(17, udp(1, 2, []))))
    }

    @Test func `the source is one of the pool`() throws {
        guard
            case .packet(let packet) = try StatelessTranslatorTests.translate(
                Self.error(from: Self.router), errorSources: ErrorSources(ipv4Pool: Self.pool))
        else {
            Issue.record("dropped")
            return
        }
        let layout = try IPv4Layout(packet.span)
        #expect(Self.pool.contains(layout.source))
        #expect(layout.destination == StatelessTranslatorTests.server4)
    }

    @Test func `a router with a counterpart keeps it`() throws {
        guard
            case .packet(let packet) = try StatelessTranslatorTests.translate(
                Self.error(from: IPv6Address("2001:db8:3::1")!), errorSources: ErrorSources(ipv4Pool: Self.pool))
        else {
            Issue.record("dropped")
            return
        }
        #expect(try IPv4Layout(packet.span).source == IPv4Address(1, 0, 0, 1))
    }

    @Test func `without a pool the translator's own address is the source`() throws {
        let own = IPv4Address(9, 9, 8, 1)
        guard
            case .packet(let packet) = try StatelessTranslatorTests.translate(
                Self.error(from: Self.router), errorSources: ErrorSources(ipv4: own))
        else {
            Issue.record("dropped")
            return
        }
        #expect(try IPv4Layout(packet.span).source == own)
    }

    @Test func `without any address the error is dropped`() throws {
        #expect(try StatelessTranslatorTests.translate(Self.error(from: Self.router)) == .dropped(.noAddressMapping))
    }

    // MARK: The other direction

    /// An ICMPv4 error from `router` about a packet to the server.
    static func error4(from router: IPv4Address) -> [UInt8] {
        let sent = IPv4Datagram(source: StatelessTranslatorTests.host4, destination: StatelessTranslatorTests.server4)
        return IPv4Datagram(source: router, destination: StatelessTranslatorTests.host4)
            .packet(1, icmp(11, 0, sent.packet(17, udp(1, 2, []))))
    }

    static func source6(of router: IPv4Address, _ sources: ErrorSources) throws -> IPv6Address? {
        guard
            case .packet(let packet) = try StatelessTranslatorTests.translate(
                error4(from: router), errorSources: sources)
        else { return nil }
        return try IPv6Layout(packet.span).source
    }

    static let own6 = IPv6Address("2001:db8:ffff::1")!

    @Test(arguments: [
        // RFC 1918, RFC 6598: the well-known prefix must not carry them (RFC 6052 §3.1).
        (IPv4Address(10, 1, 2, 3), own6), (IPv4Address(100, 64, 0, 1), own6),
        // Link-local: no further (RFC 3927 §7).
        (IPv4Address(169, 254, 0, 1), own6),
        (IPv4Address(8, 8, 4, 4), IPv6Address("64:ff9b::808:404")!),
        (IPv4Address(1, 0, 0, 77), IPv6Address("2001:db8:3::4d")!),
    ])
    func `An IPv4 router that the prefix must not carry borrows the translator's address`(
        router: IPv4Address, expected: IPv6Address
    ) throws {
        #expect(try Self.source6(of: router, ErrorSources(ipv6: Self.own6)) == expected)
    }

    @Test(arguments: [
        ("2001:db8:6791::/96", "2001:db8:6791::a01:203"), ("2001:db8:6791::/112", "2001:db8:6791::203"),
        ("2001:db8:6791::5/128", "2001:db8:6791::5"),
    ])
    func `A prefix for borrowed addresses tells IPv4 routers apart`(prefix: String, expected: String) throws {
        let sources = ErrorSources(ipv6Prefix: IPv6Prefix(prefix)!, ipv6: Self.own6)
        #expect(try Self.source6(of: IPv4Address(10, 1, 2, 3), sources) == IPv6Address(expected))
    }
}
