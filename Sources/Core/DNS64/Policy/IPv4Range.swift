// SPDX-License-Identifier: Apache-2.0
package import Translation
package import Wire

/// IPv4 addresses with a prefix of their own, or with none (RFC 6147 §5.2: a DNS64 "SHOULD support mapping of separate IPv4
/// address ranges to separate IPv6 prefixes").
package struct IPv4Range: Hashable, Sendable {
    package var network: IPv4Prefix
    /// `nil`: nothing is synthesised from these addresses.
    package var prefix: Pref64?

    package init(_ network: IPv4Prefix, prefix: Pref64?) {
        self.network = network
        self.prefix = prefix
    }
}

extension SynthesisPolicy {
    /// Excludes the ranges from the existing clauses, and adds a clause for each that has a prefix. If ranges overlap, the smallest
    /// decides.
    package mutating func assign(_ ranges: [IPv4Range], exclude: AddressMatchList) {
        let keptOut = ranges.map { AddressMatchList.Element(.ipv4($0.network), isNegated: true) }
        for index in clauses.indices { clauses[index].mapped.elements.insert(contentsOf: keptOut, at: 0) }
        for range in ranges {
            guard let prefix = range.prefix else { continue }
            let smaller = ranges.filter { $0.network != range.network && range.network.contains($0.network) }
            var clause = Clause(prefix: prefix)
            clause.mapped.elements =
                smaller.map { AddressMatchList.Element(.ipv4($0.network), isNegated: true) }
                + [AddressMatchList.Element(.ipv4(range.network))]
            clause.exclude = exclude
            clauses.append(clause)
        }
    }
}

extension IPv4Prefix {
    fileprivate func contains(_ other: IPv4Prefix) -> Bool { length <= other.length && contains(other.address) }
}
