import Wire

/// Which addresses a host of a world can have: any that packets for it can be routed to, and that the simulator does not
/// need itself.
enum AddressRules {
    /// Why a host cannot have this address; `nil` if it can.
    static func objection(to address: IPAddress) -> String? {
        switch address {
        case .ipv4(let address): ipv4Rules.first { $0.network.contains(address) }?.reason
        case .ipv6(let address): ipv6Rules.first { $0.network.contains(address) }?.reason
        }
    }

    /// Addresses that never clash with those of the real network, to be named where an objection is raised.
    static let recommendation = "take one of 198.51.100.0/24, 203.0.113.0/24 or 2001:2:0:cafe::/64"

    private static let ipv4Rules: [(network: IPv4Prefix, reason: String)] = [
        (network(0, 0, 0, 0, length: 8), "means \"this network\" (RFC 1122 §3.2.1.3)"),
        (network(127, 0, 0, 0, length: 8), "is a loopback address"),
        (network(169, 254, 0, 0, length: 16), "is a link-local address"),
        (network(224, 0, 0, 0, length: 4), "is a multicast address"),
        (network(240, 0, 0, 0, length: 4), "is reserved (RFC 1112 §4)"),
        (network(192, 0, 2, 0, length: 24), "is the simulator's own (192.0.2.0/24)"),
    ]

    private static let ipv6Rules: [(network: IPv6Prefix, reason: String)] = [
        (network(.unspecified, length: 128), "is the unspecified address"),
        (network(.loopback, length: 128), "is the loopback address"),
        (network(IPv6Address(0xfe80, 0, 0, 0, 0, 0, 0, 0), length: 10), "is a link-local address"),
        (network(IPv6Address(0xff00, 0, 0, 0, 0, 0, 0, 0), length: 8), "is a multicast address"),
        (
            network(IPv6Address(0, 0, 0, 0, 0, 0xffff, 0, 0), length: 96),
            "is of both families, an IPv4-mapped address: write the IPv4 address"
        ),
        (
            network(IPv6Address(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), length: 96),
            "is the NAT64's, made from an IPv4 address: write the IPv4 address"
        ),
        (
            network(IPv6Address(0x2001, 2, 0, 0xaab1, 0, 0, 0, 0), length: 64),
            "is the simulator's own (2001:2:0:aab1::/64)"
        ),
    ]

    private static func network(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, length: Int) -> IPv4Prefix {
        IPv4Prefix(IPv4Address(a, b, c, d), length: length)!
    }

    private static func network(_ address: IPv6Address, length: Int) -> IPv6Prefix {
        IPv6Prefix(address, length: length)!
    }
}
