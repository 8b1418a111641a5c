// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Translation
import Wire

@testable import Router

@Suite struct AllowedDestinationsTests {
    private func destinations(allow: [String] = [], own: [String] = [], hasIPv6: Bool = false) -> AllowedDestinations {
        AllowedDestinations(
            exceptions: allow.map { IPv4Prefix($0)! }, own: Set(own.map { IPAddress($0)! }), hasIPv6: hasIPv6)
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.17.0.1", "192.168.1.1", "192.0.2.1",
        "224.0.0.1", "255.255.255.255",
    ])
    func `refuses what is not public`(address: String) {
        #expect(!destinations().contains(IPv4Address(address)!))
    }

    @Test func `comes across to another process`() throws {
        for original in [
            .none, destinations(allow: ["10.1.2.0/24", "10.1.4.7"], own: ["192.0.2.1", "2600::1"], hasIPv6: true),
            AllowedDestinations(clientLinks: [IPv6Prefix("2600:1:2:3::/64")!]),
        ] {
            let text = try JSONEncoder().encode(original)
            #expect(try JSONDecoder().decode(AllowedDestinations.self, from: text) == original)
        }
        #expect(throws: DecodingError.self) {
            let text = #"{"exceptions":["10.1.2.3/8"],"own":[],"hasIPv6":false}"#
            return try JSONDecoder().decode(AllowedDestinations.self, from: Data(text.utf8))
        }
    }

    @Test func `reaches public addresses`() {
        #expect(destinations().contains(IPv4Address("8.8.4.4")!))
        #expect(destinations().contains(IPv4Address("192.0.0.9")!))
    }

    @Test func `reaches exceptions and nothing beside them`() {
        let destinations = destinations(allow: ["10.1.2.0/24", "10.1.4.7/32", "10.1.3.0/24"])
        for (address, isAllowed) in [
            ("10.1.1.255", false), ("10.1.2.0", true), ("10.1.2.255", true), ("10.1.3.255", true), ("10.1.4.0", false),
            ("10.1.4.6", false), ("10.1.4.7", true), ("10.1.4.8", false),
        ] {
            #expect(destinations.contains(IPv4Address(address)!) == isAllowed, "\(address)")
        }
    }

    @Test func `never reaches the host's own addresses not even by an exception`() {
        let destinations = destinations(allow: ["10.1.2.0/24"], own: ["10.1.2.3", "8.8.8.8", "2600::1"], hasIPv6: true)
        #expect(!destinations.contains(IPv4Address("10.1.2.3")!))
        #expect(!destinations.contains(IPv4Address("8.8.8.8")!))
        #expect(!destinations.contains(IPv6Address("2600::1")!))
        #expect(destinations.contains(IPv4Address("10.1.2.4")!))
        #expect(destinations.contains(IPv6Address("2600::2")!))
    }

    @Test(arguments: [
        "0.0.0.0/0", "0.0.0.0/8", "127.0.0.0/8", "127.1.2.3/32", "96.0.0.0/3", "224.0.0.0/4", "128.0.0.0/1",
        "169.254.0.0/16", "169.254.169.254/32", "168.0.0.0/6",
    ])
    func `some addresses can never be allowed`(prefix: String) {
        #expect(AllowedDestinations.objection(to: IPv4Prefix(prefix)!) != nil)
        let destinations = destinations(allow: [prefix])
        #expect(!destinations.contains(IPv4Address("169.254.169.254")!))
        #expect(!destinations.contains(IPv4Address("127.0.0.1")!))
        #expect(!destinations.contains(IPv4Address("224.0.0.1")!))
    }

    /// By a prefix that holds it, since the address alone cannot be allowed.
    @Test(arguments: [
        ("168.63.129.16", "168.63.128.0/17"), ("100.100.100.200", "100.64.0.0/10"), ("192.0.0.192", "192.0.0.0/24"),
    ])
    func `what a cloud tells its machines is refused whatever is allowed`(address: String, prefix: String) {
        let address = IPv4Address(address)!
        #expect(!destinations().contains(address))
        let destinations = destinations(allow: [prefix])
        #expect(!destinations.contains(address))
        #expect(destinations.contains(IPv4Address(bits: address.bits + 1)))
        #expect(destinations.contains(IPv4Address(bits: address.bits - 1)))
    }

    @Test func `the relays of 6to4 are reached only if they are allowed`() {
        let relay = IPv4Address(192, 88, 99, 1)
        #expect(!destinations().contains(relay))
        #expect(destinations(allow: ["192.88.99.1/32"]).contains(relay))
        #expect(destinations().contains(IPv4Address(192, 88, 98, 255)))
        #expect(destinations().contains(IPv4Address(192, 88, 100, 0)))
    }

    @Test func `every row of what is reserved has its source and is refused`() {
        for row in ReservedDestination<IPv4Prefix>.all {
            #expect(!destinations().contains(row.prefix.address), "\(row.use)")
            #expect(!row.source.isEmpty && row.date.count == 7)
        }
        for row in ReservedDestination<IPv6Prefix>.all {
            #expect(!destinations(hasIPv6: true).contains(row.prefix.address), "\(row.use)")
            #expect(!row.source.isEmpty && row.date.count == 7)
        }
    }

    @Test func `IPv6 is reached only where the host has it`() {
        let address = IPv6Address("2600::1")!
        #expect(!destinations().contains(address))
        #expect(destinations(hasIPv6: true).contains(address))
    }

    @Test func `another client is never reached`() {
        let link = AllowedDestinations(hasIPv6: true, clientLinks: [IPv6Prefix("2600:1:2:3::/64")!])
        #expect(!link.contains(IPv6Address("2600:1:2:3::1:100")!) && link.contains(IPv6Address("2600:1:2:4::1")!))
    }

    @Test(arguments: [
        "::1", "fe80::1", "fd00::1", "ff02::1", "2e00:2:0:1::1", "2001:db8::1", "2002:a00:1::", "64:ff9b::1",
    ])
    func `IPv6 that is not public is refused`(address: String) {
        #expect(!destinations(hasIPv6: true).contains(IPv6Address(address)!))
    }

    /// The slow twin of `specialIPv4`: both sides of every border, and of every place where one could be.
    @Test func `prefixes for nftables say what the function says`() {
        let prefixes = AllowedDestinations.specialIPv4
        var borders: Set<UInt32> = [0, ~0]
        for prefix in prefixes {
            let last = prefix.address.bits | (prefix.length == 32 ? 0 : ~0 >> UInt32(prefix.length))
            borders.formUnion([prefix.address.bits, prefix.address.bits &- 1, last, last &+ 1])
        }
        for high in UInt32(0)...0xffff { borders.formUnion([high << 16, high << 16 | 0xffff]) }
        for low in UInt32(0)...0xffff { borders.insert(0xc000_0000 | low) }
        for bits in borders {
            let address = IPv4Address(bits: bits)
            let isSpecial = prefixes.contains { $0.contains(address) }
            #expect(isSpecial == !address.isGlobal, "\(address)")
        }
    }

    @Test func `ranges answer as a look at every prefix does`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let prefixes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                IPv4Prefix(
                    IPv4Address(bits: .random(in: 0...0xff, using: &random) << 24 | 0x0080_0000),
                    length: .random(in: 0...32, using: &random))!
            }
            let ranges = AddressRanges(prefixes)
            for (one, next) in zip(ranges.ranges, ranges.ranges.dropFirst()) {
                #expect(UInt64(one.upperBound) + 1 < next.lowerBound)
            }
            for prefix in prefixes {
                for bits in [prefix.address.bits, prefix.address.bits &- 1, prefix.address.bits &+ 1, 0, ~0] {
                    let address = IPv4Address(bits: bits)
                    #expect(ranges.contains(address) == prefixes.contains { $0.contains(address) })
                }
            }
        }
    }
}
