// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// A network of the catalogue: the addresses and services that a client finds on it.
package struct NetworkEntry: Hashable, Sendable {
    /// Its purpose, in a few words.
    package let purpose: String
    /// The client's address as the world sees it, in the first place (`ClientSlot`) of the standard link; `nil`: no address and no route
    /// of that family, except for those of a CLAT.
    ///
    /// Every network has its own addresses, so that a late packet to a client of one network never reaches the client of another one, and
    /// so that the DNS64 can distinguish them.
    package let ipv6: IPv6Address?
    package let ipv4: IPv4Address?
    /// Whether there is a NAT64.
    package let hasNAT64: Bool
    /// The names for which the resolver synthesises AAAA records.
    package let synthesis: Synthesis
    /// The source of the client's IPv4 packets behind its CLAT (RFC 6877), in the first place; `nil`: there is no CLAT.
    let clatSource: IPv6Address?
    /// Whether the loopback interface has 127.0.0.0/8.
    package let hasIPv4Loopback: Bool

    package enum Synthesis: Hashable, Sendable {
        case none
        /// ipv4only.arpa, by which clients discover the prefix (RFC 7050) to synthesise addresses themselves.
        case discovery
        /// All names that need it: a DNS64.
        case all
    }

    /// - Parameter synthesis: `.none` also means that there is no NAT64.
    init(
        purpose: String, ipv6: IPv6Address?, ipv4: IPv4Address? = nil, synthesis: Synthesis = .none,
        clatSource: IPv6Address? = nil, hasIPv4Loopback: Bool = true
    ) {
        self.purpose = purpose
        self.ipv6 = ipv6
        self.ipv4 = ipv4
        hasNAT64 = synthesis != .none
        self.synthesis = synthesis
        self.clatSource = clatSource
        self.hasIPv4Loopback = hasIPv4Loopback
    }

    /// Whether IPv4 leaves as IPv6, through a CLAT (464XLAT).
    package var hasCLAT: Bool { clatSource != nil }

    /// The DNS servers in the order of resolv.conf. A client that only supports IPv4 resolvers finds one if the network has IPv4; it comes
    /// first there, as with a home router.
    package func resolvers(on link: ClientLink) -> [IPAddress] {
        (ipv4 == nil ? [] : [.ipv4(link.ipv4Router)]) + (ipv6 == nil ? [] : [.ipv6(link.router)])
    }

    /// The network's parts and those that it lacks, for a report: `IPv6 only, no DNS64, no NAT64`.
    package var contents: String {
        let families =
            switch (ipv6, ipv4) {
            case (_?, nil) where hasCLAT: "IPv6, and IPv4 through a CLAT"
            case (_?, nil): "IPv6 only"
            case (nil, _?): "IPv4 only"
            default: "IPv4 and IPv6"
            }
        var parts = [families]
        switch synthesis {
        case .all: parts.append("DNS64 and NAT64")
        case .discovery: parts.append("NAT64 and no DNS64")
        case .none where ipv4 == nil: parts.append("no DNS64 and no NAT64")
        case .none: break
        }
        if !hasIPv4Loopback { parts.append("no 127.0.0.0/8") }
        return parts.joined(separator: ", ")
    }
}

extension Network {
    package var entry: NetworkEntry {
        switch self {
        case .nat64:
            NetworkEntry(
                purpose: "what works without IPv4, as on servers, in containers and on older phones",
                ipv6: NetworkPlan.client, synthesis: .all)
        case .nat64NoDNS64:
            NetworkEntry(
                purpose: "clients that find the prefix and synthesise for themselves (RFC 7050, RFC 8781)",
                ipv6: NetworkPlan.noDNS64Client, synthesis: .discovery)
        case .nat64CLAT:
            NetworkEntry(
                purpose: "what works where a CLAT translates IPv4 (464XLAT), as on current phones",
                ipv6: NetworkPlan.clatClient, synthesis: .all, clatSource: NetworkPlan.clatSource)
        case .strict:
            NetworkEntry(
                purpose: "what works without any IPv4 in the network, translated or not",
                ipv6: NetworkPlan.strictClient)
        case .strictNoLoopback4:
            NetworkEntry(
                purpose: "what needs IPv4 within the machine",
                ipv6: NetworkPlan.strictNoLoopback4Client, hasIPv4Loopback: false)
        case .ipv4Only:
            NetworkEntry(
                purpose: "whether work on IPv6 has broken IPv4",
                ipv6: nil, ipv4: NetworkPlan.ipv4OnlyClient)
        case .dualStack:
            NetworkEntry(
                purpose: "the control run",
                ipv6: NetworkPlan.dualStackClient, ipv4: NetworkPlan.ipv4Client)
        }
    }
}
