// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

// From a resolution's look-ups to the sources of the answers: special-use names, the store, the cache, a forwarder.

extension Resolver {
    /// The result for the name at the end of a chain of aliases.
    private enum Found {
        case outcome(Resolution.Outcome)
        /// The chain has become longer, and the look-up continues.
        case alias
        /// A forwarder must be asked for this.
        case elsewhere(AnswerCache.Key)
    }

    /// Performs a query's action, and those that follow from it, until it is answered or has to wait.
    mutating func proceed(
        _ query: PendingQuery, _ action: Resolution.Action, at now: Instant, _ actions: inout [Action]
    ) {
        var query = query
        var action = action
        while true {
            switch action {
            case .respond(let resolved):
                return respond(resolved, to: query, &actions)
            case .lookUp(let question):
                query.lookUp = AliasChain(question)
                guard let outcome = search(&query, at: now, &actions) else { return }
                action = query.resolution.receive(outcome)
            }
        }
    }

    /// Looks up the name that the aliases have reached. `nil` if the query waits for a forwarder, or has been refused.
    private mutating func search(
        _ query: inout PendingQuery, at now: Instant, _ actions: inout [Action]
    ) -> Resolution.Outcome? {
        while true {
            switch find(&query, at: now) {
            case .outcome(let outcome): return outcome
            case .alias: continue
            case .elsewhere(let key):
                guard let number = park(query) else {
                    refuse(query.message, .tooMany, query.arrival, &actions)
                    return nil
                }
                let ofClient = (pendingOfClient[query.arrival.client.address] ?? 1) - 1
                if forwarding?.ask(key, for: number, ofClient: ofClient, at: now, &actions) == true { return nil }
                _ = unpark(number)
                refuse(query.message, .tooMany, query.arrival, &actions)
                return nil
            }
        }
    }

    private mutating func find(_ query: inout PendingQuery, at now: Instant) -> Found {
        // RFC 1034 §5.2.2: loops are caught, and signalled as an error.
        if query.lookUp.isTooLong { return .outcome(.answered(.serverFailure)) }
        let wanted = query.lookUp.wanted
        let refusal = Resolution.Outcome.answered(Answer(.refused, source: .none))
        // CH and HS are not served, neither here nor by the forwarders.
        guard wanted.recordClass == .internet || wanted.recordClass == .any else { return .outcome(refusal) }
        let special = query.policy.behaviour.knowsIPv4OnlyName ? IPv4OnlyName.store : nil
        if case .complete(let answer) = special?.lookUp(wanted, dnssecOK: query.dnssecOK) {
            return found(answer, query)
        }
        if configuration.validation != nil, !query.checkingDisabled, wanted.recordClass == .internet {
            return elsewhere(&query, at: now) ?? .outcome(refusal)
        }
        switch configuration.store.lookUp(wanted, dnssecOK: query.dnssecOK, besides: special) {
        case .complete(let answer):
            return found(answer, query)
        case .outside(let aliases, let next):
            query.lookUp.follow(aliases, to: next)
            // A zone of the world above the special-use name does not own it.
            if !aliases.isEmpty, special?.apex(for: next) != nil { return .alias }
            // Without a forwarder, no server knows more.
            return elsewhere(&query, at: now) ?? .outcome(refusal)
        case .delegated(let aliases, let next, let referral):
            query.lookUp.follow(aliases, to: next)
            if let found = elsewhere(&query, at: now) { return found }
            // A query without RD gets a referral; with RD it fails, as the servers in the referral cannot be asked.
            guard !query.message.flags.contains(.recursionDesired) else { return .outcome(.answered(.serverFailure)) }
            var referral = referral
            referral.answer = []
            return found(referral, query)
        }
    }

    /// The knowledge of other servers about the name; `nil` if they cannot be asked.
    private mutating func elsewhere(_ query: inout PendingQuery, at now: Instant) -> Found? {
        guard let forwarding else { return nil }
        let key = AnswerCache.Key(
            question: query.lookUp.wanted, dnssecOK: query.dnssecOK, checkingDisabled: query.checkingDisabled)
        guard forwarding.hasServer(for: key) else { return nil }
        if let answer = cache.answer(to: key, at: now) { return take(answer, to: key, &query) }
        if let failure = cache.failure(of: key, at: now) { return take(failure, to: key, &query) }
        // RFC 1034 §4.3.1: recursion only for clients that ask for it. The validator has our records, and does its own recursion.
        if forwarding.isValidated(key) || query.message.flags.contains(.recursionDesired) { return .elsewhere(key) }
        guard query.lookUp.hasForeignAliases else { return nil }
        return found(Answer(source: .cache), query)
    }

