// SPDX-License-Identifier: Apache-2.0
package import Translation

/// How a DNS64 serves: what a `dns64` section says, and what holds without one.
package struct DNS64Settings: Sendable {
    package var profile = Profile.rfc
    package var policy = SynthesisPolicy(prefix: .wellKnown)
    /// Whether a network without DNS64 answers the name by which clients discover the prefix (RFC 7050). They can hear of it from a
    /// router advertisement (RFC 8781) as well.
    package var isDiscoverable = true
    /// Faults, cache and limits; the starter of the server adds what it knows and which clients it serves.
    package var resolver = ResolverConfiguration(store: RecordStore([], zones: []), networks: [])
    package var limits = ServiceLimits()

    package init() {}

    /// The prefixes of all clauses, each once, in the order in which they are written: what a NAT64 beside it translates.
    package var prefixes: [Pref64] {
        var prefixes: [Pref64] = []
        for clause in policy.clauses where !prefixes.contains(clause.prefix) { prefixes.append(clause.prefix) }
        return prefixes
    }

    /// Puts one clause in the place of all there are: `--prefix` on a command line.
    package mutating func replaceClauses(by prefix: Pref64) {
        var clause = SynthesisPolicy.Clause(prefix: prefix)
        clause.exclude = profile.exclude
        policy.clauses = [clause]
    }
}
