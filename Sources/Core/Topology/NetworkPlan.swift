// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The addresses that the simulator assigns. They are the same in every run, so that outputs can be compared.
///
/// Those of the client's link are on the standard one; `ClientLink` maps them to others. They are not unique local addresses: RFC 6724 §2.1
/// ranks those below IPv4, and a client with both would behave differently.
package enum NetworkPlan {
    /// The client's link by default.
    package static let clientLink = IPv6Prefix(IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0), length: 64)!
    /// The router of the client's link, which is also the DNS64.
    package static let router = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 1)
    /// The router's link-local address, the source of its advertisements.
    package static let linkLocalRouter = IPv6Address(0xfe80, 0, 0, 0, 0, 0, 0, 1)
    /// The client of a scenario that does not specify one.
    package static let scenarioClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 2)
    /// The client of a network with NAT64, in the first place (`ClientSlot`). Its text does not fit where a text for IPv4 alone does
    /// (INET_ADDRSTRLEN), as with addresses of real networks.
    package static let client = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0xc0, 0x100)
    /// The clients of the other networks, likewise.
    package static let dualStackClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0xc0, 0x200)
    package static let strictClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0xc0, 0x300)
    package static let strictNoLoopback4Client = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0xc0, 0x400)
    static let clatClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0xc0, 0x500)
    static let noDNS64Client = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0xc0, 0x600)
    /// The IPv6 address into which a CLAT translates its client's IPv4 address: on the client's link, but of no interface (RFC 6877 §6.3).
    static let clatSource = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x464)

    /// The IPv4 side of a CLAT: it leads nowhere else, and is the same for every client (RFC 7335).
    package static let clatLink = IPv4Prefix(IPv4Address(192, 0, 0, 0), length: 29)!
    /// The client of a CLAT.
    package static let clatIPv4Client = IPv4Address(192, 0, 0, 1)
    /// The CLAT's own address: the client's gateway, and the source of ICMP errors that have no other one.
    package static let clatIPv4Router = IPv4Address(192, 0, 0, 2)

    /// The IPv4 side of the NAT64 and, if the client has IPv4, of the client.
    package static let ipv4Link = IPv4Prefix(IPv4Address(192, 0, 2, 0), length: 24)!
    /// The IPv4 sides of further simulators on a host's network, a /24 each: for benchmarks (RFC 2544), so neither the Internet nor a site
    /// routes them.
    package static let furtherIPv4Links = IPv4Prefix(IPv4Address(198, 19, 0, 0), length: 16)!
    /// The prefixes of devices, a /56 for each simulator on a host's network.
    package static let deviceNetworks = IPv6Prefix(IPv6Address(0x2e00, 2, 1, 0, 0, 0, 0, 0), length: 48)!
    /// The router's IPv4 address: the gateway of a client with IPv4, and the source of the NAT64's own ICMP errors.
    package static let ipv4Router = IPv4Address(192, 0, 2, 1)
    /// The NAT64's address for the client of the first place.
    package static let poolAddress = IPv4Address(192, 0, 2, 64)
    /// The client's own IPv4 address on a dual-stack network, in the first place.
    package static let ipv4Client = IPv4Address(192, 0, 2, 100)
    /// Likewise on a network with IPv4 only.
    package static let ipv4OnlyClient = IPv4Address(192, 0, 2, 160)

    /// The recommended networks for a world's hosts: they never clash with those of a real network. The IPv4 ones are for documentation
    /// (RFC 5737), and the well-known prefix may carry them only because the world is simulated.
    package static let hostNetworksIPv4 = [
        IPv4Prefix(IPv4Address(198, 51, 100, 0), length: 24)!, IPv4Prefix(IPv4Address(203, 0, 113, 0), length: 24)!,
    ]
    package static let hostNetworkIPv6 = IPv6Prefix(IPv6Address(0x2e00, 2, 0, 0xcafe, 0, 0, 0, 0), length: 64)!
}
