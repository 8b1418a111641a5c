package import Evidence
package import Wire

// What a runner and a daemon say to each other, one JSON text a message:
//
//     runner                                   daemon
//     hello  ──────────────────────────────►
//            ◄──────────────────────────────   place, busy or refused
//     capture (with a file, if wanted) ─────►
//     attach (with a TUN) ──────────────────►
//            ◄──────────────────────────────   attached or refused
//         … the client runs …
//     detach ───────────────────────────────►
//            ◄──────────────────────────────   evidence (with a file that holds it)
//
// Whoever hangs up ends the attachment; nothing of it is left then.

/// What a runner says.
package enum AttachRequest: Codable, Hashable, Sendable {
    /// Asks for a place on a network; `client` is the client's name, for the daemon's log.
    case hello(version: Int, network: Network, client: String)
    /// Comes with a regular file that is open for writing: every packet of both sides is to be written there (pcap).
    case capture
    /// Comes with a TUN, the other end of which is the client's link.
    case attach
    /// Asks for the evidence, and ends the attachment.
    case detach

    /// Of this protocol. Another one is refused, so that both sides are of the same release or of releases that agree.
    package static let version = 2
}

/// What a daemon says.
package enum AttachReply: Codable, Hashable, Sendable {
    case place(place: AttachPlace)
    /// All places are taken; one may be free a moment later.
    case busy(places: Int)
    /// The reason is a sentence's part that says what would be right.
    case refused(reason: String)
    case attached
    /// Comes with a file that holds a `NetworkEvidence`.
    case evidence
}

/// Where a client is to live, and what it needs to know there.
package struct AttachPlace: Codable, Hashable, Sendable {
    /// The number by which the daemon calls this client.
    package var client: UInt64
    package var links: LinkConditions
    package var ipv6: IPv6Address
    package var ipv6PrefixLength: Int
    package var ipv6Gateway: IPv6Address
    /// Nil on an IPv6-only network.
    package var ipv4: IPv4Side?
    /// The DNS64.
    package var resolver: IPv6Address
    /// The same server over IPv4; nil on an IPv6-only network, and of a daemon of an earlier release.
    package var ipv4Resolver: IPv4Address?
    /// The Pref64s in presentation format; none on a network without NAT64.
    package var prefixes: [String]
    /// The test CA's certificate (PEM); nil where the far side is the real network.
    package var authority: String?

    package struct IPv4Side: Codable, Hashable, Sendable {
        package var address: IPv4Address
        package var prefixLength: Int
        package var gateway: IPv4Address

        package init(address: IPv4Address, prefixLength: Int, gateway: IPv4Address) {
            self.address = address
            self.prefixLength = prefixLength
            self.gateway = gateway
        }
    }

    package init(
        client: UInt64, links: LinkConditions, ipv6: IPv6Address, ipv6PrefixLength: Int, ipv6Gateway: IPv6Address,
        ipv4: IPv4Side?,
        resolver: IPv6Address, ipv4Resolver: IPv4Address?, prefixes: [String], authority: String?
    ) {
        self.client = client
        self.links = links
        self.ipv6 = ipv6
        self.ipv6PrefixLength = ipv6PrefixLength
        self.ipv6Gateway = ipv6Gateway
        self.ipv4 = ipv4
        self.resolver = resolver
        self.ipv4Resolver = ipv4Resolver
        self.prefixes = prefixes
        self.authority = authority
    }
}
