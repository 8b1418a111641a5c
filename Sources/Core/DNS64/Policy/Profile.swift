// SPDX-License-Identifier: Apache-2.0
/// A real DNS64 implementation whose answers can be imitated, as far as they matter to a client.
///
/// `docs/dns64-configuration.md` has the table of their traits, with sources.
package enum Profile: String, Hashable, Sendable, CaseIterable {
    case rfc
    case bind
    case unbound
    case google
    case apple
    case appleAlways = "apple-always"

    /// The AAAA records that it treats as absent by default (`SynthesisPolicy.Clause.exclude`).
    package var exclude: AddressMatchList { self == .unbound ? .none : .ipv4Mapped }
}

extension SynthesisPolicy {
    /// Differences between the answers of implementations.
    package struct Behaviour: Hashable, Sendable {
        package enum Reverse: Hashable, Sendable {
            /// A CNAME to the name in in-addr.arpa (RFC 6147 §5.3.1, second option).
            case alias
            /// The same, even if that name has no PTR record.
            case aliasToAnything
            /// That name's PTR records, under the name that was asked for.
            case direct
        }

        /// How several clauses decide that an AAAA record counts as absent.
        package enum Exclusion: Hashable, Sendable {
            /// If any clause excludes it: RFC 6147 §5.1.4 has one list, and no record on it may ever be returned.
            case byAnyClause
            /// If every clause excludes it: each decides for itself, and one that accepts the record is enough.
            case byEveryClause
        }

        /// When a client counts as validating, so that it would reject a synthesised answer as a forgery.
        package enum Validating: Hashable, Sendable {
            /// It sets CD and DO (RFC 6147 §5.5, item 3).
            case setsBoth
            /// It sets CD.
            case setsCheckingDisabled
            /// It sets DO, and the records that would be changed are signed.
            case getsSignatures
        }

        /// Whether A is looked up after an error for AAAA (RFC 6147 §5.1.2: yes); if not, the answer is SERVFAIL.
        package var looksBehindErrors = true
        /// Whether A is looked up even after a name error (no).
        package var looksBehindNameErrors = false
        /// Whether the negative answer's SOA record, or 600 seconds, limit the TTL (RFC 6147 §5.1.7: yes).
        package var limitsTTL = true
        /// Whether the well-known prefix maps any IPv4 address (RFC 6052 §3.1: only global ones).
        package var mapsNonGlobal = false
        package var validating = Validating.setsBoth
        package var reverse = Reverse.alias
        package var exclusion = Exclusion.byAnyClause
        /// Whether a synthesised answer has AD if all of its source records are authentic (RFC 6147 §5.5, item 2: yes).
        package var marksAuthentic = true
        /// Whether an error for A becomes the answer (RFC 6147 §5.1.6: yes); if not, the absence of AAAA does.
        package var passesErrorOfA = true
        /// Whether it answers ipv4only.arpa and its reverse names by itself (RFC 8880 §7.1: yes).
        package var knowsIPv4OnlyName = true

        package init() {}
    }

    /// Makes the policy resemble a real DNS64; prefixes and clients stay as they are.
    package mutating func resemble(_ profile: Profile) {
        behaviour = Behaviour()
        switch profile {
        case .rfc, .apple: break
        case .bind:
            behaviour.looksBehindErrors = false
            behaviour.mapsNonGlobal = true
            behaviour.validating = .getsSignatures
            behaviour.reverse = .aliasToAnything
            behaviour.exclusion = .byEveryClause
            behaviour.marksAuthentic = false
        case .unbound:
            behaviour.looksBehindNameErrors = true
            behaviour.limitsTTL = false
            behaviour.mapsNonGlobal = true
            behaviour.validating = .setsCheckingDisabled
            behaviour.reverse = .direct
            behaviour.marksAuthentic = false
            behaviour.passesErrorOfA = false
            behaviour.knowsIPv4OnlyName = false
        case .google:
            behaviour.mapsNonGlobal = true
        case .appleAlways:
            ignoredAAAA = .all
        }
        for index in clauses.indices { clauses[index].exclude = profile.exclude }
    }
}
