package import Evidence
package import Wire

/// A network of the catalogue: what a client finds on it.
package struct NetworkEntry: Hashable, Sendable {
    /// What it is for, in a few words.
    package let purpose: String
    /// The client's, in the first place (`ClientPlace`), as the world knows it; `nil`: no address and no route of that family, but
    /// for what a CLAT gives.
    ///
    /// Every network has its own, so that nothing which is still on its way to a client of one reaches that of another, and
    /// that the DNS64 tells them apart.
    package let ipv6: IPv6Address?
    package let ipv4: IPv4Address?
    /// Whether there are a NAT64, and a DNS64 that leads to it.
    package let isTranslated: Bool
    /// The source that the client's IPv4 packets have behind its CLAT (RFC 6877), in the first place; `nil`: there is none.
    var clatSource: IPv6Address?
    /// Whether the loopback interface has 127.0.0.0/8.
    package let hasIPv4Loopback: Bool

    /// Whether IPv4 leaves as IPv6, through a CLAT (464XLAT).
    package var hasCLAT: Bool { clatSource != nil }

    /// The DNS servers in the order of resolv.conf. Clients that know IPv4 resolvers only find theirs where there is IPv4; it
    /// comes first there, as a home router's does.
    package var resolvers: [IPAddress] {
        (ipv4 == nil ? [] : [.ipv4(NetworkPlan.ipv4Router)]) + (ipv6 == nil ? [] : [.ipv6(NetworkPlan.router)])
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
        if isTranslated { parts.append("DNS64 and NAT64") }
        if ipv4 == nil && !isTranslated { parts.append("no DNS64 and no NAT64") }
        if !hasIPv4Loopback { parts.append("no 127.0.0.0/8") }
        return parts.joined(separator: ", ")
    }
}

extension Network {
    package var entry: NetworkEntry {
        switch self {
        case .nat64:
            NetworkEntry(
                purpose: "what phones have, and what Apple reviews with",
                ipv6: NetworkPlan.client, ipv4: nil, isTranslated: true, hasIPv4Loopback: true)
        case .nat64CLAT:
            NetworkEntry(
                purpose: "what phones have that keep IPv4 for old programs (464XLAT)",
                ipv6: NetworkPlan.clatClient, ipv4: nil, isTranslated: true, clatSource: NetworkPlan.clatSource,
                hasIPv4Loopback: true)
        case .strict:
            NetworkEntry(
                purpose: "what works without any IPv4 in the network, translated or not",
                ipv6: NetworkPlan.strictClient, ipv4: nil, isTranslated: false, hasIPv4Loopback: true)
        case .strictNoLoopback4:
            NetworkEntry(
                purpose: "what needs IPv4 within the machine",
                ipv6: NetworkPlan.strictNoLoopback4Client, ipv4: nil, isTranslated: false, hasIPv4Loopback: false)
        case .ipv4Only:
            NetworkEntry(
                purpose: "whether work on IPv6 has broken IPv4",
                ipv6: nil, ipv4: NetworkPlan.ipv4OnlyClient, isTranslated: false, hasIPv4Loopback: true)
        case .dualStack:
            NetworkEntry(
                purpose: "the control run",
                ipv6: NetworkPlan.dualStackClient, ipv4: NetworkPlan.ipv4Client, isTranslated: false,
                hasIPv4Loopback: true)
        }
    }
}
