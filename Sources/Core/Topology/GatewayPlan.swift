// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A real network, whose NAT64 and DNS64 the simulator is.
package struct GatewayPlan: Hashable, Sendable {
    /// The prefixes of the network's hosts, which are the clients. Packets from elsewhere are refused.
    package let clients: [IPv6Prefix]
    /// The DNS64's address, which is not on the clients' link; `nil` is one of our addresses.
    package let resolver: IPv6Address?

    /// The maximum number of clients with a record.
    package static let clientLimit = 10_000
    /// The maximum number of prefixes, more than any real cluster has.
    package static let prefixLimit = 64

    package init(clients: [IPv6Prefix], resolver: IPv6Address? = nil) {
        self.clients = clients
        self.resolver = resolver
    }

    /// The router's addresses: the DNS64's, and those of the NAT64's IPv4 side.
    package var link: ClientLink { resolver.map(ClientLink.init(router:)) ?? .standard }

    /// Why the network cannot be served, `nil` if it can.
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
