// SPDX-License-Identifier: Apache-2.0
/// The rule that decided an answer.
package enum AnswerRule: String, Codable, Hashable, Sendable, CaseIterable {
    /// The class is not IN, so DNS64 does not apply.
    case otherClass
    /// The answer has real AAAA records.
    case realAAAA
    /// The name does not exist, so nothing is synthesised.
    case nameError
    /// The look-up of AAAA ended in an error, which counts as no data.
    case errorIsEmpty
    /// The look-up of AAAA timed out, which counts as an error.
    case timeOut
    /// AAAA records were excluded.
    case exclusion
    /// There is no AAAA record, so A decides.
    case noAAAA
    /// There are A records, but none of them has a prefix.
    case unmapped
    /// PTR under a Pref64.
    case reverse
    /// Types other than AAAA and PTR pass unchanged.
    case otherType
    /// The client validates by itself.
    case validatingClient
    /// The records that were found do not validate.
    case bogus
    /// ipv4only.arpa, answered by the DNS64 itself.
    case specialUse
    /// The reverse names of its addresses, answered in the same way.
    case specialUseReverse
    /// A resolver without DNS64.
    case plain
    /// The configuration decided.
    case policy
    /// Only the form of the query decided.
    case form
}

extension AnswerRule: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherClass: "RFC 6147 §5.1"
        case .realAAAA: "RFC 6147 §5.1.1"
        case .nameError, .errorIsEmpty: "RFC 6147 §5.1.2"
        case .timeOut: "RFC 6147 §5.1.3"
        case .exclusion: "RFC 6147 §5.1.4"
        case .noAAAA: "RFC 6147 §5.1.6"
        case .unmapped: "RFC 6147 §5.2"
        case .reverse: "RFC 6147 §5.3.1"
        case .otherType: "RFC 6147 §5.3.3"
        case .validatingClient, .bogus: "RFC 6147 §5.5"
        case .specialUse: "RFC 8880 §7.1"
        case .specialUseReverse: "RFC 8880 §7.2"
        case .plain: "RFC 1034 §4.3.2"
        case .policy: "policy"
        case .form: "RFC 1035 §4.1"
        }
    }
}
