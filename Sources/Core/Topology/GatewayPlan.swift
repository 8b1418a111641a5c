// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A network that is not ours, whose NAT64 and DNS64 a simulator is.
package struct GatewayPlan: Hashable, Sendable {
    /// Where its hosts have their addresses: the clients. Who sends from elsewhere is refused.
    package let clients: [IPv6Prefix]
    /// Where the clients find the DNS64, on no link of theirs; `nil` is an address of ours.
    package let resolver: IPv6Address?

    /// As many clients as something is known of.
    package static let clientLimit = 10_000
    /// More prefixes are nobody's cluster.
    package static let prefixLimit = 64

    package init(clients: [IPv6Prefix], resolver: IPv6Address? = nil) {
        self.clients = clients
        self.resolver = resolver
    }

    /// The router's addresses: that of the DNS64, and those of the NAT64's IPv4 side.
    package var link: ClientLink { resolver.map(ClientLink.init(router:)) ?? .standard }

    /// Why it cannot be served, `nil` if it can.
    package func objection(prefixes: [IPv6Prefix]) -> String? {
        if clients.isEmpty { return "--from PREFIX is missing: where the clients have their addresses" }
        if clients.count > Self.prefixLimit { return "more than \(Self.prefixLimit) prefixes of clients" }
        for client in clients {
            if client.address.isMulticast || client.address.isLinkLocal || client.length == 0 {
                return "\(client) is no prefix that clients are routed by"
            }
            for prefix in prefixes where prefix.contains(client.address) || client.contains(prefix.address) {
                return "the clients' \(client) and the NAT64's \(prefix) overlap"
            }
        }
        if let resolver {
            if resolver.isMulticast || resolver.isLinkLocal || resolver == .unspecified || resolver == .loopback {
                return "\(resolver) cannot be the DNS64's address"
            }
            if let prefix = prefixes.first(where: { $0.contains(resolver) }) {
                return "the DNS64's \(resolver) is in the NAT64's \(prefix)"
            }
        }
        return nil
    }
}
