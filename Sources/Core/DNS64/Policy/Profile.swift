// SPDX-License-Identifier: Apache-2.0
/// A DNS64 of the field whose answers ours resemble on request, in what matters to a client.
///
/// `docs/dns64-configuration.md` has the table of their traits, and where each was seen.
package enum Profile: String, Hashable, Sendable, CaseIterable {
    case rfc
    case bind
    case unbound
    case google
    case apple
    case appleAlways = "apple-always"

    /// What it takes for absent by default (`SynthesisPolicy.Clause.exclude`).
    package var exclude: AddressMatchList { self == .unbound ? .none : .ipv4Mapped }
}

extension SynthesisPolicy {
    /// Where answers may differ between implementations.
    package struct Behaviour: Hashable, Sendable {
        package enum Reverse: Hashable, Sendable {
            /// A CNAME to the name in in-addr.arpa (RFC 6147 §5.3.1, second option).
            case alias
            /// The same, even where that name has no PTR record.
            case aliasToAnything
            /// That name's PTR records, under the name that was asked for.
            case direct
        }

        /// Which of several clauses decide that an AAAA record counts as absent.
        package enum Exclusion: Hashable, Sendable {
            /// RFC 6147 §5.1.4 knows one list, and nothing in it may ever be returned: so nothing is that any clause names.
            case byAnyClause
            /// Each clause judges for itself, and one that is content is enough.
            case byEveryClause
        }

        /// When a client is taken for one that validates, and would take a synthesised answer for a forgery.
        package enum Validating: Hashable, Sendable {
            /// It sets CD and DO (RFC 6147 §5.5, item 3).
            case setsBoth
            /// It sets CD.
            case setsCheckingDisabled
            /// It sets DO, and what would be changed is signed.
            case getsSignatures
        }

        /// Whether an error in place of AAAA leads to A (RFC 6147 §5.1.2: it does), or is the end: SERVFAIL.
        package var looksBehindErrors = true
        /// Whether even a name error does (it does not).
        package var looksBehindNameErrors = false
        /// Whether the negative answer's SOA record, or 600 seconds, limit the TTL (RFC 6147 §5.1.7: they do).
        package var limitsTTL = true
        /// Whether the well-known prefix carries any IPv4 address (RFC 6052 §3.1: global ones alone).
        package var mapsNonGlobal = false
        package var validating = Validating.setsBoth
        package var reverse = Reverse.alias
        package var exclusion = Exclusion.byAnyClause
        /// Whether a synthesised answer has AD, if all that it was made from is authentic (RFC 6147 §5.5, item 2: it has).
        package var marksAuthentic = true
        /// Whether an error in place of A is the answer (RFC 6147 §5.1.6: it is), or the absence of AAAA.
        package var passesErrorOfA = true
        /// Whether it answers ipv4only.arpa and its reverse names by itself (RFC 8880 §7.1: it does).
        package var knowsIPv4OnlyName = true

        package init() {}
    }

    /// Makes the policy resemble a DNS64 of the field; prefixes and clients stay as they are.
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
