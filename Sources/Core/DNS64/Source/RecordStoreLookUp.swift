// SPDX-License-Identifier: Apache-2.0
package import DNSWire

// RFC 1034 §4.3.2 for a server that knows all zones: aliases are followed into all of them.

extension RecordStore {
    /// Number of aliases that are followed before a chain counts as a loop.
    package static let maximumChainLength = 16

    /// The result of a look-up, as far as the store has data.
    package enum LookUpResult: Hashable, Sendable {
        case complete(Answer)
        /// The name is in none of the store's zones, or these aliases lead to one that is in none, or that another store owns; or the class
        /// is not IN.
        case outside(chain: [ResourceRecord], next: DomainName)
        /// The same, but one of the zones delegates the name: `referral` is the whole answer about that.
        case delegated(chain: [ResourceRecord], next: DomainName, referral: Answer)
    }

    /// - Parameters:
    ///   - dnssecOK: whether signatures and proofs of absence are wanted (RFC 4035 §3.1).
    ///   - owner: a store whose zones are deeper than the ones here: aliases that lead into them end there.
    package func lookUp(_ question: Question, dnssecOK: Bool = false, besides owner: RecordStore? = nil) -> LookUpResult
    {
        var answer = Answer(source: source)
        var name = question.name
        guard question.recordClass == .internet || question.recordClass == .any else {
            return .outside(chain: [], next: name)
        }
        for _ in 0...Self.maximumChainLength {
            guard owner?.apex(for: name) == nil, let zone = zone(for: name, question.type) else {
                return .outside(chain: answer.answer, next: name)
            }
            func deny(_ claim: Denial.Claim, _ code: ResponseCode = .noError) -> LookUpResult {
                answer.responseCode = code
                answer.authority += zone.denial(of: name, claim, dnssecOK: dnssecOK)
                return .complete(answer)
            }
            switch zone.step(name, question.type, dnssecOK: dnssecOK) {
            case .data(let records):
                answer.answer += records
                return .complete(answer)
            case .expansion(let records):
                answer.answer += records
                if dnssecOK { answer.authority += zone.proof(that: name, is: .expanded) }
                return .complete(answer)
            case .alias(let records, let target, let proof):
                answer.answer += records
                answer.authority += proof
                name = target
            case .overflow(let records):
                answer.answer += records
                answer.responseCode = .nameShouldNotExist
                return .complete(answer)
            case .delegated(let cut):
                var referral = zone.referral(to: cut, dnssecOK: dnssecOK)
                referral.answer = answer.answer
                return .delegated(chain: answer.answer, next: name, referral: referral)
            case .noData: return deny(.withoutData)
            case .wildcardNoData: return deny(.wildcardWithoutData)
            case .nameError: return deny(.absent, .nameError)
            }
        }
        // RFC 1034 §5.2.2: loops are caught, and signalled as an error.
        return .complete(Answer(.serverFailure, source: source))
    }
}
