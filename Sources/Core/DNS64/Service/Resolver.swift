// SPDX-License-Identifier: Apache-2.0
import DNSWire
package import Wire

/// The server without sockets, clock and randomness: messages and times are its input, actions its output.
///
/// Theory of operation. A client's message becomes a pending query with a `Resolution`, which decides what to look up. The special-use
/// names, the store and the cache answer at once; a forwarder answers later, and until then the query waits in `pending`. The loop passes
/// forwarders' messages to `receive(fromForwarder:)` and failures of their sockets to `fail`, and calls `advance` at `nextDeadline`. Every
/// ticket is returned once: in a `.reply`, or in a `.forget`.
package struct Resolver: Sendable {
    /// An action for the loop.
    package enum Action: Sendable {
        /// Send this message to the client of the ticket.
        case reply([UInt8], ticket: UInt64)
        /// There will be no reply for this ticket.
        case forget(ticket: UInt64)
        /// Keep this record as evidence.
        case record(QueryRecord)
        /// Send this message from a port that has no other question meanwhile, and pass responses to `receive(fromForwarder:)`.
        case ask([UInt8], server: UpstreamServer, over: Transport, exchange: UInt64)
        /// Close the exchange's socket.
        case close(exchange: UInt64)
    }

    package private(set) var configuration: ResolverConfiguration
    /// Number of refused messages, by reason.
    package private(set) var refusals: [RefusedQuery: UInt64] = [:]
    var faults: FaultPlan
    var forwarding: QueryForwarding?
    var cache: AnswerCache
    private var replies: ReplyCache
    /// Whether a network gives all its clients the same answers, by its index.
    private var isUniform: [Bool] = []
    /// The client that asked last, and its network: a client seldom asks only once.
    private var latest: (client: IPAddress, network: Int?)?
    var pending: [UInt64: PendingQuery] = [:]
    var pendingOfClient: [IPAddress: Int] = [:]
    private var nextPending: UInt64 = 0
    private var delayed: [DelayedReply] = []
    private var writer = MessageWriter()

    /// - Parameter random: draws the values that a forger would have to guess; unpredictable except in tests.
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

    /// Replaces the clients that it serves, and their policies; from the next query on.
    package mutating func serve(_ networks: [ServedNetwork]) {
        configuration.networks = networks
        isUniform = networks.map(\.policy.isUniform)
        latest = nil
        replies.removeAll()
    }

    /// Replaces its own records; from the next query on.
    package mutating func know(_ store: RecordStore) {
        configuration.store = store
        replies.removeAll()
    }

    /// Replaces its faults. Faults that stay keep their counts, new ones start at zero.
    package mutating func misbehave(_ faults: [Fault]) {
        configuration.faults = faults
        self.faults.replace(with: faults)
    }

    /// Its faults, and how many queries each affected.
    package var faultCounts: [FaultCount] { faults.counts }

    /// The time at which `advance` must be called.
    package var nextDeadline: Instant? {
        [forwarding?.nextDeadline, delayed.lazy.map(\.due).min()].compactMap(\.self).min()
    }

    /// Messages from forwarders, or in their name, that did not answer a pending question.
    package var strays: UInt64 { forwarding?.foreign ?? 0 }

    // MARK: Events

    /// Takes one message from a client.
    /// - Parameters:
    ///   - ticket: returned once, at once or later.
    ///   - actions: the actions to perform are appended to it.
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

    /// A fault counts queries, and a policy may distinguish clients of a network: then no reply can be repeated.
    private func isRepeating(_ network: Int) -> Bool { configuration.faults.isEmpty && isUniform[network] }

    // MARK: Replies that are given again

    /// A reply that was sent before, by its position in memory: valid until the resolver's next change.
    package struct KnownReply {
        fileprivate let place: ReplyCache.Place
    }

    /// The position of the reply to a message, if it can be repeated; the caller sends it, and keeps its record. For a busy server with
    /// many repeated questions; `receive` does the same by itself.
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

    /// Takes one message that arrived on the socket of an exchange.
    package mutating func receive(
        fromForwarder octets: Span<UInt8>, from sender: UpstreamServer, exchange: UInt64, at now: Instant,
        into actions: inout [Action]
    ) {
        guard let finished = forwarding?.receive(octets, from: sender, exchange: exchange, at: now, &actions) else {
            return
        }
        resume(finished, at: now, &actions)
    }

    /// Handles a failure of an exchange's socket.
    package mutating func fail(
        exchange: UInt64, _ kind: ForwarderFailure.Kind = .unreachable, at now: Instant, into actions: inout [Action]
    ) {
        guard let finished = forwarding?.fail(exchange: exchange, kind, at: now, &actions) else { return }
        resume(finished, at: now, &actions)
    }

    /// Performs all actions that are due.
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

    /// Takes a slot for a query that waits; false if all are taken.
    private mutating func hold(_ client: IPAddress) -> Bool {
        let ofClient = pendingOfClient[client] ?? 0
        guard ofClient < configuration.maximumPendingPerClient,
            Self.hasRoom(for: ofClient, of: configuration.maximumPending, taken: pending.count + delayed.count)
        else { return false }
        pendingOfClient[client] = ofClient + 1
        return true
    }

    /// Whether a client may have another slot: always while half of them are free; after that, only up to its share of the other half. With
    /// few slots there are no shares.
    static func hasRoom(for ofClient: Int, of limit: Int, taken: Int) -> Bool {
        let share = limit / 2 / ResolverConfiguration.sharers
        return taken < limit && (taken < limit / 2 || share == 0 || ofClient < share)
    }

    private mutating func release(_ client: IPAddress) {
        let ofClient = (pendingOfClient[client] ?? 1) - 1
        pendingOfClient[client] = ofClient > 0 ? ofClient : nil
    }

    /// Keeps a query until its request is finished, and returns its number; `nil` if there is no slot.
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
        // If a fault replaced the answer, the facts describe the fault alone.
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

    /// Writes the response; returns whether it was truncated, here or before.
    private mutating func write(_ response: Message, to query: Message, over transport: Transport) -> Bool {
        let limit =
            switch transport {
            case .udp: query.largestResponse(serverLimit: configuration.largestUDPResponse)
            case .tcp: Int(UInt16.max)
            }
        return !writer.write(response, limit: limit) || response.flags.contains(.truncated)
    }

    /// Sends the response that was written last; later or never if a fault requires it.
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
            // Recorded now: the query counts even if the client is gone before the reply.
            actions.append(.record(record))
            delayed.append(DelayedReply(due: arrival.time + delay, octets: writer.bytes, arrival: arrival))
        } else {
            actions.append(.reply(writer.bytes, ticket: arrival.ticket))
            actions.append(.record(record))
        }
    }
}
