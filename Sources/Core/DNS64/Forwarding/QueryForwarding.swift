// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// Questions to forwarders, from the first message to the outcome.
///
/// Theory of operation. A request is one question; the same question asked meanwhile joins it, so that a client cannot make us send many
/// copies and guess the answer to one of them (RFC 5452 §5). A request has one exchange at a time: a message to one server over a socket
/// that has no other meanwhile, on a port that the kernel draws, with an identifier and letter case drawn here. An exchange ends with an
/// answer, with a reason to ask otherwise (over TCP, without EDNS, another server), or at its deadline; a request ends with an answer, or
/// when its attempts are used up.
struct QueryForwarding: Sendable {
    private struct Request: Sendable {
        var waiting: [UInt64]
        var query: ForwardedQuery
        var exchange: UInt64
        var attempts = 1
        var deadline: Instant
        /// The server's response that had no answer.
        var failure: Answer?
        /// The failures of its attempts.
        var failures: [ForwarderFailure] = []
    }

    /// A finished request, and the queries that waited for it.
    struct Finished: Sendable {
        var key: AnswerCache.Key
        var waiting: [UInt64]
        var outcome: Resolution.Outcome
        /// The forwarders' failures, if no server answered.
        var failures: [ForwarderFailure]?
    }

    let configuration: ForwarderConfiguration
    /// Whether questions that are to be validated are sent to the validator.
    private let validates: Bool
    private var random: any RandomNumberGenerator & Sendable
    private var requests: [AnswerCache.Key: Request] = [:]
    private var keys: [UInt64: AnswerCache.Key] = [:]
    private var lastExchange: UInt64 = 0
    /// Index of the next server.
    private var turn = 0
    private var earliest = Instant.distantFuture
    /// Messages that did not answer a pending question: late ones, and forgeries.
    private(set) var foreign: UInt64 = 0

    /// RFC 9520 §3.1: a query is sent to a server at most three times.
    private static let attemptsPerServer = 3

    init(_ configuration: ForwarderConfiguration, validates: Bool = false, random: any RandomNumberGenerator & Sendable)
    {
        self.configuration = configuration
        self.validates = validates
        self.random = random
    }

    /// No request times out before this. It is not updated for each request that ends, so it may pass when no request is late.
    var nextDeadline: Instant? { requests.isEmpty ? nil : earliest }

    // MARK: Asking

    /// Asks, or joins the same question. False if there is no slot, or no server to ask.
    /// - Parameter ofClient: number of queries of the same client that wait already.
    mutating func ask(
        _ key: AnswerCache.Key, for waiting: UInt64, ofClient: Int, at now: Instant, _ actions: inout [Resolver.Action]
    ) -> Bool {
        // Each query that waits already holds a pending slot, so the list is bounded.
        if requests[key] != nil {
            requests[key]!.waiting.append(waiting)
            return true
        }
        guard Resolver.hasRoom(for: ofClient, of: configuration.maximumRequests, taken: requests.count),
            hasServer(for: key)
        else { return false }
        let query = nextQuery(key)
        let deadline = deadline(key, at: now)
        requests[key] = Request(
            waiting: [waiting], query: query, exchange: send(query, key, &actions), deadline: deadline)
        return true
    }

    /// Clients that set CD validate for themselves (RFC 4035 §3.2.2).
    func isValidated(_ key: AnswerCache.Key) -> Bool { validates && !key.checkingDisabled }

    func hasServer(for key: AnswerCache.Key) -> Bool { isValidated(key) || !configuration.servers.isEmpty }

    /// The validator is asked once, with the time of all attempts.
    private func attemptTime(_ key: AnswerCache.Key) -> Duration {
        isValidated(key) ? configuration.attemptTime * configuration.attempts : configuration.attemptTime
    }

    private mutating func deadline(_ key: AnswerCache.Key, at now: Instant) -> Instant {
        let deadline = now + attemptTime(key)
        earliest = requests.isEmpty ? deadline : min(earliest, deadline)
        return deadline
    }

    private mutating func nextQuery(_ key: AnswerCache.Key) -> ForwardedQuery {
        // The path to the validator can neither forge nor lose a message.
        if isValidated(key) { return makeQuery(key, server: .validator, over: .tcp) }
        return makeQuery(key, server: .forwarder(nextServer(key)))
    }

    /// The next server in turn that the request has not tried too often: all requests share the turn.
    private mutating func nextServer(_ key: AnswerCache.Key) -> Endpoint {
        let failures = requests[key]?.failures ?? []
        let servers = configuration.servers
        for _ in servers.dropFirst() {
            if failures.count(where: { $0.server == servers[turn] }) < Self.attemptsPerServer { break }
            turn = (turn + 1) % servers.count
        }
        defer { turn = (turn + 1) % servers.count }
        return servers[turn]
    }

