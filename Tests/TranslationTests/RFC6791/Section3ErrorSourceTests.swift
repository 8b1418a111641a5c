import Testing
import Translation
import Wire

/// RFC 6791: ICMPv6 errors from routers without an IPv4 address.
@Suite struct RFC6791Section3Tests {
    static let router = IPv6Address("2001:db8:9::1")!
    static let pool = [IPv4Address(9, 9, 9, 1), IPv4Address(9, 9, 9, 2), IPv4Address(9, 9, 9, 3)]

    static func error(from source: IPv6Address) -> [UInt8] {
        let got = IPv6Test(source: StatelessTranslatorTests.server6, destination: StatelessTranslatorTests.host6)
        return IPv6Test(source: source, destination: StatelessTranslatorTests.server6)
            .packet(58, icmp(3, 0, got.packet(17, udp(1, 2, []))))
    }

    @Test func theSourceIsOneOfThePool() throws {
        guard
            case .packet(let packet) = try StatelessTranslatorTests.translate(
                Self.error(from: Self.router), errorSources: Self.pool)
        else {
            Issue.record("dropped")
            return
        }
        let layout = try IPv4Layout(packet.span)
        #expect(Self.pool.contains(layout.source))
        #expect(layout.destination == StatelessTranslatorTests.server4)
    }

    @Test func aRouterWithACounterpartKeepsIt() throws {
        guard
            case .packet(let packet) = try StatelessTranslatorTests.translate(
                Self.error(from: IPv6Address("2001:db8:3::1")!), errorSources: Self.pool)
        else {
            Issue.record("dropped")
            return
        }
        #expect(try IPv4Layout(packet.span).source == IPv4Address(1, 0, 0, 1))
    }

    @Test func withoutAPoolTheErrorIsDropped() throws {
        #expect(try StatelessTranslatorTests.translate(Self.error(from: Self.router)) == .dropped(.noAddressMapping))
    }
}
