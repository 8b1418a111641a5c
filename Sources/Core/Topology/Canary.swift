// SPDX-License-Identifier: Apache-2.0
package import Translation
package import Wire

/// A private destination in a world of canaries, which a guard against server-side request forgery has to block.
package enum Canary: String, CaseIterable, Codable, Sendable {
    /// The metadata address of most clouds (169.254.169.254), and that of AWS over IPv6.
    case metadata
    case metadata6
    /// The client's own machine.
    case loopback
    case loopback6
    /// A host of 10.0.0.0/8, one of 172.16.0.0/12, and the router of a home, of 192.168.0.0/16 (RFC 1918).
    case net10
    case net172
    case router
    /// A host behind a carrier's NAT (RFC 6598), and one of a unique local prefix (RFC 4193).
    case shared
    case ula

    package var address: IPAddress {
        switch self {
        case .metadata: .ipv4(IPv4Address(169, 254, 169, 254))
        case .metadata6: .ipv6(IPv6Address(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254))
        case .loopback: .ipv4(IPv4Address(127, 0, 0, 1))
        case .loopback6: .ipv6(.loopback)
        case .net10: .ipv4(IPv4Address(10, 20, 30, 40))
        case .net172: .ipv4(IPv4Address(172, 16, 5, 6))
        case .router: .ipv4(IPv4Address(192, 168, 0, 1))
        case .shared: .ipv4(IPv4Address(100, 64, 0, 7))
        case .ula: .ipv6(IPv6Address(0xfd12, 0x3456, 0x789a, 0, 0, 0, 0, 7))
        }
    }

    /// With its article, for use in sentences.
    package var description: String {
        switch self {
        case .metadata, .metadata6: "the metadata service of a cloud"
        case .loopback, .loopback6: "a server on its own machine"
        case .net10, .net172: "a private host"
        case .router: "the router of a private network"
        case .shared: "a host behind a carrier's NAT"
        case .ula: "a host with a unique local address"
        }
    }

    /// Whether it is a host of the world, and not the client's own machine.
    package var isInWorld: Bool { self != .loopback && self != .loopback6 }

    /// The name of its host, whose only address is `address`.
    package var name: String { "\(rawValue).\(Self.domain)" }

    /// Below `example.com`, whose top-level domain no software refuses (RFC 6761 §6.5).
    package static let domain = "canary.example.com"

    package init?(at address: IPAddress) {
        guard let canary = Self.allCases.first(where: { $0.address == address }) else { return nil }
        self = canary
    }
}

/// The public side of a world of canaries. Guards take documentation addresses for private ones, so these are of ranges that guards let
/// through; their owners receive nothing, as no packet leaves a hermetic world.
package enum CanaryPlan {
    package static let publicIPv4 = IPv4Address(223, 255, 254, 10)
    package static let publicIPv6 = IPv6Address(0x2e00, 2, 0, 0xcafe, 0, 0, 0, 0x10)
    package static let proxy: [IPAddress] = [
        .ipv4(IPv4Address(223, 255, 254, 31)), .ipv6(IPv6Address(0x2e00, 2, 0, 0xcafe, 0, 0, 0, 0x31)),
    ]
    package static let proxyPort: UInt16 = 3128
    /// The network's own prefixes, one of each length (RFC 6052 §2.2), and the public host that is reached through each.
    package static let prefixes: [(prefix: Pref64, host: IPv4Address)] = [32, 40, 48, 56, 64, 96].map { length in
        let digits = UInt16(length / 10 * 16 + length % 10)
        let address = IPv6Address(0x2e00, 0x6400 | digits, 0, 0, 0, 0, 0, 0)
        return (try! Pref64(IPv6Prefix(address, length: length)!), IPv4Address(223, 255, 254, UInt8(length)))
    }
}
