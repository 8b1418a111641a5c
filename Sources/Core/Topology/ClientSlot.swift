// SPDX-License-Identifier: Apache-2.0
package import Evidence
package import Wire

/// The place of one of the clients that a simulator serves at the same time: its addresses on each network.
///
/// Places differ by their addresses alone. A client sends only from the addresses of its place, and the DNS64 and the evidence identify the
/// client by its address.
package struct ClientSlot: Hashable, Sendable {
    /// Counted from 0.
    package let number: Int
    /// The link that the client is on.
    package let link: ClientLink

    /// The maximum number of places, a power of two: their IPv4 addresses share the last octet of the link's.
    package static let limit = 32
    /// The place of the only client, if there is just one.
    package static let first = ClientSlot(0)

    package init(_ number: Int, on link: ClientLink = .standard) {
        precondition((0..<Self.limit).contains(number), "place \(number) of \(Self.limit)")
        self.number = number
        self.link = link
    }

    /// `nil` on an IPv4-only network.
    package func ipv6(on network: Network) -> IPv6Address? {
        network.entry.ipv6.map(numbered)
    }

    /// `nil` on an IPv6-only network, and behind a CLAT: there the world sees no IPv4 address of the client.
    package func ipv4(on network: Network) -> IPv4Address? {
        network.entry.ipv4.map { IPv4Address(bits: link.address($0).bits + UInt32(number)) }
    }

    /// All addresses of the client on that network: a query to the DNS server from one of these is this client's.
    package func addresses(on network: Network) -> [IPAddress] {
        (ipv6(on: network).map { [.ipv6($0)] } ?? []) + (ipv4(on: network).map { [.ipv4($0)] } ?? [])
    }

    /// The addresses of the client's CLAT; `nil` if there is none.
    package func clat(on network: Network) -> CLATAddresses? {
        network.entry.clatSource.map { CLATAddresses(source: numbered($0)) }
    }

    /// All addresses of the client on its own link, including those that end at its CLAT.
    package func linkAddresses(on network: Network) -> [IPAddress] {
        addresses(on: network) + (clat(on: network).map { [.ipv4($0.client)] } ?? [])
    }

    private func numbered(_ first: IPv6Address) -> IPv6Address {
        IPv6Address(bits: link.address(first).bits | UInt128(number) << 16)
    }

    /// The NAT64's address for this client.
    package var poolAddress: IPv4Address {
        IPv4Address(bits: link.address(NetworkPlan.poolAddress).bits + UInt32(number))
    }

    /// The client's side of its link while it has no network.
    package func withoutNetwork(_ links: LinkPlan) -> ClientNetwork { ClientNetwork(mtu: links.clientMTU) }

    /// The client's side of its link.
    package func clientNetwork(on network: Network, _ links: LinkPlan = LinkPlan()) -> ClientNetwork {
        ClientNetwork(
            mtu: links.clientMTU,
            ipv4: clat(on: network).map {
                ClientNetwork.IPv4(
                    address: $0.client, prefixLength: NetworkPlan.clatLink.length, gateway: $0.router)
            }
                ?? ipv4(on: network).map {
                    ClientNetwork.IPv4(
                        address: $0, prefixLength: link.ipv4.length, gateway: link.ipv4Router)
                },
            ipv6: ipv6(on: network).map {
                ClientNetwork.IPv6(
                    address: $0, prefixLength: link.prefix.length, gateway: link.router,
                    isAdvertised: links.setup != .fixed)
            },
            hasIPv4Loopback: network.entry.hasIPv4Loopback)
    }
}

/// All places of a simulator are on one link, so the number identifies them, also for a server that does not know the link.
extension ClientSlot {
    package static func == (one: ClientSlot, other: ClientSlot) -> Bool { one.number == other.number }
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
