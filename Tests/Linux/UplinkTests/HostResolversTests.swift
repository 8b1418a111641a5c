// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Uplink

@Suite struct HostResolversTests {
    private func parse(_ text: String) -> [String] { HostResolvers.parse(Array(text.utf8)).map { "\($0)" } }

    @Test func `reads servers in their order`() {
        let text = """
            # made by somebody
            ; so is this
            search example.com
            nameserver 127.0.0.53
            nameserver\t2001:db8::53
            options edns0 trust-ad
            nameserver 10.0.0.1   # the router

            """
        #expect(parse(text) == ["127.0.0.53", "2001:db8::53", "10.0.0.1"])
    }

    @Test func `as many as the C library asks`() {
        #expect(parse((1...9).map { "nameserver 10.0.0.\($0)\n" }.joined()) == ["10.0.0.1", "10.0.0.2", "10.0.0.3"])
    }

    @Test func `without any the host itself is asked`() {
        #expect(parse("") == ["127.0.0.1"])
        #expect(parse("search example.com\n") == ["127.0.0.1"])
    }

    @Test func `what is no server is passed over`() {
        let text = """
            nameserver
            nameserver fe80::1%eth0
            nameserver 10.0.0
            nameservers 10.0.0.3
            Nameserver 10.0.0.4
             nameserver 10.0.0.5
            nameserver \(String(repeating: "1", count: 100_000))
            """
        #expect(parse(text) == ["127.0.0.1"])
    }

    @Test func `any octets at all end well`() {
        var random = SystemRandomNumberGenerator()
        for length in 0..<300 {
            let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let servers = HostResolvers.parse(Array("nameserver 10.0.0.1\nnameserver ".utf8) + noise)
            #expect(servers.first == .ipv4(IPv4Address(10, 0, 0, 1)))
            #expect(servers.count <= HostResolvers.maximum)
        }
    }

    @Test func `from behind pasta loopback is reached by another address`() throws {
        let host = ["127.0.0.53", "::1", "10.0.0.1", "127.0.0.1"].map { IPAddress($0)! }
        #expect(try Pasta.resolvers(for: host) == [.ipv4(Pasta.resolver), .ipv4(IPv4Address(10, 0, 0, 1))])
        #expect(throws: UplinkError.resolvers) { try Pasta.resolvers(for: [.ipv6(.loopback)]) }
    }
}
