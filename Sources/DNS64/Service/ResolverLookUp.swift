import DNSWire
import Wire

// From a resolution's look-ups to where the answers are: special-use names, the store, the cache, a forwarder.

extension Resolver {
    private enum Found {
        case answer(Answer)
        /// A forwarder is asked for this, and the aliases before it are known.
        case elsewhere(chain: [ResourceRecord], AnswerCache.Key)
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
                switch find(question, for: query, at: now) {
                case .answer(let answer):
                    action = query.resolution.receive(.answered(answer))
                case .elsewhere(let chain, let key):
                    query.chain = chain
                    guard let number = park(query) else {
                        return refuse(query.message, .tooMany, query.arrival, &actions)
                    }
                    if forwarding?.ask(key, for: number, at: now, &actions) == true { return }
                    _ = unpark(number)
                    return refuse(query.message, .tooMany, query.arrival, &actions)
                }
            }
        }
    }

    private mutating func find(_ question: Question, for query: PendingQuery, at now: Instant) -> Found {
        if query.policy.behaviour.knowsIPv4OnlyName,
            case .complete(let answer) = IPv4OnlyName.store.lookUp(question, dnssecOK: query.dnssecOK)
        {
            return .answer(answer)
        }
        if configuration.validation != nil, !query.checkingDisabled, question.recordClass == .internet {
            return elsewhere(question, question.name, [], for: query, at: now)
                ?? .answer(Answer(.refused, source: .none))
        }
        switch configuration.store.lookUp(question, dnssecOK: query.dnssecOK) {
        case .complete(let answer):
            return .answer(answer)
        case .outside(let chain, let next):
            // Nobody knows more.
            let refusal = Answer(.refused, source: .none)
            return elsewhere(question, next, chain, for: query, at: now) ?? .answer(refusal)
        case .delegated(let chain, let next, let referral):
            if let found = elsewhere(question, next, chain, for: query, at: now) { return found }
            // Whoever asks for no recursion gets to know who could be asked; for the others these cannot be.
            return .answer(query.message.flags.contains(.recursionDesired) ? .serverFailure : referral)
        }
    }

    /// What others know of a name; nil where they cannot be asked.
    private mutating func elsewhere(
        _ question: Question, _ next: DomainName, _ chain: [ResourceRecord], for query: PendingQuery, at now: Instant
    ) -> Found? {
        guard let forwarding else { return nil }
        let key = AnswerCache.Key(
            question: Question(name: next, type: question.type, recordClass: question.recordClass),
            dnssecOK: query.dnssecOK, checkingDisabled: query.checkingDisabled)
        guard forwarding.hasServer(for: key) else { return nil }
        if let answer = cache.answer(to: key, at: now) { return .answer(answer.behind(chain)) }
        // RFC 1034 §4.3.1: recursion is for those who ask for it. The validator knows what we know, and recursion is its own.
        return forwarding.isValidated(key) || query.message.flags.contains(.recursionDesired)
            ? .elsewhere(chain: chain, key) : nil
    }

    /// Goes on with everyone who waited for a request.
    mutating func resume(_ finished: Forwarding.Finished, at now: Instant, _ actions: inout [Action]) {
        if case .answered(let answer) = finished.outcome { cache.store(answer, for: finished.key, at: now) }
        for number in finished.waiting {
            guard var query = unpark(number) else { continue }
            let outcome: Resolution.Outcome =
                switch finished.outcome {
                case .answered(let answer): .answered(answer.behind(query.chain))
                case .timedOut: .timedOut
                }
            let action = query.resolution.receive(outcome)
            proceed(query, action, at: now, &actions)
        }
    }
}

extension Answer {
    /// The answer with the aliases that led to its question.
    fileprivate func behind(_ chain: [ResourceRecord]) -> Answer {
        var whole = self
        whole.answer = chain + answer
        return whole
    }
}