    private mutating func makeQuery(
        _ key: AnswerCache.Key, server: UpstreamServer, over transport: Transport = .udp, hasEDNS: Bool = true
    ) -> ForwardedQuery {
        let name = key.question.name
        return ForwardedQuery(
            server: server, transport: transport, question: key.question,
            sentName: transport == .udp ? name.randomizingCase(using: &random) : name,
            id: UInt16.random(in: 0...UInt16.max, using: &random), hasEDNS: hasEDNS, dnssecOK: key.dnssecOK,
            checkingDisabled: key.checkingDisabled)
    }

    /// Sends a query; returns the number of the new exchange.
    private mutating func send(
        _ query: ForwardedQuery, _ key: AnswerCache.Key, _ actions: inout [Resolver.Action]
    ) -> UInt64 {
        lastExchange += 1
        keys[lastExchange] = key
        actions.append(.ask(query.encoded, server: query.server, over: query.transport, exchange: lastExchange))
        return lastExchange
    }

    // MARK: Answers, failures, time

    mutating func receive(
        _ octets: Span<UInt8>, from sender: UpstreamServer, exchange: UInt64, at now: Instant,
        _ actions: inout [Resolver.Action]
    ) -> Finished? {
        guard let key = keys[exchange], let request = requests[key] else { return nil }
        let query = request.query
        switch query.judge(octets, from: sender) {
        case .foreign:
            foreign += 1
            return nil
        case .answer(let answer):
            return finish(key, .answered(answer), &actions)
        case .askOverTCP:
            return retry(key, at: now, &actions) {
                $0.makeQuery(key, server: query.server, over: .tcp, hasEDNS: query.hasEDNS)
            }
        case .askWithoutEDNS:
            return retry(key, at: now, &actions) {
                $0.makeQuery(key, server: query.server, over: query.transport, hasEDNS: false)
            }
        case .failure(let answer):
            requests[key]!.failure = answer
            note(.answered(answer.responseCode), key)
            return retry(key, at: now, &actions)
        }
    }

    /// Handles a failure of the exchange's socket: the port is closed, or the connection was closed.
    mutating func fail(
        exchange: UInt64, _ kind: ForwarderFailure.Kind, at now: Instant, _ actions: inout [Resolver.Action]
    ) -> Finished? {
        guard let key = keys[exchange] else { return nil }
        note(kind, key)
        return retry(key, at: now, &actions)
    }

    /// Handles every exchange whose deadline has passed.
    mutating func advance(to now: Instant, _ actions: inout [Resolver.Action]) -> [Finished] {
        guard earliest <= now else { return [] }
        let late = requests.filter { $0.value.deadline <= now }.sorted { $0.value.exchange < $1.value.exchange }
        earliest = requests.values.lazy.map(\.deadline).filter { $0 > now }.min() ?? .distantFuture
        return late.compactMap { key, _ in
            note(.silent(attemptTime(key)), key)
            return retry(key, at: now, &actions)
        }
    }

    /// Notes a failure of the server that is being asked. The validator is left out, as no user has chosen it.
    private mutating func note(_ kind: ForwarderFailure.Kind, _ key: AnswerCache.Key) {
        guard case .forwarder(let server)? = requests[key]?.query.server else { return }
        requests[key]!.failures.append(ForwarderFailure(server, kind))
    }

    /// Makes another attempt, with the next server by default; or ends the request if its attempts are used up.
    private mutating func retry(
        _ key: AnswerCache.Key, at now: Instant, _ actions: inout [Resolver.Action],
        _ nextQuery: ((inout QueryForwarding) -> ForwardedQuery)? = nil
    ) -> Finished? {
        guard let request = requests[key] else { return nil }
        let isOver = request.failures.count >= Self.attemptsPerServer * configuration.servers.count
        guard request.attempts < configuration.attempts, !isOver, !isValidated(key) else {
            let outcome = request.failure.map { Resolution.Outcome.answered($0) } ?? .timedOut
            return finish(key, outcome, failures: request.failures, &actions)
        }
        close(request.exchange, &actions)
        let query = nextQuery?(&self) ?? self.nextQuery(key)
        let exchange = send(query, key, &actions)
        requests[key]!.query = query
        requests[key]!.exchange = exchange
        requests[key]!.attempts += 1
        requests[key]!.deadline = deadline(key, at: now)
        return nil
    }

    private mutating func finish(
        _ key: AnswerCache.Key, _ outcome: Resolution.Outcome, failures: [ForwarderFailure]? = nil,
        _ actions: inout [Resolver.Action]
    ) -> Finished? {
        guard let request = requests.removeValue(forKey: key) else { return nil }
        close(request.exchange, &actions)
        return Finished(key: key, waiting: request.waiting, outcome: outcome, failures: failures)
    }

    private mutating func close(_ exchange: UInt64, _ actions: inout [Resolver.Action]) {
        keys[exchange] = nil
        actions.append(.close(exchange: exchange))
    }
}
