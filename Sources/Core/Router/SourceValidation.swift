// SPDX-License-Identifier: Apache-2.0
import Topology
import Translation
import Wire

// Whether a packet can have come from where it says, decided where it enters (BCP 38: RFC 2827 §3, RFC 3704 §2.2). The answer to
// one with another's address would go to that other, and the DNS64 would take it for the other's question.
//
// Sources that no router forwards from are left to the stages, which have reasons of their own for them: a host without an address
// asks from `::` and reports its listeners from a link-local address (RFC 4862 §5.4, RFC 3810 §5.2.13).

extension Forwarding {
    /// From the client's link come the client's own addresses; from the world's, none of those that the links of clients have.
    /// Where the client has no address of a family there is no route for its packets either.
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
