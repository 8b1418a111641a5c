// SPDX-License-Identifier: Apache-2.0
package import DNS64
import Randomness
import Wire

/// The server that a scenario runs against.
package protocol ScenarioServer {
    /// Sends a query, and returns the reply if there is one already; `nil` if there is none yet.
    mutating func ask(_ query: [UInt8], from client: Endpoint, over transport: Transport) throws -> [UInt8]?

    /// Advances the time, and returns the reply to the latest query if it arrives meanwhile.
    mutating func wait(_ time: Duration) throws -> [UInt8]?

    /// The evidence of the latest query; `nil` if the server does not show it.
    var record: QueryRecord? { get }

    /// Whether the server shows evidence at all.
    var showsEvidence: Bool { get }

    /// The oldest question to a forwarder without an answer.
    var asked: ForwardedMessage? { get throws }

    /// Answers that question.
    mutating func tell(_ answer: [UInt8], from sender: Endpoint) throws -> [UInt8]?
}

/// A question on its way to a forwarder.
package struct ForwardedMessage: Sendable {
    package var octets: [UInt8]
    package var server: Endpoint
    package var transport: Transport
    var exchange: UInt64
}

/// A resolver in this process; its time only advances by the scenario's `wait`.
package struct ResolverInProcess: ScenarioServer {
    private var resolver: Resolver
    private var now = Instant.zero
    private var ticket: UInt64 = 0
    private var forwarded: [ForwardedMessage] = []
    package private(set) var record: QueryRecord?
    package let showsEvidence = true

    package init(_ configuration: ResolverConfiguration) {
        resolver = Resolver(configuration, random: SplitMix64(seed: 0x6147))
    }

    /// The server replied to a query other than the latest.
    package struct WrongTicket: Error {}

    package mutating func ask(_ query: [UInt8], from client: Endpoint, over transport: Transport) throws -> [UInt8]? {
        record = nil
        ticket += 1
        var actions: [Resolver.Action] = []
        resolver.receive(query.span, from: client, over: transport, ticket: ticket, at: now, into: &actions)
        return try take(actions)
    }

    package mutating func wait(_ time: Duration) throws -> [UInt8]? {
        now = now + time
        var actions: [Resolver.Action] = []
        resolver.advance(to: now, into: &actions)
        return try take(actions)
    }

    package var asked: ForwardedMessage? { forwarded.first }

    package mutating func tell(_ answer: [UInt8], from sender: Endpoint) throws -> [UInt8]? {
        guard let question = forwarded.first else { return nil }
        var actions: [Resolver.Action] = []
        resolver.receive(
            fromForwarder: answer.span, from: .forwarder(sender), exchange: question.exchange, at: now, into: &actions)
        return try take(actions)
    }

    private mutating func take(_ actions: [Resolver.Action]) throws -> [UInt8]? {
        var reply: [UInt8]?
        for action in actions {
            switch action {
            case .reply(let octets, let ticket):
                guard ticket == self.ticket else { throw WrongTicket() }
                reply = octets
            case .forget(let ticket):
                guard ticket == self.ticket else { throw WrongTicket() }
            case .record(let line): record = line
            case .ask(let octets, .forwarder(let server), let transport, let exchange):
                forwarded.append(
                    ForwardedMessage(octets: octets, server: server, transport: transport, exchange: exchange))
            case .ask(_, .validator, _, _): preconditionFailure("a scenario that validates")
            case .close(let exchange): forwarded.removeAll { $0.exchange == exchange }
            }
        }
        return reply
    }
}
