// SPDX-License-Identifier: Apache-2.0
import Router
import Topology
internal import Wire

/// The uplink's nftables rules, in a table of their own.
///
/// Every packet from a client passes `arriving` before any other rules, so an address that is refused there cannot be translated to
/// another one first (Docker's published ports). The packet path has already checked `AllowedDestinations`: these rules are a second
/// barrier, in case that process errs. Packets to the router itself are not tracked, so no other rules for address translation redirect
/// them.
///
/// Several instances have a table each, and a packet passes the chains of all: each chain handles only the instance's own links. Packets
/// from or to another instance's links are accepted at the end of `forward`, whose policy may be to drop; that instance's own table
/// decides about them. IPv6 is accepted there as well: a host that forwards it did so before, or does for a gateway.
struct Ruleset {
    let instance: UplinkInstance
    let destinations: AllowedDestinations

    private var network: SimulatedNetwork { instance.link.simulatedNetwork }
    private var clients: String { "{ \(network.ipv6.map { "\($0)" }.joined(separator: ", ")) }" }
    private var table: String { "inet \(instance.name)" }
    /// Pattern for the names of the links to the clients' packet paths; the anchor does not match it.
    private var links: String { "\(instance.linkPrefix)*" }

    /// Protocols are numbers: a container without /etc/protocols has no names for them. 1 is ICMP, 58 ICMPv6, 6 TCP, 17 UDP.
    ///
    /// For `nft --file`: one transaction, which replaces the table of a predecessor that was killed.
    var text: String {
        """
        table \(table)
        delete table \(table)
        table \(table) {
            set allowed {
                type ipv4_addr
                flags interval
                auto-merge
                \(Self.elements(destinations.exceptions.map { "\($0)" }))
            }
            set special {
                type ipv4_addr
                flags interval
                \(Self.elements(AllowedDestinations.reservedIPv4.map { "\($0)" }))
            }
            set refused {
                type ipv4_addr
                flags interval
                \(Self.elements(AllowedDestinations.refusedIPv4.map { "\($0)" }))
            }
            set own {
                type ipv4_addr
                \(Self.elements(destinations.own.compactMap(\.ipv4).sorted().map { "\($0)" }))
            }
            chain arriving {
                type filter hook prerouting priority raw
                iifname "\(links)" goto destination
            }
            chain destination {
                ip daddr \(network.ipv4Router) notrack accept
                ip6 daddr \(network.ipv6Router) notrack accept
                fib daddr type { local, broadcast, anycast, multicast } drop
                ip daddr @own drop
                ip daddr @refused drop
                ip daddr @allowed accept
                ip daddr @special drop
                ip6 daddr { \((AllowedDestinations.specialIPv6 + network.ipv6).map { "\($0)" }.joined(separator: ", ")) } drop
                meta nfproto ipv6 ip6 daddr != \(AllowedDestinations.publicIPv6) drop
            }
            chain answering {
                type filter hook output priority raw
                oifname "\(links)" ip saddr \(network.ipv4Router) notrack
                oifname "\(links)" ip6 saddr \(network.ipv6Router) notrack
            }
            chain router {
                type filter hook input priority filter
                iifname != "\(links)" accept
                meta l4proto { 1, 58 } accept
                jump names
                meta l4proto 6 reject with tcp reset
                reject
            }
            chain names {
            }
            chain forward {
                type filter hook forward priority filter
                iifname "\(links)" oifname "\(UplinkInstance.everyInterface)" drop
                iifname "\(links)" ip saddr \(network.ipv4) accept
                iifname "\(links)" ip6 saddr \(clients) accept
                iifname "\(links)" drop
                oifname "\(links)" ct state { established, related } accept
                oifname "\(links)" drop
                iifname "\(UplinkInstance.everyInterface)" accept
                oifname "\(UplinkInstance.everyInterface)" accept
                meta nfproto ipv6 accept
            }
            chain leaving {
                type nat hook postrouting priority srcnat
                oifname "\(links)" accept
                ip saddr \(network.ipv4) masquerade
                ip6 saddr \(clients) masquerade
            }
        }

        """
    }

    /// The router's services for clients besides ping: the DNS64, whose sockets are bound to the router's addresses, but not a service of
    /// the host that listens at all addresses. Segments of existing connections are not checked.
    static let names = """
        tcp dport 53 tcp flags & (syn | ack) != syn accept
        meta l4proto { 6, 17 } th dport 53 socket wildcard 0 accept
        """

    /// For a kernel that cannot distinguish such sockets. The DNS64 does not start if another service has the port at all addresses.
    static let anyNames = "meta l4proto { 6, 17 } th dport 53 accept"

    private static func elements(_ list: [String]) -> String {
        list.isEmpty ? "" : "elements = { \(list.joined(separator: ", ")) }"
    }
}
