// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Wire

/// The server without its sockets, its clock and its randomness: messages and time go in, actions come out.
///
/// Theory of operation. A client's message becomes a pending query around a `Resolution`, which says what to look up. The
/// special-use names, the store and the cache answer at once; a forwarder answers later, and until then the query waits in
/// `pending`. The loop gives forwarders' messages to `receive(fromForwarder:)`, failures of their sockets to `fail`, and
/// calls `advance` when `nextDeadline` has come. Every ticket comes back once: in a `.reply`, or in a `.forget`.
package struct Resolver: Sendable {
    /// What the loop is to do.
    package enum Action: Sendable {
        /// Send this message to the client that the ticket stands for.
        case reply([UInt8], ticket: UInt64)
        /// There will be no reply to this ticket.
        case forget(ticket: UInt64)
        /// Keep this line of evidence.
        case record(QueryRecord)
        /// Send this message from a port that has no other question meanwhile, and give what comes back to `receive(fromForwarder:)`.
        case ask([UInt8], server: UpstreamServer, over: Transport, exchange: UInt64)
        /// The exchange is over.
        case close(exchange: UInt64)
    }

    package private(set) var configuration: ResolverConfiguration
    /// How often a message was refused, and why.
    package private(set) var refusals: [RefusedQuery: UInt64] = [:]
    var faults: FaultPlan
    var forwarding: QueryForwarding?
    var cache: AnswerCache
    private var replies: ReplyCache
    /// Whether a network answers all its clients alike, by its index.
    private var isUniform: [Bool] = []
    /// Who asked last, and the network that it belongs to: a client seldom asks once.
    private var latest: (client: IPAddress, network: Int?)?
    var pending: [UInt64: PendingQuery] = [:]
    var pendingOfClient: [IPAddress: Int] = [:]
    private var nextPending: UInt64 = 0
    private var delayed: [DelayedReply] = []
    private var writer = MessageWriter()

    /// - Parameter random: Draws what a forger would have to guess; unpredictable except in tests.
    package init(_ configuration: ResolverConfiguration, random: any RandomNumberGenerator & Sendable) {
        self.configuration = configuration
        faults = FaultPlan(configuration.faults)
        if configuration.forwarders != nil || configuration.validation != nil {
            forwarding = QueryForwarding(
                configuration.forwarders ?? ForwarderConfiguration(servers: []),
                validates: configuration.validation != nil, random: random)
        }
        cache = AnswerCache(capacity: configuration.cacheCapacity)
        replies = ReplyCache(capacity: configuration.cacheCapacity)
        isUniform = configuration.networks.map(\.policy.isUniform)
    }

    /// Replaces which clients it serves and how; holds from the next query on.
    package mutating func serve(_ networks: [ServedNetwork]) {
        configuration.networks = networks
        isUniform = networks.map(\.policy.isUniform)
        latest = nil
        replies.removeAll()
    }

    /// Replaces what it knows by itself; holds from the next query on.
    package mutating func know(_ store: RecordStore) {
        configuration.store = store
        replies.removeAll()
    }

    /// Replaces what it does wrong. Faults that stay go on counting queries, new ones begin to.
    package mutating func misbehave(_ faults: [Fault]) {
        configuration.faults = faults
        self.faults.replace(with: faults)
    }

    /// What it does wrong, and how often it did.
    package var faultCounts: [FaultCount] { faults.counts }

    /// When `advance` has something to do.
    package var nextDeadline: Instant? {
        [forwarding?.nextDeadline, delayed.lazy.map(\.due).min()].compactMap(\.self).min()
    }

    /// Messages from forwarders, or in their name, that were no answers to what was asked.
    package var strays: UInt64 { forwarding?.foreign ?? 0 }

    // MARK: Events

    /// Takes one message from a client.
    /// - Parameters:
    ///   - ticket: Comes back once, at once or later.
    ///   - actions: Gets what is to be done appended.
    package mutating func receive(
        _ octets: Span<UInt8>, from client: Endpoint, over transport: Transport, ticket: UInt64, at now: Instant,
        into actions: inout [Action]
    ) {
        if let known = knownReply(to: octets, from: client, over: transport, at: now) {
            var reply: [UInt8] = []
            write(known, to: &reply)
            actions.append(.reply(reply, ticket: ticket))
            actions.append(.record(record(of: known, from: client, at: now)))
        } else {
            receive(new: octets, from: client, over: transport, ticket: ticket, at: now, into: &actions)
        }
    }

    /// Takes one message for which there is no known reply.
    package mutating func receive(
        new octets: Span<UInt8>, from client: Endpoint, over transport: Transport, ticket: UInt64, at now: Instant,
        into actions: inout [Action]
    ) {
        let arrival = Arrival(client: client, transport: transport, ticket: ticket, time: now)
        let network = network(of: client.address)
        guard let network, isRepeating(network) else { return answer(octets, arrival, network: network, &actions) }
        let known = actions.count
        answer(octets, arrival, network: network, &actions)
        if actions.count == known + 2, case .reply(let reply, ticket) = actions[known],
            case .record(let record) = actions[known + 1], let aging = record.shared.facts.aging
        {
            replies.store(reply, to: octets, network: network, aging: aging, record: record)
        }
    }

    private mutating func network(of client: IPAddress) -> Int? {
        if let latest, latest.client == client { return latest.network }
        let network = configuration.networks.firstIndex { $0.clients.contains(client) }
        latest = (client, network)
        return network
    }

    /// A fault counts queries, and a policy may tell the clients of a network apart: then every query is a new one.
    private func isRepeating(_ network: Int) -> Bool { configuration.faults.isEmpty && isUniform[network] }

    // MARK: Replies that are given again

    /// A reply that has been given before, as it lies in memory: good until the resolver is told anything else.
    package struct KnownReply {
        fileprivate let place: ReplyCache.Place
    }

    /// Where the reply to a message is, if it can be given again: to be sent by who asks, with its record. For a server that has much to do
    /// with what many ask for; `receive` does the same by itself.
    package mutating func knownReply(
        to query: Span<UInt8>, from client: Endpoint, over transport: Transport, at now: Instant
    ) -> KnownReply? {
        guard let network = network(of: client.address), isRepeating(network) else { return nil }
        return replies.find(query, transport, network: network, at: now).map(KnownReply.init)
    }

    /// Replaces `octets` by the reply.
    package func write(_ known: KnownReply, to octets: inout [UInt8]) { replies.write(known.place, to: &octets) }

    package func record(of known: KnownReply, from client: Endpoint, at now: Instant) -> QueryRecord {
        replies.record(known.place, of: client, at: now)
    }

    // MARK: Queries

    private mutating func answer(
        _ octets: Span<UInt8>, _ arrival: Arrival, network: Int?, _ actions: inout [Action]
    ) {
        switch ClientMessage(octets) {
        case .refused(let reason, let message):
            refuse(message, reason, arrival, &actions)
        case .query(let message, let question):
            guard let network else { return refuse(message, .otherClient, arrival, &actions) }
            let policy = configuration.networks[network].policy
            let query = Resolution.Query(
                question, client: arrival.client.address, recursionDesired: message.flags.contains(.recursionDesired),
                checkingDisabled: message.flags.contains(.checkingDisabled),
                dnssecOK: message.edns?.dnssecOK ?? false,
                reverseOwner: configuration.store.reverseOwner(of: question.name))
            var pending = PendingQuery(
                message: message, arrival: arrival, policy: policy,
                effects: faults.effects(on: question, over: arrival.transport),
                resolution: Resolution(query, policy: policy), lookUp: AliasChain(question))
            let action = pending.resolution.start()
            proceed(pending, action, at: arrival.time, &actions)
        }
    }

    /// Takes one message that came to the socket of an exchange.
    package mutating func receive(
        fromForwarder octets: Span<UInt8>, from sender: UpstreamServer, exchange: UInt64, at now: Instant,
        into actions: inout [Action]
    ) {
        guard let finished = forwarding?.receive(octets, from: sender, exchange: exchange, at: now, &actions) else {
            return
        }
        resume(finished, at: now, &actions)
    }

    /// Learns that the socket of an exchange has failed, and how.
    package mutating func fail(
        exchange: UInt64, _ kind: ForwarderFailure.Kind = .unreachable, at now: Instant, into actions: inout [Action]
    ) {
        guard let finished = forwarding?.fail(exchange: exchange, kind, at: now, &actions) else { return }
        resume(finished, at: now, &actions)
    }

    /// Does what is due.
    package mutating func advance(to now: Instant, into actions: inout [Action]) {
        for finished in forwarding?.advance(to: now, &actions) ?? [] { resume(finished, at: now, &actions) }
        guard delayed.contains(where: { $0.due <= now }) else { return }
        let due = delayed.filter { $0.due <= now }.sorted { $0.due < $1.due }
        delayed.removeAll { $0.due <= now }
        for reply in due {
            release(reply.arrival.client.address)
            actions.append(.reply(reply.octets, ticket: reply.arrival.ticket))
        }
    }

    // MARK: Waiting

    /// Takes a place for a query that waits; false where all are taken.
    private mutating func hold(_ client: IPAddress) -> Bool {
        let ofClient = pendingOfClient[client] ?? 0
        guard ofClient < configuration.maximumPendingPerClient,
            Self.hasRoom(for: ofClient, of: configuration.maximumPending, taken: pending.count + delayed.count)
        else { return false }
        pendingOfClient[client] = ofClient + 1
        return true
    }

    /// Whether one of the clients may have another slot: any number while half of them are free, and its share of the other half
    /// where somebody has been greedy. Of few slots there are no shares.
    static func hasRoom(for ofClient: Int, of limit: Int, taken: Int) -> Bool {
        let share = limit / 2 / ResolverConfiguration.sharers
        return taken < limit && (taken < limit / 2 || share == 0 || ofClient < share)
    }

    private mutating func release(_ client: IPAddress) {
        let ofClient = (pendingOfClient[client] ?? 1) - 1
        pendingOfClient[client] = ofClient > 0 ? ofClient : nil
    }

    /// Keeps a query until its request is finished, and returns its number; `nil` if there is no place.
    mutating func park(_ query: PendingQuery) -> UInt64? {
        guard hold(query.arrival.client.address) else { return nil }
        nextPending += 1
        pending[nextPending] = query
        return nextPending
    }

    mutating func unpark(_ number: UInt64) -> PendingQuery? {
        guard let query = pending.removeValue(forKey: number) else { return nil }
        release(query.arrival.client.address)
        return query
    }

    // MARK: Replying

    mutating func respond(_ resolved: Resolution.Resolved, to query: PendingQuery, _ actions: inout [Action]) {
        var response = Message(respondingTo: query.message, with: resolved.answer)
        if query.policy.hasExtendedError, !resolved.synthesisedFrom.isEmpty {
            response.edns?.options.append(ExtendedError(infoCode: ExtendedError.synthesized).option)
        }
        if resolved.answer.isBogus {
            response.edns?.options.append(ExtendedError(infoCode: ExtendedError.bogus).option)
        }
        response.apply(query.effects, over: query.arrival.transport, sources: resolved.synthesisedFrom)

        var facts = QueryFacts(query.message, query.arrival, responseCode: response.responseCode)
        facts.keep(answer: response.answer)
        facts.source = resolved.answer.source
        // A fault that took the place of the answer is what is to be said of it.
        let isReplaced = query.effects.contains { $0.replacesAnswer(over: query.arrival.transport) }
        facts.synthesisedFrom = isReplaced ? [] : Array(resolved.synthesisedFrom.prefix(QueryFacts.answerLimit))
        facts.rule = resolved.rule
        facts.reason = isReplaced ? nil : reason(for: resolved, query)
        facts.faults = query.effects
        facts.isTruncated = write(response, to: query.message, over: query.arrival.transport)
        send(query.arrival, facts, query.effects, &actions)
    }

    private func reason(for resolved: Resolution.Resolved, _ query: PendingQuery) -> NoAnswerReason? {
        if let reason = resolved.reason { return reason }
        let isFailure = resolved.answer.responseCode != .noError && resolved.answer.responseCode != .nameError
        return isFailure && !query.failures.isEmpty ? .forwarders(query.failures) : nil
    }

    mutating func refuse(
        _ message: Message?, _ reason: RefusedQuery, _ arrival: Arrival, _ actions: inout [Action]
    ) {
        refusals[reason, default: 0] += 1
        guard let message, let code = reason.responseCode else {
            actions.append(.forget(ticket: arrival.ticket))
            return
        }
        var facts = QueryFacts(message, arrival, responseCode: code)
        facts.refusal = reason
        facts.isTruncated = write(Message(respondingTo: message, code), to: message, over: arrival.transport)
        send(arrival, facts, [], &actions)
    }

    /// Whether the response had to be cut, or was said to be.
    private mutating func write(_ response: Message, to query: Message, over transport: Transport) -> Bool {
        let limit =
            switch transport {
            case .udp: query.largestResponse(serverLimit: configuration.largestUDPResponse)
            case .tcp: Int(UInt16.max)
            }
        return !writer.write(response, limit: limit) || response.flags.contains(.truncated)
    }

    /// Sends what was written last, late or never where a fault wants that.
    private mutating func send(
        _ arrival: Arrival, _ facts: QueryFacts, _ effects: [Fault.Effect], _ actions: inout [Action]
    ) {
        var facts = facts
        let isDropped = effects.contains(.drop)
        if isDropped {
            facts.responseCode = nil
            facts.answer = []
        }
        let record = QueryRecord(time: arrival.time, client: arrival.client, facts)
        var delay = Duration.zero
        for effect in effects {
            if case .delay(let time) = effect { delay += time }
        }
        if isDropped {
            actions.append(.forget(ticket: arrival.ticket))
            actions.append(.record(record))
        } else if delay > .zero, hold(arrival.client.address) {
            // The client may be gone before the reply comes, and it has asked all the same.
            actions.append(.record(record))
            delayed.append(DelayedReply(due: arrival.time + delay, octets: writer.bytes, arrival: arrival))
        } else {
            actions.append(.reply(writer.bytes, ticket: arrival.ticket))
            actions.append(.record(record))
        }
    }
}
