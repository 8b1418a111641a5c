// SPDX-License-Identifier: Apache-2.0
package import DNSWire
import Translation
package import Wire

/// One query on its way through RFC 6147 §5: look-ups are its output, their outcomes its input, and the last action is a response.
///
/// Theory of operation. `start` returns the first action. After a `.lookUp` the caller performs it and passes the outcome to `receive`;
/// after a `.respond` no method may be called. A query takes at most two look-ups.
///
///     start ──> lookUp(AAAA) ──real AAAA, NXDOMAIN, bogus───────> respond
///                    └──────── no AAAA, error, time-out ──> lookUp(A) ──> respond
///     start ──> lookUp(A) ──────────────────────────────────────> respond     AAAA is ignored by configuration
///     start ──> lookUp(name in in-addr.arpa) ───────────────────> respond     an address below a prefix's reverse zone
///     start ────────────────────────────────────────────────────> respond     another name of that zone
///     start ──> lookUp(as asked) ───────────────────────────────> respond     no synthesis
///
/// `SynthesisPolicy.behaviour` changes some of these.
package struct Resolution: Sendable {
    package enum Action: Hashable, Sendable {
        case lookUp(Question)
        case respond(Resolved)
    }

    /// The outcome of a look-up.
    package enum Outcome: Hashable, Sendable {
        case answered(Answer)
        /// No answer came in time.
        case timedOut
    }

    /// The client's question and flags.
    package struct Query: Hashable, Sendable {
        package var question: Question
        package var client: IPAddress
        package var recursionDesired: Bool
        /// CD
        package var checkingDisabled: Bool
        /// DO
        package var dnssecOK: Bool
        /// For a name below `ip6.arpa`: the name in the world's zones whose records answer for it (`RecordStore.reverseOwner`). `nil` for
        /// other names, and if no zone contains it.
        package var reverseOwner: DomainName?

        package init(
            _ question: Question, client: IPAddress, recursionDesired: Bool = true,
            checkingDisabled: Bool = false, dnssecOK: Bool = false, reverseOwner: DomainName? = nil
        ) {
            self.question = question
            self.client = client
            self.recursionDesired = recursionDesired
            self.checkingDisabled = checkingDisabled
            self.dnssecOK = dnssecOK
            self.reverseOwner = reverseOwner
        }
    }

    /// The answer, and the reasons for it.
    package struct Resolved: Hashable, Sendable {
        package var answer: Answer
        package var rule: AnswerRule
        /// The IPv4 addresses from which AAAA records were made; empty if none were.
        package var synthesisedFrom: [IPv4Address] = []
        /// The reason why no records were made, or not from all addresses.
        package var reason: NoAnswerReason?
    }

    enum State {
        case lookingUpAAAA
        /// `rule` is the reason for looking up A, `aaaa` the result of looking up AAAA.
        case lookingUpA(rule: AnswerRule, aaaa: Answer?)
        case lookingUpPTR(IPv4Address, zone: ReverseZone)
        /// `reason` is the reason why there is no AAAA record, if there is none.
        case passingThrough(AnswerRule, reason: NoAnswerReason?)
    }

    let query: Query
    let policy: SynthesisPolicy
    /// The policy's clauses that apply to this query.
    private var clauses: [SynthesisPolicy.Clause]
    var state = State.passingThrough(.plain, reason: nil)

    package init(_ query: Query, policy: SynthesisPolicy) {
        self.query = query
        self.policy = policy
        clauses = policy.clauses.filter { clause in
            clause.clients.contains(query.client) && (query.recursionDesired || !clause.recursiveOnly)
        }
    }

    // MARK: The query

    package mutating func start() -> Action {
        let question = query.question
        guard !policy.clauses.isEmpty else { return pass(.plain) }
        // RFC 6147 §5.1: DNS64 is for class IN.
        guard question.recordClass == .internet else { return pass(.otherClass) }
        // Before the check of this client's clauses: RFC 6147 §5.3.1 applies to all prefixes of the policy.
        if let action = startReverse() { return action }
        guard !clauses.isEmpty else { return pass(.policy, .noClause) }

        switch question.type {
        case .aaaa:
            if !policy.synthesisedNames.contains(question.name) { return pass(.plain, .discoveryOnly) }
            if policy.excludedNames.contains(question.name) { return pass(.policy, .excludedName) }
            // RFC 6147 §5.5, item 3: with CD and DO set the client validates, and a synthesised answer would fail its validation.
            if isValidating {
                clauses.removeAll { !$0.breakDNSSEC }
                if clauses.isEmpty { return pass(.validatingClient, .validatingClient) }
            }
            if policy.ignoredAAAA.contains(question.name) { return lookUpA(.policy, aaaa: nil) }
            state = .lookingUpAAAA
            return .lookUp(question)
        case .a where policy.suppressedA.contains(question.name):
            return pass(.policy)
        default:
            return pass(.otherType)
        }
    }

    private mutating func pass(_ rule: AnswerRule, _ reason: NoAnswerReason? = nil) -> Action {
        state = .passingThrough(rule, reason: reason)
        return .lookUp(query.question)
    }

    private mutating func lookUpA(_ rule: AnswerRule, aaaa: Answer?) -> Action {
        state = .lookingUpA(rule: rule, aaaa: aaaa)
        return .lookUp(Question(name: query.question.name, type: .a))
    }

    // MARK: Outcomes

    package mutating func receive(_ outcome: Outcome) -> Action {
        switch state {
        case .lookingUpAAAA: receiveAAAA(outcome)
        case .lookingUpA(let rule, let aaaa): .respond(receiveA(outcome, rule: rule, aaaa: aaaa))
        case .lookingUpPTR(let address, let zone): .respond(receivePTR(outcome, for: address, in: zone))
        case .passingThrough(let rule, let reason): .respond(passThrough(outcome, rule, reason))
        }
    }

    private mutating func receiveAAAA(_ outcome: Outcome) -> Action {
        // RFC 6147 §5.1.3: no answer in time "is treated as RCODE=2 (Server failure)".
        guard case .answered(let answer) = outcome else {
            guard policy.behaviour.looksBehindErrors else {
                return .respond(Resolved(answer: .serverFailure, rule: .policy))
            }
            return lookUpA(.timeOut, aaaa: nil)
        }
        // RFC 6147 §5.5, item 2: an answer that does not validate is not an absence of AAAA.
        if answer.isBogus { return .respond(Resolved(answer: answer, rule: .bogus)) }
        switch answer.responseCode {
        case .noError: break
        case .nameError where !policy.behaviour.looksBehindNameErrors:
            return .respond(Resolved(answer: answer, rule: .nameError))
        // RFC 6147 §5.1.2: "Any other RCODE is treated as though the RCODE were 0 […] and the answer section were empty."
        default:
            guard policy.behaviour.looksBehindErrors else {
                return .respond(Resolved(answer: .serverFailure, rule: .policy))
            }
            return lookUpA(.errorIsEmpty, aaaa: nil)
        }

        let excluding = clauses(for: answer, .aaaa)
        let usable = answer.removing { record in
            if case .aaaa(let address) = record.data { return isExcluded(address, by: excluding) }
            return false
        }
        let wasFiltered = usable.answer.count < answer.answer.count
        guard usable.answer.contains(where: { $0.type == .aaaa }) else {
            return lookUpA(wasFiltered ? .exclusion : .noAAAA, aaaa: usable)
        }
        guard wasFiltered else { return .respond(Resolved(answer: answer, rule: .realAAAA)) }
        // The rest of a set is not what was signed.
        return .respond(Resolved(answer: usable.unsigned(.aaaa), rule: .exclusion))
    }

    /// Whether the client will validate, judging by its query.
    private var isValidating: Bool {
        switch policy.behaviour.validating {
        case .setsBoth: query.checkingDisabled && query.dnssecOK
        case .setsCheckingDisabled: query.checkingDisabled
        case .getsSignatures: false
        }
    }

    /// The clauses that may change an answer's records of `type`. With BIND's behaviour (`.getsSignatures`), only clauses with
    /// `break-dnssec` may if the client sets DO and the records are signed.
    private func clauses(for answer: Answer, _ type: RecordType) -> [SynthesisPolicy.Clause] {
        let isSpared =
            policy.behaviour.validating == .getsSignatures && query.dnssecOK
            && answer.answer.contains { $0.coveredType == type }
        return isSpared ? clauses.filter(\.breakDNSSEC) : clauses
    }

    private func isExcluded(_ address: IPv6Address, by clauses: [SynthesisPolicy.Clause]) -> Bool {
        switch policy.behaviour.exclusion {
        case .byAnyClause: clauses.contains { $0.exclude.contains(.ipv6(address)) }
        case .byEveryClause: !clauses.isEmpty && clauses.allSatisfy { $0.exclude.contains(.ipv6(address)) }
        }
    }

    private func receiveA(_ outcome: Outcome, rule: AnswerRule, aaaa: Answer?) -> Resolved {
        guard case .answered(let answer) = outcome else { return Resolved(answer: .serverFailure, rule: rule) }
        if answer.isBogus { return Resolved(answer: answer, rule: .bogus) }
        let sources = answer.answer.compactMap { record -> IPv4Address? in
            if case .a(let address) = record.data { address } else { nil }
        }
        // RFC 6147 §5.1.6: "If this new A RR query results in an empty answer or in an error, then the empty result or error
        // is used as the basis for the answer returned to the querying client."
        guard answer.responseCode == .noError, !sources.isEmpty else {
            if !policy.behaviour.passesErrorOfA, answer.responseCode != .noError, let aaaa {
                return Resolved(answer: aaaa, rule: .policy)
            }
            return Resolved(answer: answer.unsigned(.a).removing { $0.type == .a }, rule: rule)
        }

        let synthesising = clauses(for: answer, .a)
        guard !synthesising.isEmpty else {
            let absence = aaaa ?? answer.unsigned(.a).removing { $0.type == .a }
            return Resolved(answer: absence, rule: .validatingClient, reason: .validatingClient)
        }
        let synthesis = AddressSynthesis(clauses: synthesising, policy: policy, negativeTTL: aaaa?.negativeTTL)
        let (mapped, reason) = synthesis.fate(of: sources)
        var result = synthesis.apply(to: answer)
        guard result.answer.contains(where: { $0.type == .aaaa }) else {
            // No A record was mapped, so the answer is that there is no AAAA record, with the SOA record of the answer for AAAA, for
            // negative caching.
            result.authority = aaaa?.authority ?? []
            return Resolved(answer: result, rule: .unmapped, reason: reason)
        }
        result.isAuthentic = rule == .noAAAA && isAuthentic(answer, absence: aaaa)
        return Resolved(answer: result, rule: rule, synthesisedFrom: mapped, reason: reason)
    }

    /// Whether a synthesised answer has the AD flag.
    ///
    /// RFC 6147 §5.5, item 2: with DO and without CD, AD SHOULD be set if the absence of AAAA and the A records both validate. Item 1
    /// forbids it without DO. A client may show by AD in its query that it understands the bit (RFC 6840 §5.7), but that does not change
    /// this: §5.8 there permits AD, and does not require it.
    private func isAuthentic(_ answer: Answer, absence: Answer?) -> Bool {
        policy.behaviour.marksAuthentic && query.dnssecOK && !query.checkingDisabled && answer.isAuthentic
            && absence?.isAuthentic == true
    }

    private func passThrough(_ outcome: Outcome, _ rule: AnswerRule, _ reason: NoAnswerReason?) -> Resolved {
        guard case .answered(var answer) = outcome else { return Resolved(answer: .serverFailure, rule: rule) }
        if query.question.type == .a, policy.suppressedA.contains(query.question.name) {
            answer = answer.unsigned(.a).removing { $0.type == .a }
        }
        guard answer.source == .specialUse else {
            let isEmpty = answer.responseCode == .noError && !answer.answer.contains { $0.type == .aaaa }
            let needsReason = query.question.type == .aaaa && isEmpty
            return Resolved(answer: answer, rule: rule, reason: needsReason ? reason : nil)
        }
        return Resolved(answer: answer, rule: query.question.type == .ptr ? .specialUseReverse : .specialUse)
    }
}

// MARK: - Changes to answers

extension Answer {
    /// SERVFAIL (RFC 1035 §4.1.1, RCODE 2): there was no usable answer.
    static let serverFailure = Answer(.serverFailure, source: .none)

    /// The answer without the records that match `isUnwanted`.
    func removing(_ isUnwanted: (ResourceRecord) -> Bool) -> Answer {
        var changed = self
        changed.answer.removeAll(where: isUnwanted)
        return changed
    }

    /// The answer without the signatures over records of `type`, and no longer authentic.
    func unsigned(_ type: RecordType) -> Answer {
        var changed = removing { $0.coveredType == type }
        changed.isAuthentic = false
        return changed
    }
}
