public import DNSWire
import Translation
public import Wire

/// One query on its way through RFC 6147 §5: look-ups go out, their outcomes come in, and at the end there is a response.
///
/// Theory of operation. `start` gives the first action. After each `.lookUp` the loop performs it and calls `receive` with
/// what came of it; after `.respond` nothing may be called any more. A query takes two look-ups at most.
///
///     start ──> lookUp(AAAA) ──real AAAA, NXDOMAIN──────────────> respond
///                    └──────── no AAAA, error, time-out ──> lookUp(A) ──> respond
///     start ──> lookUp(PTR in in-addr.arpa) ────────────────────> respond
///     start ──> lookUp(as asked) ───────────────────────────────> respond, unchanged
public struct Resolution: Sendable {
    public enum Action: Hashable, Sendable {
        case lookUp(Question)
        case respond(Resolved)
    }

    /// What came of a look-up.
    public enum Outcome: Hashable, Sendable {
        case answered(Answer)
        /// Nobody answered in time.
        case timedOut
    }

    /// What the client asked, and how.
    public struct Query: Hashable, Sendable {
        public var question: Question
        public var client: IPAddress
        public var recursionDesired: Bool
        /// CD
        public var checkingDisabled: Bool
        /// DO
        public var dnssecOK: Bool

        public init(
            _ question: Question, client: IPAddress, recursionDesired: Bool = true,
            checkingDisabled: Bool = false, dnssecOK: Bool = false
        ) {
            self.question = question
            self.client = client
            self.recursionDesired = recursionDesired
            self.checkingDisabled = checkingDisabled
            self.dnssecOK = dnssecOK
        }
    }

    /// The answer, and how it came about.
    public struct Resolved: Hashable, Sendable {
        public var answer: Answer
        public var rule: Rule
        /// The IPv4 addresses that AAAA records were made from; empty where none were.
        public var synthesisedFrom: [IPv4Address] = []
    }

    private enum State {
        case lookingUpAAAA
        /// `rule` says why A is looked up at all, `aaaa` what the look-up of AAAA found.
        case lookingUpA(rule: Rule, aaaa: Answer?)
        case lookingUpPTR(IPv6Address)
        case passingThrough(Rule)
    }

    private let query: Query
    private let policy: SynthesisPolicy
    /// The policy's clauses that apply to this query.
    private let clauses: [SynthesisPolicy.Clause]
    private var state = State.passingThrough(.plain)

    public init(_ query: Query, policy: SynthesisPolicy) {
        self.query = query
        self.policy = policy
        clauses = policy.clauses.filter { clause in
            clause.clients.contains(query.client) && (query.recursionDesired || !clause.recursiveOnly)
        }
    }

    // MARK: The query

    public mutating func start() -> Action {
        let question = query.question
        guard !clauses.isEmpty else { return pass(policy.clauses.isEmpty ? .plain : .policy) }
        // RFC 6147 §5.1: DNS64 is for class IN.
        guard question.recordClass == .internet else { return pass(.otherClass) }

        switch question.type {
        case .aaaa:
            if policy.excludedNames.contains(question.name) { return pass(.policy) }
            // RFC 6147 §5.5, item 3: with CD and DO set the client validates, and a synthesised answer would be a forgery.
            if isValidating { return pass(.validatingClient) }
            if policy.ignoredAAAA.contains(question.name) { return lookUpA(.policy, aaaa: nil) }
            state = .lookingUpAAAA
            return .lookUp(question)
        case .ptr:
            return startReverse()
        case .a where policy.suppressedA.contains(question.name):
            return pass(.policy)
        default:
            return pass(.otherType)
        }
    }

    private mutating func pass(_ rule: Rule) -> Action {
        state = .passingThrough(rule)
        return .lookUp(query.question)
    }

    private mutating func lookUpA(_ rule: Rule, aaaa: Answer?) -> Action {
        state = .lookingUpA(rule: rule, aaaa: aaaa)
        return .lookUp(Question(name: query.question.name, type: .a))
    }

    // MARK: Outcomes

