// SPDX-License-Identifier: Apache-2.0
import Topology
import Translation
package import Wire

/// Addresses of the host's network that a client may reach: public ones, and the exceptions that the configuration names; never the host's
/// own, nor those that `ReservedDestination` keeps for the owner of its network.
///
/// The packet path checks each packet. nftables enforces the same rules behind it (`Ruleset`).
package struct AllowedDestinations: Hashable, Sendable {
    /// No destination can be reached.
    package static let none = AllowedDestinations()
    /// Prefixes that can be reached although they are not public.
    package let exceptions: [IPv4Prefix]
    /// Whether the host has IPv6 that the clients can use.
    package let hasIPv6: Bool
    /// The host's addresses.
    package let own: Set<IPAddress>
    /// The clients' own links: a client does not reach another link.
    package let clientLinks: [IPv6Prefix]
    private let exceptionRanges: AddressRanges
    private let ownRanges: AddressRanges

    /// - Parameters:
    ///   - own: the host's addresses.
    ///   - clientLinks: `nil` for the standard ones.
    package init(
        exceptions: [IPv4Prefix] = [], own: Set<IPAddress> = [], hasIPv6: Bool = false,
        clientLinks: [IPv6Prefix]? = nil
    ) {
        self.clientLinks = clientLinks ?? ClientLink.standard.simulatedNetwork.ipv6
        self.exceptions = exceptions.filter { Self.objection(to: $0) == nil }
        self.hasIPv6 = hasIPv6
        self.own = own
        exceptionRanges = AddressRanges(self.exceptions)
        ownRanges = AddressRanges(self.own.compactMap(\.ipv4).compactMap { IPv4Prefix($0, length: 32) })
    }

    package func contains(_ address: IPv4Address) -> Bool {
        (address.isGlobal && !Self.reservedRanges.contains(address)
            || exceptionRanges.contains(address) && !Self.refusedRanges.contains(address))
            && !ownRanges.contains(address)
    }

    package func contains(_ address: IPv6Address) -> Bool {
        hasIPv6 && Self.publicIPv6.contains(address) && !Self.specialIPv6.contains { $0.contains(address) }
            && !own.contains(.ipv6(address)) && !clientLinks.contains { $0.contains(address) }
    }

    /// The reason why the prefix can never be allowed; `nil` if it can: all of its addresses must be unicast ones to which routers forward
    /// packets, and at least one must not be refused in any case.
    package static func objection(to prefix: IPv4Prefix) -> String? {
        let rows = SpecialPurpose<IPv4Prefix>.registry.filter { $0.scope == .notForwarded }
        if let row = rows.first(where: { $0.prefix.overlaps(prefix) }) {
            return "no router forwards packets to \(row.use), and \(row.prefix) is full of them"
        }
        return reserved.first { !$0.canBeAllowed && $0.prefix.contains(prefix) }
            .map { "\($0.prefix.address) is for \($0.use)" }
    }

    private static let reserved = ReservedDestination<IPv4Prefix>.all
    private static let reservedRanges = AddressRanges(reserved.map(\.prefix))
    private static let refusedRanges = AddressRanges(refusedIPv4)
}

extension AllowedDestinations {
    /// IPv4 prefixes that are never reached, whatever is allowed.
    package static let refusedIPv4 = ReservedDestination<IPv4Prefix>.all.filter { !$0.canBeAllowed }.map(\.prefix)

    /// IPv4 prefixes that are reached only if they are allowed.
    package static let reservedIPv4 =
        specialIPv4 + ReservedDestination<IPv4Prefix>.all.filter(\.canBeAllowed).map(\.prefix)

    /// IPv4 prefixes that are not public: the complement of `IPv4Address.isGlobal`, in the form that nftables takes.
    package static let specialIPv4: [IPv4Prefix] = {
        let registry = SpecialPurpose<IPv4Prefix>.registry
        return registry.filter { $0.scope != .global }.flatMap { row in
            registry.filter { $0.scope == .global }.reduce([row.prefix]) { rest, hole in
                rest.flatMap { $0.without(hole.prefix) }
            }
        }
    }()

    /// 2000::/3, all global unicast addresses that are allocated (RFC 4291 §2.4).
    package static let publicIPv6 = IPv6Prefix("2000::/3")!
    /// Prefixes in 2000::/3 that are not public, and those that are refused in any case.
    package static let specialIPv6 =
        SpecialPurpose<IPv6Prefix>.registry
        .filter { $0.scope != .global && publicIPv6.contains($0.prefix.address) }.map(\.prefix)
        + ReservedDestination<IPv6Prefix>.all.map(\.prefix)
}

extension IPv4Prefix {
    fileprivate func contains(_ other: IPv4Prefix) -> Bool { length <= other.length && contains(other.address) }

    fileprivate func overlaps(_ other: IPv4Prefix) -> Bool { contains(other) || other.contains(self) }

    /// The prefix without a part of it, in ascending order.
    fileprivate func without(_ hole: IPv4Prefix) -> [IPv4Prefix] {
        guard contains(hole.address), length <= hole.length else { return [self] }
        guard length < hole.length else { return [] }
        let upper = IPv4Address(bits: address.bits | 1 << UInt32(31 - length))
        return [address, upper].flatMap { IPv4Prefix($0, length: length + 1)!.without(hole) }
    }
}

extension IPv4Address {
    /// 127.0.0.0/8
    package var isLoopback: Bool { bits >> 24 == 127 }
}
