// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// A network of the catalogue: what a client finds on it.
package struct NetworkEntry: Hashable, Sendable {
    /// What it is for, in a few words.
    package let purpose: String
    /// The client's, in the first place (`ClientSlot`) of the standard link, as the world knows it; `nil`: no address and no route of that family, but
    /// for what a CLAT gives.
    ///
    /// Every network has its own, so that nothing which is still on its way to a client of one reaches that of another, and
    /// that the DNS64 tells them apart.
    package let ipv6: IPv6Address?
    package let ipv4: IPv4Address?
    /// Whether there is a NAT64.
    package let hasNAT64: Bool
    /// Which names the resolver synthesises AAAA records for.
    package let synthesis: Synthesis
    /// The source that the client's IPv4 packets have behind its CLAT (RFC 6877), in the first place; `nil`: there is none.
    let clatSource: IPv6Address?
    /// Whether the loopback interface has 127.0.0.0/8.
    package let hasIPv4Loopback: Bool

    package enum Synthesis: Hashable, Sendable {
        case none
        /// ipv4only.arpa, by which clients discover the prefix (RFC 7050) and synthesise for themselves.
        case discovery
        /// All that need it: a DNS64.
        case all
    }

    /// - Parameter synthesis: `.none`: without a NAT64 as well.
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

    /// The DNS servers in the order of resolv.conf. Clients that know IPv4 resolvers only find theirs where there is IPv4; it
    /// comes first there, as a home router's does.
    package func resolvers(on link: ClientLink) -> [IPAddress] {
        (ipv4 == nil ? [] : [.ipv4(link.ipv4Router)]) + (ipv6 == nil ? [] : [.ipv6(link.router)])
    }

    /// What there is and what is missing, as a report says it: `IPv6 only, no DNS64, no NAT64`.
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