    public mutating func receive(_ outcome: Outcome) -> Action {
        switch state {
        case .lookingUpAAAA: receiveAAAA(outcome)
        case .lookingUpA(let rule, let aaaa): .respond(receiveA(outcome, rule: rule, aaaa: aaaa))
        case .lookingUpPTR(let address): .respond(receivePTR(outcome, for: address))
        case .passingThrough(let rule): .respond(passThrough(outcome, rule))
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
        // RFC 6147 §5.5, item 2: what does not validate is no absence of AAAA.
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

        let usable = answer.removing { record in
            if case .aaaa(let address) = record.data { return isExcluded(address) }
            return false
        }
        let wasFiltered = usable.answer.count < answer.answer.count
        guard usable.answer.contains(where: { $0.type == .aaaa }) else {
            if isShown(answer.authority) { return .respond(Resolved(answer: usable, rule: .validatingClient)) }
            return lookUpA(wasFiltered ? .exclusion : .noAAAA, aaaa: usable)
        }
        guard wasFiltered else { return .respond(Resolved(answer: answer, rule: .realAAAA)) }
        // What is left of a set is not what was signed.
        return .respond(Resolved(answer: usable.unsigned(.aaaa), rule: .exclusion))
    }

    /// Whether the client will validate, by what it asks.
    private var isValidating: Bool {
        if clauses.contains(where: \.breakDNSSEC) { return false }
        return switch policy.behaviour.validating {
        case .setsBoth: query.checkingDisabled && query.dnssecOK
        case .setsCheckingDisabled: query.checkingDisabled
        case .getsSignatures: false
        }
    }

    /// Whether the client will validate, by what it could be shown.
    private func isShown(_ records: [ResourceRecord]) -> Bool {
        policy.behaviour.validating == .getsSignatures && query.dnssecOK && !clauses.contains(where: \.breakDNSSEC)
            && records.contains { $0.type == .rrsig }
    }

    private func isExcluded(_ address: IPv6Address) -> Bool {
        clauses.contains { $0.exclude.contains(.ipv6(address)) }
    }

    private func receiveA(_ outcome: Outcome, rule: Rule, aaaa: Answer?) -> Resolved {
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

        if isShown(answer.answer) {
            let absence = aaaa ?? answer.unsigned(.a).removing { $0.type == .a }
            return Resolved(answer: absence, rule: .validatingClient)
        }
        let synthesis = AddressSynthesis(clauses: clauses, policy: policy, negativeTTL: aaaa?.negativeTTL)
        var result = synthesis.apply(to: answer)
        guard result.answer.contains(where: { $0.type == .aaaa }) else {
            // The A records are no answer, so the absence of AAAA is, with the SOA record that lets it be remembered.
            result.authority = aaaa?.authority ?? []
            return Resolved(answer: result, rule: .unmapped)
        }
        return Resolved(answer: result, rule: rule, synthesisedFrom: sources)
    }

    private func passThrough(_ outcome: Outcome, _ rule: Rule) -> Resolved {
        guard case .answered(var answer) = outcome else { return Resolved(answer: .serverFailure, rule: rule) }
        if query.question.type == .a, policy.suppressedA.contains(query.question.name) {
            answer = answer.unsigned(.a).removing { $0.type == .a }
        }
        guard answer.source == .specialUse else { return Resolved(answer: answer, rule: rule) }
        return Resolved(answer: answer, rule: query.question.type == .ptr ? .specialUseReverse : .specialUse)
    }
}

// MARK: - Reverse (RFC 6147 §5.3.1)

extension Resolution {
    private mutating func startReverse() -> Action {
        guard let address = ReverseName.ipv6Address(of: query.question.name), let ipv4 = embedded(in: address) else {
            // "the DNS64 server MUST process the query as though it were any other query"
            return pass(.otherType)
        }
        state = .lookingUpPTR(address)
        return .lookUp(Question(name: ReverseName.name(of: ipv4), type: .ptr))
    }

    /// The IPv4 address in `address`, where that lies under one of the prefixes or the well-known one.
    private func embedded(in address: IPv6Address) -> IPv4Address? {
        for prefix in clauses.map(\.prefix) + [.wellKnown] {
            if let ipv4 = prefix.extract(address) { return ipv4 }
        }
        return nil
    }

    private func receivePTR(_ outcome: Outcome, for address: IPv6Address) -> Resolved {
        guard case .answered(var answer) = outcome else { return Resolved(answer: .serverFailure, rule: .reverse) }
        answer.isAuthentic = false
        let name = query.question.name
        guard let first = answer.answer.first, answer.answer.contains(where: { $0.type == .ptr }) else {
            // "the DNS64 nameserver SHOULD ensure that there is RDATA at the PTR of the corresponding IN-ADDR.ARPA name": no
            // alias leads to nothing. The SOA record is another name's, so it does not go along.
            var nothing = Answer(answer.responseCode, source: answer.source)
            if policy.behaviour.reverse == .aliasToAnything, let ipv4 = embedded(in: address) {
                nothing.answer = [
                    ResourceRecord(
                        name: name, ttl: AddressSynthesis.longestTTLWithoutSOA, data: .cname(ReverseName.name(of: ipv4))
                    )
                ]
            }
            return Resolved(answer: nothing, rule: .reverse)
        }
        // RFC 8880 §7.2: the reverse names of the two addresses under the prefix have PTR records themselves.
        if answer.source == .specialUse || policy.behaviour.reverse == .direct {
            answer.answer = answer.answer.filter { $0.type == .ptr }
            for index in answer.answer.indices { answer.answer[index].name = name }
            return Resolved(answer: answer, rule: answer.source == .specialUse ? .specialUseReverse : .reverse)
        }
        let alias = ResourceRecord(name: name, ttl: first.ttl, data: .cname(first.name))
        answer.answer.insert(alias, at: 0)
        return Resolved(answer: answer, rule: .reverse)
    }
}

// MARK: - Answers, changed

extension Answer {
    /// RFC 1035 §4.1.1, RCODE 2: whoever should know could not be asked.
    static let serverFailure = Answer(.serverFailure, source: .none)

    /// Without the records that `isUnwanted` names.
    func removing(_ isUnwanted: (ResourceRecord) -> Bool) -> Answer {
        var changed = self
        changed.answer.removeAll(where: isUnwanted)
        return changed
    }

    /// Without the signatures over records of `type`, and no longer authentic.
    func unsigned(_ type: RecordType) -> Answer {
        var changed = removing { $0.coveredType == type }
        changed.isAuthentic = false
        return changed
    }
}
