// SPDX-License-Identifier: Apache-2.0
import Topology
internal import Netlink
internal import Wire

// The addresses and routes of a client's link on a network.

extension RouteSocket {
    /// Adds the network's addresses and routes to a link that is up. If the network's router advertises itself, only an IPv6 link-local
    /// address is added: with it, the kernel solicits routers and does the rest.
    borrowing func add(_ network: ClientNetwork, to link: NetworkInterface.Index) throws(NetlinkError) {
        if let side = network.ipv4 {
            try add(side.address, prefixLength: side.prefixLength, to: link)
            try add(Route(to: .allIPv4, via: .ipv4(side.gateway), link: link))
        }
        guard let side = network.ipv6 else { return }
        if side.isAdvertised { return try add(side.linkLocalAddress, prefixLength: 64, to: link) }
        try add(side.address, prefixLength: side.prefixLength, to: link)
        try add(Route(to: .allIPv6, via: .ipv6(side.gateway), link: link))
        try waitUntilLocal([.loopback, side.address])
    }

    /// Removes the addresses and routes. Those from an advertisement are removed when the link goes down. Any that the client has removed
    /// itself are ignored.
    borrowing func remove(_ network: ClientNetwork, from link: NetworkInterface.Index) {
        // Routes first: the kernel removes IPv4 routes itself when their address is removed.
        if let side = network.ipv4 {
            try? remove(Route(to: .allIPv4, via: .ipv4(side.gateway), link: link))
            try? remove(side.address, prefixLength: side.prefixLength, from: link)
        }
        if let side = network.ipv6, !side.isAdvertised {
            try? remove(Route(to: .allIPv6, via: .ipv6(side.gateway), link: link))
            try? remove(side.address, prefixLength: side.prefixLength, from: link)
        }
    }
}
