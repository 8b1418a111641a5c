// SPDX-License-Identifier: Apache-2.0
import Topology
internal import Netlink
internal import Wire

// What a client has on its link by being on a network.

extension RouteSocket {
    /// Gives the link, which is up, the network's addresses and routes; of IPv6 where its router advertises itself, what the client needs to
    /// make the rest by itself: the kernel asks for routers as soon as it has a link-local address.
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

    /// Takes them away again; what an advertisement gave goes with the link being up. What the client has taken away itself is none of
    /// ours.
    borrowing func remove(_ network: ClientNetwork, from link: NetworkInterface.Index) {
        // The routes first: without an address the kernel takes those of IPv4 away by itself.
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
