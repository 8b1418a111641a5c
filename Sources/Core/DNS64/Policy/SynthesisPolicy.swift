// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Translation
package import Wire

/// How a DNS64 answers the clients of one network. Without clauses it synthesises nothing: a plain resolver.
package struct SynthesisPolicy: Hashable, Sendable {
    /// One prefix and when it is used; `dns64` in BIND's configuration, whose words these are.
    package struct Clause: Hashable, Sendable {
        package var prefix: Pref64
        /// Which clients it is for.
        package var clients = AddressMatchList.any
        /// Which IPv4 addresses are mapped. A list per clause gives separate IPv4 ranges separate prefixes
        /// (RFC 6147 §5.2), and a negated range has none at all.
        package var mapped = AddressMatchList.any
        /// Which AAAA records count as absent (RFC 6147 §5.1.4).
        package var exclude = AddressMatchList.ipv4Mapped
        /// Bits behind the IPv4 address, zero unless said otherwise (RFC 6052 §2.2).
        package private(set) var suffix = IPv6Address.unspecified
        /// Only for queries that ask for recursion.
        package var recursiveOnly = false
        /// Synthesise even for a client that validates and will take it for a forgery (RFC 6147 §5.5, against its
        /// advice).
        package var breakDNSSEC = false

        package init(prefix: Pref64) {
            self.prefix = prefix
        }

        package enum SuffixError: Error, Equatable, Sendable, CustomStringConvertible {
            /// It has bits where the prefix, the IPv4 address or octet u is: at the front of an address.
            case overlap(IPv6Address, reservedBits: Int)

            package var description: String {
                switch self {
                case .overlap(let suffix, let bits): "the suffix \(suffix) must be zero in its first \(bits) bits"
                }
            }
        }

        /// Puts a suffix behind the IPv4 address, where there is room for one: behind a /96 there is none.
        package mutating func append(suffix: IPv6Address) throws(SuffixError) {
            // Octet u is in front of the suffix as well, whatever the prefix length below 96.
            let reserved = prefix.prefix.length == 96 ? 128 : prefix.prefix.length + 32 + 8
            guard suffix.bits >> UInt128(128 - reserved) == 0 else {
                throw .overlap(suffix, reservedBits: reserved)
            }
            self.suffix = suffix
        }
    }

    /// All that apply to a client are used: an A record yields an AAAA record under each of their prefixes.
    package var clauses: [Clause]
    /// IPv4 addresses that the well-known prefix carries although they are not global: those of a hermetic world.
    package var exemptIPv4: [IPv4Prefix] = []
    /// The link-local address that is exempt by itself; `nil` if none is.
    package var exemptLinkLocal: IPv4Address? {
        exemptIPv4.first { $0.length == 32 && $0.address.isLinkLocal }?.address
    }
    /// Names whose own AAAA records are not looked for (RFC 6147 §5.1.1 permits it by configuration).
    package var ignoredAAAA = NameSet.none
    /// Names for which anything is synthesised.
    package private(set) var synthesisedNames = NameSet.all
    /// Names for which nothing is synthesised, of those.
    package var excludedNames = NameSet.none
    /// Names whose A records are withheld from A queries.
    package var suppressedA = NameSet.none
    /// The server and the mailbox that the SOA records of the prefixes' reverse zones name; `nil`: the zone itself, and none.
    package var reverseServer: DomainName?
    package var reverseContact: DomainName?
    /// Where it differs from the RFC.
    package var behaviour = Behaviour()
    /// Whether a synthesised answer says so with extended error 29 (RFC 8914).
    package var hasExtendedError = false

    package init(clauses: [Clause] = []) {
        self.clauses = clauses
    }

    /// RFC 6147 §5.2 with one prefix.
    package init(prefix: Pref64) {
        self.init(clauses: [Clause(prefix: prefix)])
    }

    /// The same for a resolver that is no DNS64: for the name by which clients discover the prefix (RFC 7050), and its reverse names.
    package var forDiscovery: SynthesisPolicy {
        var policy = self
        policy.synthesisedNames = .below([IPv4OnlyName.name])
        policy.suppressedA = .none
        return policy
    }

    /// Whether it synthesises whatever needs it, and so answers for its prefixes' reverse names.
    var isDNS64: Bool { !clauses.isEmpty && synthesisedNames == .all }

    /// Whether all clients are answered alike.
    var isUniform: Bool { clauses.allSatisfy { $0.clients == .any } }

    /// A network without DNS64.
    package static let plain = SynthesisPolicy()
}

extension AddressMatchList {
    /// ::ffff:0:0/96, which RFC 6147 §5.1.4 wants excluded from the start: an IPv4-mapped address is never on the wire.
    package static let ipv4Mapped = AddressMatchList([
        Element(.ipv6(IPv6Prefix(IPv6Address(0, 0, 0, 0, 0, 0xffff, 0, 0), length: 96)!))
    ])
}

extension SynthesisPolicy.Clause {
    /// The address that stands for `address`, and `nil` if this clause has none for it.
    func map(_ address: IPv4Address, under policy: SynthesisPolicy) -> IPv6Address? {
        guard mapped.contains(.ipv4(address)) else { return nil }
        // RFC 6052 §3.1: "The Well-Known Prefix MUST NOT be used to represent non-global IPv4 addresses"; RFC 8880 §7.1
        // makes 192.0.0.170 and 192.0.0.171 the exceptions.
        if prefix.isWellKnown, !policy.behaviour.mapsNonGlobal, !address.isGlobal,
            !IPv4OnlyName.addresses.contains(address), !policy.exemptIPv4.contains(where: { $0.contains(address) })
        {
            return nil
        }
        return IPv6Address(bits: prefix.embed(address).bits | suffix.bits)
    }
}
