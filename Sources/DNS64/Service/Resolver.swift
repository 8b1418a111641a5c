import DNSWire
public import Wire

/// The server without its sockets and its clock: a message goes in, its reply comes out.
public struct Resolver: Sendable {
    /// May be replaced at any time; it holds from the next query on.
    public var configuration: ResolverConfiguration
    /// How often a message was refused, and why.
    public private(set) var refusals: [RefusedQuery: UInt64] = [:]
    private var writer = MessageWriter()

    public init(_ configuration: ResolverConfiguration) {
        self.configuration = configuration
    }

    /// What the loop is to do.
    public enum Action: Sendable {
        /// Send this message to whom the ticket stands for.
        case reply([UInt8], ticket: UInt64)
        /// Keep this line of evidence.
        case record(QueryRecord)
    }

    /// Takes one message from a client.
    /// - Parameters:
    ///   - ticket: Comes back with the reply, which may be later, or never.
    ///   - actions: Gets what is to be done appended.
    public mutating func receive(
        _ bytes: Span<UInt8>, from client: Endpoint, over transport: Transport, ticket: UInt64, at now: Instant,
        into actions: inout [Action]
    ) {
        let arrival = Arrival(client: client, transport: transport, ticket: ticket, time: now)
        switch ClientMessage(bytes) {
        case .refused(let reason, let message):
            refuse(message, reason, arrival, &actions)
        case .query(let message, let question):
            guard let network = configuration.network(of: client.address) else {
                return refuse(message, .otherClient, arrival, &actions)
            }
            let query = Resolution.Query(
                question, client: client.address, recursionDesired: message.flags.contains(.recursionDesired),
                checkingDisabled: message.flags.contains(.checkingDisabled),
                dnssecOK: message.edns?.dnssecOK ?? false)
            let resolved = resolve(query, policy: network.policy)
            respond(resolved, to: message, arrival, policy: network.policy, &actions)
        }
    }

    // MARK: Looking up

    private func resolve(_ query: Resolution.Query, policy: SynthesisPolicy) -> Resolution.Resolved {
        var resolution = Resolution(query, policy: policy)
        var action = resolution.start()
        while true {
            switch action {
            case .lookUp(let question):
                action = resolution.receive(.answered(lookUp(question, dnssecOK: query.dnssecOK)))
            case .respond(let resolved):
                return resolved
            }
        }
    }

    private func lookUp(_ question: Question, dnssecOK: Bool) -> Answer {
        if case .complete(let answer) = IPv4OnlyName.store.lookUp(question, dnssecOK: dnssecOK) { return answer }
        switch configuration.store.lookUp(question, dnssecOK: dnssecOK) {
        case .complete(let answer): return answer
        // Nobody knows more: the name is outside all zones.
        case .outside: return Answer(.refused, source: .none)
        }
    }

    // MARK: Replying

    private mutating func respond(
        _ resolved: Resolution.Resolved, to message: Message, _ arrival: Arrival, policy: SynthesisPolicy,
        _ actions: inout [Action]
    ) {
        var response = Message(respondingTo: message, with: resolved.answer)
        if policy.hasExtendedError, !resolved.synthesisedFrom.isEmpty {
            response.edns?.options.append(ExtendedError(infoCode: ExtendedError.synthesized).option)
        }
        var record = QueryRecord(message, arrival, responseCode: resolved.answer.responseCode)
        record.answer = resolved.answer.answer
        record.source = resolved.answer.source
        record.synthesisedFrom = resolved.synthesisedFrom
        record.rule = resolved.rule
        record.isTruncated = reply(response, to: message, arrival, &actions)
        actions.append(.record(record))
    }

    private mutating func refuse(
        _ message: Message?, _ reason: RefusedQuery, _ arrival: Arrival, _ actions: inout [Action]
    ) {
        refusals[reason, default: 0] += 1
        guard let message, let code = reason.responseCode else { return }
        var record = QueryRecord(message, arrival, responseCode: code)
        record.refusal = reason
        record.isTruncated = reply(Message(respondingTo: message, code), to: message, arrival, &actions)
        actions.append(.record(record))
    }

    /// Whether the response had to be truncated.
    private mutating func reply(
        _ response: Message, to query: Message, _ arrival: Arrival, _ actions: inout [Action]
    ) -> Bool {
        let limit =
            switch arrival.transport {
            case .udp: query.largestResponse(serverLimit: configuration.largestUDPResponse)
            case .tcp: Int(UInt16.max)
            }
        let isWhole = writer.write(response, limit: limit)
        actions.append(.reply(writer.bytes, ticket: arrival.ticket))
        return !isWhole
    }
}

/// Where a message came from, when, and the way back.
struct Arrival: Sendable {
    var client: Endpoint
    var transport: Transport
    var ticket: UInt64
    var time: Instant
}

extension QueryRecord {
    /// The part that every query has.
    init(_ query: Message, _ arrival: Arrival, responseCode: ResponseCode) {
        self.init(
            time: arrival.time, client: arrival.client, transport: arrival.transport, question: query.questions.first,
            flags: query.flags, dnssecOK: query.edns?.dnssecOK ?? false, responseCode: responseCode, answer: [],
            source: .none, synthesisedFrom: [], rule: .form, isTruncated: false)
    }
}
