// SPDX-License-Identifier: Apache-2.0
package import Topology
import Translation
package import Wire

/// The decisions of a plain router about a packet that needs no translation (RFC 8200, RFC 1812): its link, the hop limit, the addresses
/// that are never forwarded, the next hop's MTU.
///
/// Methods on a packet's path are `mutating` for the reason given in `NAT64`.
package struct Forwarding: Sendable {
    /// The addresses on the client's link.
    package struct Client: Sendable {
        /// One address of a client of ours, prefixes of a network that is not ours; empty on an IPv4-only network.
        let ipv6: [IPv6Prefix]
        /// `nil` on an IPv6-only network.
        let ipv4: IPv4Address?
        /// The NAT64's addresses, for a client on this link.
        let pool: [IPv4Address]

        package init(ipv6: [IPv6Prefix], ipv4: IPv4Address? = nil, pool: [IPv4Address] = []) {
            self.ipv6 = ipv6
            self.ipv4 = ipv4
            self.pool = pool
        }

        /// The addresses of one client of ours.
        /// - Parameter ipv6: `nil` on an IPv4-only network.
        package init(ipv6: IPv6Address?, ipv4: IPv4Address? = nil, pool: IPv4Address? = nil) {
            self.init(
                ipv6: ipv6.map { [IPv6Prefix($0, length: 128)!] } ?? [], ipv4: ipv4, pool: pool.map { [$0] } ?? [])
        }

        /// A device without a network: no source address is its own.
        package static let withoutAddress = Client(ipv6: .unspecified)

        @inline(always)
        func contains(_ address: IPv6Address) -> Bool {
            for prefix in ipv6 where prefix.contains(address) { return true }
            return false
        }
    }

    let links: LinkPlan
    /// The router's own addresses: a packet to one of them has arrived, and uses no hop.
    let ipv6Router: IPv6Address
    let ipv4Router: IPv4Address
    let client: Client
    /// The destinations that the client can reach.
    var reach: Reach
    /// Prefixes exempt from RFC 6052 §3.1, even if no host is there.
    private let exemptIPv4: [IPv4Prefix]

    package init(
        links: LinkPlan, ipv6Router: IPv6Address, ipv4Router: IPv4Address, client: Client, reach: Reach,
        exemptIPv4: [IPv4Prefix] = []
    ) {
        self.exemptIPv4 = exemptIPv4
        self.links = links
        self.ipv6Router = ipv6Router
        self.ipv4Router = ipv4Router
        self.client = client
        self.reach = reach
    }

    // MARK: - Before a translation

    /// The reason why the NAT64 cannot send a packet to this destination; `nil` if it can. Its pool's own addresses lead back (RFC 6146
    /// §3.8).
    mutating func objection(to remote: IPv4Address, _ layout: IPv6Layout) -> (DropReason, ICMPError)? {
        if reach.contains(remote) && !remote.isLinkLocal || remote == ipv4Router || client.pool.contains(remote) {
            return nil
        }
        let isExempt = exemptIPv4.contains { $0.contains(remote) }
        // A link-local address is on no link of a translator, unless the configuration exempts it.
        if reach.contains(remote) && isExempt { return nil }
        // RFC 6052 §3.1
        let isCarried = remote.isGlobal || isExempt
        return Pref64.wellKnown.contains(layout.destination) && !isCarried
            ? (.nonGlobalIPv4, .ipv6(.administrativelyProhibited)) : (.noRoute, .ipv6(.noRoute))
    }

    // MARK: - IPv6

    mutating func decide(_ packet: inout PacketBuffer, _ layout: IPv6Layout, from link: Link) -> Hop.Decision {
        switch link {
        case .client where !hasRoute(to: layout.destination):
            .drop(.noRoute, answer: .ipv6(.noRoute))
        // A late packet for the client of an earlier run.
        case .world where !client.contains(layout.destination) && !layout.destination.isMulticast:
            .drop(.addressUnreachable, answer: nil)
        case .client, .world: pass(&packet, layout, to: link.other)
        }
    }

    /// Also true for destinations on the link itself, which are refused for another reason.
    private mutating func hasRoute(to destination: IPv6Address) -> Bool {
        if destination.isMulticast || destination.isLinkLocal { return true }
        return !client.ipv6.isEmpty && (reach.contains(destination) || destination == ipv6Router)
    }

    private mutating func pass(_ packet: inout PacketBuffer, _ layout: IPv6Layout, to link: Link) -> Hop.Decision {
        // RFC 4291 §2.5.6, §2.7: these destinations stay on their link.
        if layout.destination.isMulticast || layout.destination.isLinkLocal {
            return .drop(.illegalDestination, answer: nil)
        }
        if layout.source.isIllegalSource { return .drop(.illegalSource, answer: nil) }
        if layout.destination == ipv6Router { return .forward }
        return Hop(mtu: link == .client ? links.clientMTU : links.worldIPv6MTU)
            .pass(&packet, isOwn: layout.source == ipv6Router)
    }

    // MARK: - IPv4

    mutating func decide(_ packet: inout PacketBuffer, _ layout: IPv4Layout, from link: Link) -> Hop.Decision {
        switch link {
        case .client
        where client.ipv4 == nil || !(reach.contains(layout.destination) || layout.destination == ipv4Router):
            .drop(.noRoute, answer: .ipv4(.networkUnreachable))
        case .world where layout.destination != client.ipv4: .drop(.addressUnreachable, answer: nil)
        case .client, .world: pass(&packet, layout, to: link.other)
        }
    }

    private mutating func pass(_ packet: inout PacketBuffer, _ layout: IPv4Layout, to link: Link) -> Hop.Decision {
        if layout.destination.isIllegal && !isOnLink(layout.destination) {
            return .drop(.illegalDestination, answer: nil)
        }
        if layout.source.isIllegal && !isOnLink(layout.source) { return .drop(.illegalSource, answer: nil) }
        if layout.destination == ipv4Router { return .forward }

        return Hop(mtu: link == .client ? links.clientMTU : links.worldMTU)
            .pass(&packet, layout, isOwn: layout.source == ipv4Router)
    }

    /// Whether the address is of a host that a cloud has on the client's own link, and this router beyond it: its metadata service.
    private mutating func isOnLink(_ address: IPv4Address) -> Bool { address.isLinkLocal && reach.contains(address) }
}
