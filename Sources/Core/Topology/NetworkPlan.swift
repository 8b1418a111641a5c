// SPDX-License-Identifier: Apache-2.0
package import Wire

/// The addresses that are handed out. They are the same in every run, so that outputs can be compared.
///
/// Those of the client's link are on the standard one, of which `ClientLink` makes others. They are no unique local addresses:
/// RFC 6724 §2.1 ranks those below IPv4, and a client with both would behave differently.
package enum NetworkPlan {
    /// The client's link, if no other is asked for.
    package static let clientLink = IPv6Prefix(IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0), length: 64)!
    /// The router of the client's link, which is the DNS64 as well.
    package static let router = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 1)
    /// Its address on that link alone, from which it advertises itself.
    package static let linkLocalRouter = IPv6Address(0xfe80, 0, 0, 0, 0, 0, 0, 1)
    /// Who asks in a scenario that does not say.
    package static let scenarioClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 2)
    /// The client of a network with NAT64; that of the first place, if there are several (`ClientSlot`).
    package static let client = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x100)
    /// The clients of the other networks, likewise.
    package static let dualStackClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x200)
    package static let strictClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x300)
    package static let strictNoLoopback4Client = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x400)
    static let clatClient = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x500)
    static let noDNS64Client = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x600)
    /// What the IPv4 address of a CLAT's client is behind it: an address of the client's link that is no interface's (RFC 6877 §6.3).
    static let clatSource = IPv6Address(0x2e00, 2, 0, 1, 0, 0, 0, 0x464)

    /// The IPv4 side of a CLAT: it leads nowhere but there, and is the same for every client (RFC 7335).
    package static let clatLink = IPv4Prefix(IPv4Address(192, 0, 0, 0), length: 29)!
    /// The client of a CLAT.
    package static let clatIPv4Client = IPv4Address(192, 0, 0, 1)
    /// The CLAT's own address: the client's gateway, and the source of ICMP errors that have no other.
    package static let clatIPv4Router = IPv4Address(192, 0, 0, 2)

    /// The IPv4 side of the NAT64 and, where the client has one, of the client.
    package static let ipv4Link = IPv4Prefix(IPv4Address(192, 0, 2, 0), length: 24)!
    /// Of these are the IPv4 sides of simulators beside the first one on a host's network, a /24 each: for benchmarks (RFC 2544), so neither the
    /// Internet nor a site routes them.
    package static let furtherIPv4Links = IPv4Prefix(IPv4Address(198, 19, 0, 0), length: 16)!
    /// Of these are the prefixes of devices, a /56 for each simulator on a host's network.
    package static let deviceNetworks = IPv6Prefix(IPv6Address(0x2e00, 2, 1, 0, 0, 0, 0, 0), length: 48)!
    /// The router's IPv4 address: the gateway of a client with IPv4, and the source of the NAT64's own ICMP errors.
    package static let ipv4Router = IPv4Address(192, 0, 2, 1)
    /// The NAT64's address for the client of the first place.
    package static let poolAddress = IPv4Address(192, 0, 2, 64)
    /// The client's own IPv4 address on a dual-stack network, in the first place.
    package static let ipv4Client = IPv4Address(192, 0, 2, 100)
    /// Likewise on a network with IPv4 only.
    package static let ipv4OnlyClient = IPv4Address(192, 0, 2, 160)

    /// Where the hosts of a world best have their addresses: these never clash with those of a real network. The IPv4 ones are
    /// for documentation (RFC 5737), and the well-known prefix carries them for a world's sake alone.
    package static let hostNetworksIPv4 = [
        IPv4Prefix(IPv4Address(198, 51, 100, 0), length: 24)!, IPv4Prefix(IPv4Address(203, 0, 113, 0), length: 24)!,
    ]
    package static let hostNetworkIPv6 = IPv6Prefix(IPv6Address(0x2e00, 2, 0, 0xcafe, 0, 0, 0, 0), length: 64)!
}