    /// Uses another server's answer. The validator has followed the aliases itself, and a part of its answer would prove nothing.
    private func take(_ answer: Answer, to key: AnswerCache.Key, _ query: inout PendingQuery) -> Found {
        let isAsked = key.question.type == .cname || key.question.type == .any
        guard forwarding?.isValidated(key) == false, !isAsked,
            let (aliases, target) = answer.openAliases(from: query.lookUp.name, isOwn: { isOwn($0, query) })
        else { return found(answer, query) }
        query.lookUp.follow(aliases, to: target, source: answer.source)
        return .alias
    }

    private func take(_ failure: FailedLookUp, to key: AnswerCache.Key, _ query: inout PendingQuery) -> Found {
        query.failures += failure.failures
        return if case .answered(let answer) = failure.outcome { take(answer, to: key, &query) } else {
            .outcome(.timedOut)
        }
    }

    /// Whether we answer for a name ourselves.
    private func isOwn(_ name: DomainName, _ query: PendingQuery) -> Bool {
        if query.policy.behaviour.knowsIPv4OnlyName, IPv4OnlyName.store.apex(for: name) != nil { return true }
        let question = Question(name: name, type: query.lookUp.question.type)
        return switch configuration.store.lookUp(question, dnssecOK: query.dnssecOK) {
        case .complete: true
        // An alias of ours that leads outside is still ours; a delegated name is not.
        case .outside(let chain, _), .delegated(let chain, _, _): !chain.isEmpty
        }
    }

    private func found(_ answer: Answer, _ query: PendingQuery) -> Found {
        .outcome(.answered(withoutContradiction(query.lookUp.leading(to: answer), query)))
    }

    /// RFC 8020 §2: no names exist below one that does not. So a name above one of ours exists, even if another server, which does not know
    /// ours, denies it; it has no data.
    private func withoutContradiction(_ answer: Answer, _ query: PendingQuery) -> Answer {
        guard answer.responseCode == .nameError else { return answer }
        let name = answer.end(of: query.lookUp.question.name)
        let isAbove =
            configuration.store.isAbove(name)
            || query.policy.behaviour.knowsIPv4OnlyName && IPv4OnlyName.store.isAbove(name)
            || ReverseName.ipv6Zone.isSubdomain(of: name) && !query.policy.clauses.isEmpty
            || name.isSubdomain(of: ReverseName.ipv6Zone)
                && ReverseZone.all(query.policy).contains { $0.apex.isSubdomain(of: name) }
        guard isAbove else { return answer }
        var corrected = answer
        corrected.responseCode = .noError
        corrected.isAuthentic = false
        // The proof was for the opposite.
        corrected.authority = answer.authority.filter { $0.type == .soa }
        return corrected
    }

    /// Continues all queries that waited for a request.
    mutating func resume(_ finished: QueryForwarding.Finished, at now: Instant, _ actions: inout [Action]) {
        let failure = finished.failures.map { FailedLookUp(outcome: finished.outcome, failures: $0) }
        if let failure {
            cache.store(failure, for: finished.key, at: now)
        } else if case .answered(let answer) = finished.outcome {
            cache.store(answer, for: finished.key, at: now)
        }
        for number in finished.waiting {
            guard var query = unpark(number) else { continue }
            let found: Found =
                if let failure {
                    take(failure, to: finished.key, &query)
                } else if case .answered(let answer) = finished.outcome {
                    take(answer, to: finished.key, &query)
                } else {
                    .outcome(finished.outcome)
                }
            let outcome: Resolution.Outcome
            if case .outcome(let known) = found {
                outcome = known
            } else if let known = search(&query, at: now, &actions) {
                outcome = known
            } else {
                continue
            }
            let action = query.resolution.receive(outcome)
            proceed(query, action, at: now, &actions)
        }
    }
}
