// SPDX-License-Identifier: Apache-2.0
package import DNSWire
package import Translation
package import Wire

/// How a DNS64 answers the clients of one network. Without clauses it synthesises nothing: a plain resolver.
package struct SynthesisPolicy: Hashable, Sendable {
    /// One prefix, and when it is used; `dns64` in BIND's configuration, whose terms are used here.
    package struct Clause: Hashable, Sendable {
        package var prefix: Pref64
        /// The clients to which it applies.
        package var clients = AddressMatchList.any
        /// The IPv4 addresses that are mapped. A list per clause gives separate IPv4 ranges separate prefixes (RFC 6147 §5.2), and a
        /// negated range has none at all.
        package var mapped = AddressMatchList.any
        /// The AAAA records that count as absent (RFC 6147 §5.1.4).
        package var exclude = AddressMatchList.ipv4Mapped
        /// Bits behind the IPv4 address, zero by default (RFC 6052 §2.2).
        package private(set) var suffix = IPv6Address.unspecified
        /// Applies only to queries that ask for recursion.
        package var recursiveOnly = false
        /// Synthesises even for a client that validates and will reject the answer as a forgery (RFC 6147 §5.5, against its advice).
        package var breakDNSSEC = false

        package init(prefix: Pref64) {
            self.prefix = prefix
        }

        package enum SuffixError: Error, Equatable, Sendable, CustomStringConvertible {
            /// It has bits at the front of the address, in the place of the prefix, the IPv4 address or octet u.
            case overlap(IPv6Address, reservedBits: Int)

            package var description: String {
                switch self {
                case .overlap(let suffix, let bits): "the suffix \(suffix) must be zero in its first \(bits) bits"
                }
            }
        }

        /// Sets a suffix behind the IPv4 address, if there is room for one: behind a /96 there is none.
        package mutating func append(suffix: IPv6Address) throws(SuffixError) {
            // Octet u also precedes the suffix, for any prefix length below 96.
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
    /// The link-local address that has an exemption of its own; `nil` if there is none.
    package var exemptLinkLocal: IPv4Address? {
        exemptIPv4.first { $0.length == 32 && $0.address.isLinkLocal }?.address
    }
    /// Names whose own AAAA records are not looked up (RFC 6147 §5.1.1 permits it by configuration).
    package var ignoredAAAA = NameSet.none
    /// Names for which records may be synthesised.
    package private(set) var synthesisedNames = NameSet.all
    /// Exceptions from these names, for which nothing is synthesised.
    package var excludedNames = NameSet.none
    /// Names whose A records are withheld from A queries.
    package var suppressedA = NameSet.none
    /// The server and the mailbox in the SOA records of the prefixes' reverse zones; `nil`: the zone itself, and no mailbox.
    package var reverseServer: DomainName?
    package var reverseContact: DomainName?
    /// Deviations from the RFC.
    package var behaviour = Behaviour()
    /// Whether a synthesised answer has extended error 29 (RFC 8914).
    package var hasExtendedError = false

    package init(clauses: [Clause] = []) {
        self.clauses = clauses
    }

    /// RFC 6147 §5.2 with one prefix.
    package init(prefix: Pref64) {
        self.init(clauses: [Clause(prefix: prefix)])
    }

    /// The same policy for a resolver that is not a DNS64: for the name by which clients discover the prefix (RFC 7050), and its reverse
    /// names.
    package var forDiscovery: SynthesisPolicy {
        var policy = self
        policy.synthesisedNames = .below([IPv4OnlyName.name])
        policy.suppressedA = .none
        return policy
    }

    /// Whether it synthesises for all names that need it, and so answers for its prefixes' reverse names.
    var isDNS64: Bool { !clauses.isEmpty && synthesisedNames == .all }

    /// Whether all clients get the same answers.
    var isUniform: Bool { clauses.allSatisfy { $0.clients == .any } }

    /// A network without DNS64.
    package static let plain = SynthesisPolicy()
}

extension AddressMatchList {
    /// ::ffff:0:0/96, which RFC 6147 §5.1.4 excludes by default: an IPv4-mapped address is never on the wire.
    package static let ipv4Mapped = AddressMatchList([
        Element(.ipv6(IPv6Prefix(IPv6Address(0, 0, 0, 0, 0, 0xffff, 0, 0), length: 96)!))
    ])
}

extension SynthesisPolicy.Clause {
    /// The address that represents `address`; `nil` if this clause has none for it.
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
