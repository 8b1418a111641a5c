package import Evidence
package import Sandbox
package import Wire

/// One client's place among those that a simulator serves at the same time: its addresses on either network.
///
/// Places are told apart by their addresses alone. A client sends from those of its place and from no other, and the
/// address is how the DNS64 and the evidence know who asked.
package struct ClientPlace: Hashable, Sendable {
    /// From 0.
    package let number: Int

    /// How many there can be: their IPv4 addresses share 192.0.2.0/24.
    package static let limit = 32
    /// The only client's, where there is one.
    package static let first = ClientPlace(0)

    package init(_ number: Int) {
        precondition((0..<Self.limit).contains(number), "place \(number) of \(Self.limit)")
        self.number = number
    }

    /// The two networks have different addresses, so that nothing which is still on its way to one of them reaches the
    /// other, and that the DNS64 tells them apart.
    package func ipv6(on network: Network) -> IPv6Address {
        let host: IPv6Address =
            switch network {
            case .nat64: NetworkPlan.client
            case .dualStack: NetworkPlan.dualStackClient
            }
        return IPv6Address(bits: host.bits | UInt128(number) << 16)
    }

    /// Nil on an IPv6-only network.
    package func ipv4(on network: Network) -> IPv4Address? {
        switch network {
        case .nat64: nil
        case .dualStack: IPv4Address(bits: NetworkPlan.ipv4Client.bits + UInt32(number))
        }
    }

    /// All that the client has there: whoever asks the DNS server from one of these is this client.
    package func addresses(on network: Network) -> [IPAddress] {
        [.ipv6(ipv6(on: network))] + (ipv4(on: network).map { [.ipv4($0)] } ?? [])
    }

    /// The DNS servers of a network in the order of its resolv.conf. Clients that know IPv4 resolvers only find theirs where
    /// there is IPv4; it comes first there, as a home router's does.
    package static func resolvers(on network: Network) -> [IPAddress] {
        switch network {
        case .nat64: [.ipv6(NetworkPlan.router)]
        case .dualStack: [.ipv4(NetworkPlan.ipv4Router), .ipv6(NetworkPlan.router)]
        }
    }

    /// The NAT64's address for this client, on the IPv6-only network.
    package var poolAddress: IPv4Address { IPv4Address(bits: NetworkPlan.poolAddress.bits + UInt32(number)) }

    /// The client's side of its link.
    package func clientNetwork(on network: Network, _ links: LinkPlan = LinkPlan()) -> ClientNetwork {
        ClientNetwork(
            mtu: links.clientMTU,
            ipv4: ipv4(on: network).map {
                ClientNetwork.IPv4(
                    address: $0, prefixLength: NetworkPlan.ipv4Link.length, gateway: NetworkPlan.ipv4Router)
            },
            ipv6: ClientNetwork.IPv6(
                address: ipv6(on: network), prefixLength: NetworkPlan.clientLink.length, gateway: NetworkPlan.router))
    }
}
