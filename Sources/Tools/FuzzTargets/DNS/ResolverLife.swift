// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Translation
import Wire

/// A resolver and its state as seen from outside.
struct ResolverLife {
    private var resolver: Resolver
    private let configuration: ResolverConfiguration
    private var now = Instant.zero
    private var tickets: UInt64 = 0
    /// Queries without a reply yet.
    private var waiting: [UInt64: Query] = [:]
    private var exchanges: [UInt64: Exchange] = [:]

    private struct Query {
        var octets: [UInt8]
        var transport: Transport
    }

    private struct Exchange {
        var octets: [UInt8]
        var server: UpstreamServer
    }

    init(_ configuration: ResolverConfiguration, seed: UInt64) {
        resolver = Resolver(configuration, random: SplitMix64(seed: seed))
        self.configuration = configuration
    }

    // MARK: - Steps

    mutating func step(_ choices: inout Choices) throws(BrokenInvariant) {
        var actions: [Resolver.Action] = []
        let exchange = exchanges.keys.sorted().dropFirst(choices.below(4)).first ?? exchanges.keys.min()
        switch choices.below(8) {
        case 4...5:
            guard let exchange, let asked = exchanges[exchange] else { break }
            let response = choices.response(to: asked.octets)
            let stranger = UpstreamServer.forwarder(Endpoint(.ipv4(IPv4Address(192, 0, 2, 99)), port: 53))
            let sender = choices.oneIn(16) ? stranger : asked.server
            resolver.receive(fromForwarder: response.span, from: sender, exchange: exchange, at: now, into: &actions)
        case 6:
            guard let exchange else { break }
            resolver.fail(exchange: exchange, at: now, into: &actions)
        case 7:
            now = now + .milliseconds(choices.pick([1, 0, 300, 1_000, 1_500, 5_000, 400_000]))
            resolver.advance(to: now, into: &actions)
        default:
            tickets += 1
            let query = Query(octets: choices.query(), transport: choices.oneIn(4) ? .tcp : .udp)
            waiting[tickets] = query
            let client = Endpoint(.ipv6(choices.pick(Scene.hosts)), port: 9)
            resolver.receive(
                query.octets.span, from: client, over: query.transport, ticket: tickets, at: now, into: &actions)
        }
        try take(actions)
    }

    /// Advances time until nothing is due: then no query and no exchange is left.
    mutating func end() throws(BrokenInvariant) {
        for _ in 0...10_000 {
            guard let deadline = resolver.nextDeadline else { break }
            now = max(now, deadline)
            var actions: [Resolver.Action] = []
            resolver.advance(to: now, into: &actions)
            try take(actions)
        }
        try require(resolver.nextDeadline == nil, "something is due for ever")
        try require(waiting.isEmpty, "\(waiting.count) queries are never settled")
        try require(exchanges.isEmpty, "\(exchanges.count) exchanges stay open")
    }

    // MARK: - Output

    private mutating func take(_ actions: [Resolver.Action]) throws(BrokenInvariant) {
        for action in actions {
            switch action {
            case .reply(let octets, let ticket):
                guard let query = waiting.removeValue(forKey: ticket) else { throw BrokenInvariant("a second reply") }
                try check(octets, to: query)
            case .forget(let ticket):
                try require(waiting.removeValue(forKey: ticket) != nil, "a settled query is forgotten")
            case .record(let record):
                try check(record)
            case .ask(let octets, let server, _, let exchange):
                try require((try? Message(octets.span)) != nil, "a query that cannot be read: \(octets)")
                try require(
                    exchanges.updateValue(Exchange(octets: octets, server: server), forKey: exchange) == nil,
                    "an exchange is opened twice")
            case .close(let exchange):
                try require(exchanges.removeValue(forKey: exchange) != nil, "an exchange is closed twice")
            }
        }
        try require(waiting.count <= configuration.maximumPending, "\(waiting.count) queries wait")
        try require(
            exchanges.count <= configuration.forwarders?.maximumRequests ?? 0, "\(exchanges.count) exchanges are open")
    }

    /// Synthesised addresses are under a Pref64.
    private func check(_ record: QueryRecord) throws(BrokenInvariant) {
        try require(!record.description.isEmpty, "evidence of nothing")
        if record.synthesisedFrom.isEmpty || !configuration.faults.isEmpty { return }
        let prefixes = configuration.networks.flatMap(\.policy.clauses).map(\.prefix)
        for case .aaaa(let address) in record.answer.map(\.data) {
            try require(prefixes.contains { $0.contains(address) }, "\(address) is under no Pref64: \(record)")
        }
    }

    private func check(_ octets: [UInt8], to query: Query) throws(BrokenInvariant) {
        guard let reply = try? Message(octets.span) else { throw BrokenInvariant("not readable: \(octets)") }
        try require(reply.flags.contains(.response), "a reply that is none")
        if !configuration.faults.isEmpty { return }
        try require(octets.starts(with: query.octets.prefix(2)), "another query's identifier")
        guard let asked = try? Message(query.octets.span) else { return }
        try require(reply.questions.isEmpty || reply.questions == asked.questions, "another question")
        let room = query.transport == .tcp ? Int(UInt16.max) : max(512, Int(asked.edns?.udpPayloadSize ?? 0))
        // A reply without answer and authority sections may exceed the limit: its question and OPT record are always kept.
        if !reply.answer.isEmpty || !reply.authority.isEmpty {
            try require(octets.count <= room, "\(octets.count) octets for \(room)")
        }
        try require((reply.edns == nil) || (asked.edns != nil), "EDNS for who does not know it (RFC 6891 §7)")
    }
}
