/// A DNS64 of the field whose answers ours resemble on request, in what matters to a client.
///
/// | profile | asks for A after | TTL | exclusion | non-global under the WKP | CD | PTR |
/// | --- | --- | --- | --- | --- | --- | --- |
/// | rfc | no data, errors | A, SOA or 600 s | ::ffff:0:0/96 | no | with DO: none | CNAME |
/// | bind | no data | A, SOA or 600 s | ::ffff:0:0/96 | yes | with DO: none | CNAME |
/// | unbound | everything but data | A | none | yes | none | PTR |
/// | google | no data, errors | A, SOA or 600 s | ::ffff:0:0/96 | yes | with DO: none | CNAME |
/// | apple | as rfc | | | | | |
/// | apple-always | always | A or 600 s | all | no | with DO: none | CNAME |
///
/// Unbound's PTR answers without CNAME were read in its source (`dns64/dns64.c`, `dns64_adjust_ptr`), its other traits in
/// part of it; BIND's are from memory of `lib/ns/query.c`, and want checking against a release before they are relied on.
/// Of Google's service and Apple's test network only what can be seen from outside is known; in the rest they are taken for
/// what the RFC says.
public enum Profile: String, Hashable, Sendable, CaseIterable {
    case rfc
    case bind
    case unbound
    case google
    case apple
    case appleAlways = "apple-always"
}

extension SynthesisPolicy {
    /// Where answers may differ between implementations.
    public struct Behaviour: Hashable, Sendable {
        public enum Reverse: Hashable, Sendable {
            /// A CNAME to the name in in-addr.arpa (RFC 6147 §5.3.1, second option).
            case alias
            /// That name's PTR records, under the name that was asked for.
            case direct
        }

        /// Whether an error in place of AAAA leads to A (RFC 6147 §5.1.2: it does).
        public var looksBehindErrors = true
        /// Whether even a name error does (it does not).
        public var looksBehindNameErrors = false
        /// Whether the negative answer's SOA record, or 600 seconds, limit the TTL (RFC 6147 §5.1.7: they do).
        public var limitsTTL = true
        /// Whether the well-known prefix carries any IPv4 address (RFC 6052 §3.1: global ones alone).
        public var mapsNonGlobal = false
        /// Whether CD alone keeps from synthesising (RFC 6147 §5.5: CD and DO together do).
        public var honoursCheckingDisabledAlone = false
        public var reverse = Reverse.alias

        public init() {}
    }

    /// Makes the policy resemble a DNS64 of the field; prefixes and clients stay as they are.
    public mutating func resemble(_ profile: Profile) {
        behaviour = Behaviour()
        switch profile {
        case .rfc, .apple: break
        case .bind:
            behaviour.looksBehindErrors = false
            behaviour.mapsNonGlobal = true
        case .unbound:
            behaviour.looksBehindNameErrors = true
            behaviour.limitsTTL = false
            behaviour.mapsNonGlobal = true
            behaviour.honoursCheckingDisabledAlone = true
            behaviour.reverse = .direct
            for index in clauses.indices { clauses[index].exclude = .none }
        case .google:
            behaviour.mapsNonGlobal = true
        case .appleAlways:
            ignoredAAAA = .all
        }
    }
}
