// SPDX-License-Identifier: Apache-2.0
import Topology
import Translation
import Wire

// Whether a packet can have come from its source address, decided on entry (BCP 38: RFC 2827 §3, RFC 3704 §2.2). The answer to a packet
// with another host's address would be sent to that host, and the DNS64 would take it for that host's query.
//
// Sources that no router forwards from are left to the stages, which have their own reasons for dropping them: a host without an address
// solicits from `::` and reports its listeners from a link-local address (RFC 4862 §5.4, RFC 3810 §5.2.13).

extension Forwarding {
    /// On the client's link, only the client's own addresses are valid; on the world's link, none of those on clients' links. A client
    /// without an address of a family is not checked, as its packets have no route either.
    @inline(always)
    func isSpoofed(_ source: IPv6Address, from link: Link) -> Bool {
        switch link {
        case .client: !client.ipv6.isEmpty && !client.contains(source) && !source.isIllegalSource
        case .world: ((source.bits ^ ipv6Router.bits) >> 64 == 0 || client.contains(source)) && source != ipv6Router
        }
    }

    @inline(always)
    func isSpoofed(_ source: IPv4Address, from link: Link) -> Bool {
        switch link {
        case .client: client.ipv4 != nil && source != client.ipv4 && !source.isIllegal
        case .world: (source.bits ^ ipv4Router.bits) >> 8 == 0 && source != ipv4Router
        }
    }
}
