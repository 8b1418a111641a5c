// SPDX-License-Identifier: Apache-2.0
package import Translation

/// The settings of a DNS64: those of a `dns64` section, and the defaults without one.
package struct DNS64Settings: Sendable {
    package var profile = Profile.rfc
    package var policy = SynthesisPolicy(prefix: .wellKnown)
    /// Whether a network without DNS64 answers the name by which clients discover the prefix (RFC 7050). They can also learn the prefix
    /// from a router advertisement (RFC 8781).
    package var isDiscoverable = true
    /// Faults, cache and limits; the code that starts the server adds its records and the clients that it serves.
    package var resolver = ResolverConfiguration(store: RecordStore([], zones: []), networks: [])
    package var limits = ServiceLimits()

    package init() {}

    /// The prefixes of all clauses, each once, in the order in which they are written: those that a NAT64 beside it translates.
    package var prefixes: [Pref64] {
        var prefixes: [Pref64] = []
        for clause in policy.clauses where !prefixes.contains(clause.prefix) { prefixes.append(clause.prefix) }
        return prefixes
    }

    /// Replaces all clauses by a single one: `--prefix` on a command line.
    package mutating func replaceClauses(by prefix: Pref64) {
        var clause = SynthesisPolicy.Clause(prefix: prefix)
        clause.exclude = profile.exclude
        policy.clauses = [clause]
    }
}
