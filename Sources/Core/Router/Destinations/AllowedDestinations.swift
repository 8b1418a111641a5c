import Translation
package import Wire

/// Which addresses of the host's network a client may reach: public ones, and the exceptions that the configuration names;
/// never the host's own.
///
/// The packet path asks for each packet. nftables stands behind it with the same rules (`Ruleset`).
package struct AllowedDestinations: Hashable, Sendable {
    /// Nothing can be reached.
    package static let none = AllowedDestinations()
    /// What is let through although it is not public.
    package let exceptions: [IPv4Prefix]
    /// Whether the host has IPv6 that the clients can use.
    package let hasIPv6: Bool
    /// The host's addresses.
    package let own: Set<IPAddress>
    private let exceptionRanges: AddressRanges
    private let ownRanges: AddressRanges

    /// - Parameter own: the host's addresses.
    package init(exceptions: [IPv4Prefix] = [], own: Set<IPAddress> = [], hasIPv6: Bool = false) {
        self.exceptions = exceptions.filter(Self.canAllow)
        self.hasIPv6 = hasIPv6
        self.own = own
        exceptionRanges = AddressRanges(self.exceptions)
        ownRanges = AddressRanges(self.own.compactMap(\.ipv4).compactMap { IPv4Prefix($0, length: 32) })
    }

    package func contains(_ address: IPv4Address) -> Bool {
        (address.isGlobal || exceptionRanges.contains(address)) && !ownRanges.contains(address)
    }

    package func contains(_ address: IPv6Address) -> Bool {
        hasIPv6 && Self.publicIPv6.contains(address) && !Self.specialIPv6.contains { $0.contains(address) }
            && !own.contains(.ipv6(address))
    }

    /// Whether the prefix has unicast addresses of other hosts, and nothing else: no "this network" (0.0.0.0/8), no
    /// loopback, no multicast and nothing reserved.
    package static func canAllow(_ prefix: IPv4Prefix) -> Bool {
        let first = prefix.address.bits >> 24
        return prefix.length >= 1 && (1...223).contains(first) && !prefix.contains(loopback)
            && !prefix.address.isLoopback
            && UInt64(prefix.address.bits) + (1 << UInt64(32 - prefix.length)) <= 0xe000_0000
    }

    private static let loopback = IPv4Address(127, 0, 0, 1)
}

extension AllowedDestinations {
    /// IPv4 that is not public, as prefixes: what `IPv4Address.isGlobal` says, in the form that nftables takes.
    package static let specialIPv4: [IPv4Prefix] = {
        let registry = SpecialPurpose<IPv4Prefix>.registry
        return registry.filter { $0.scope != .global }.flatMap { row in
            registry.filter { $0.scope == .global }.reduce([row.prefix]) { rest, hole in
                rest.flatMap { $0.without(hole.prefix) }
            }
        }
    }()

    /// 2000::/3, all that is given out (RFC 4291 §2.4).
    package static let publicIPv6 = IPv6Prefix("2000::/3")!
    /// What lies in there and is not public: benchmarking and our own link are among the protocol assignments.
    package static let specialIPv6 = SpecialPurpose<IPv6Prefix>.registry
        .filter { $0.scope != .global && publicIPv6.contains($0.prefix.address) }.map(\.prefix)
}

extension IPv4Prefix {
    /// The prefix but for a part of it, in ascending order.
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
