// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Wire

@Suite("When forwarders are late") struct ForwarderDeadlineTests {
    private static let server = Endpoint(.ipv4(IPv4Address(192, 0, 2, 53)), port: 53)

    private static func instant(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }

    /// Asks for a.test at 0 ms and for b.test at 400 ms.
    private static func askTwoQuestions(_ resolver: inout Resolver, _ actions: inout [Resolver.Action]) throws {
        for (ticket, name) in ["a.test", "b.test"].enumerated() {
            let query = Message(
                id: 1, flags: .recursionDesired, questions: [Question(name: try DomainName(name), type: .a)]
            ).encoded()
            resolver.receive(
                query.span, from: Endpoint(.ipv6(.loopback), port: 1), over: .udp, ticket: UInt64(ticket),
                at: instant(400 * ticket), into: &actions)
        }
    }

    private func asked(_ actions: [Resolver.Action]) -> [(octets: [UInt8], exchange: UInt64)] {
        actions.compactMap { if case .ask(let octets, _, _, let exchange) = $0 { (octets, exchange) } else { nil } }
    }

    @Test func `a request that is over may be looked for in vain, and one that is late is asked again in time`() throws
    {
        var configuration = ResolverConfiguration(
            store: RecordStore([], zones: []), networks: [ServedNetwork(policy: .plain)])
        configuration.forwarders = ForwarderConfiguration(servers: [Self.server])
        var resolver = Resolver(configuration, random: SplitMix64(seed: 3))
        #expect(resolver.nextDeadline == nil)
        var actions: [Resolver.Action] = []
        try Self.askTwoQuestions(&resolver, &actions)
        let questions = asked(actions)
        #expect(questions.count == 2 && resolver.nextDeadline == Self.instant(1000))

        let question = questions[0].octets
        var answer = try Message(question.span)
        answer.flags.insert(.response)
        actions = []
        let octets = answer.encoded()
        resolver.receive(
            fromForwarder: octets.span, from: .forwarder(Self.server), exchange: questions[0].exchange,
            at: Self.instant(500), into: &actions)
        #expect(try #require(resolver.nextDeadline) <= Self.instant(1400))
        actions = []
        resolver.advance(to: Self.instant(1000), into: &actions)
        #expect(actions.isEmpty && resolver.nextDeadline == Self.instant(1400))
        resolver.advance(to: Self.instant(1400), into: &actions)
        #expect(asked(actions).count == 1 && resolver.nextDeadline == Self.instant(2400))
        for _ in 0..<4 {
            guard let deadline = resolver.nextDeadline else { break }
            resolver.advance(to: deadline, into: &actions)
        }
        #expect(resolver.nextDeadline == nil)
    }

    @Test func `a server is asked a question at most three times, whatever other questions are pending`() throws {
        let servers = [Self.server, Endpoint(.ipv4(IPv4Address(192, 0, 2, 54)), port: 53)]
        var configuration = ResolverConfiguration(
            store: RecordStore([], zones: []), networks: [ServedNetwork(policy: .plain)])
        configuration.forwarders = ForwarderConfiguration(servers: servers)
        var resolver = Resolver(configuration, random: SplitMix64(seed: 3))
        var actions: [Resolver.Action] = []
        // The questions of the two clients alternate, and so each would always have its turn at the same server.
        try Self.askTwoQuestions(&resolver, &actions)
        while let deadline = resolver.nextDeadline { resolver.advance(to: deadline, into: &actions) }
        var counts: [DomainName: [UpstreamServer: Int]] = [:]
        for case .ask(let octets, let server, _, _) in actions {
            counts[try Message(octets.span).questions[0].name, default: [:]][server, default: 0] += 1
        }
        #expect(counts.count == 2)
        for (name, ofServers) in counts {
            #expect(ofServers.values.reduce(0, +) == configuration.forwarders?.attempts, "\(name)")
            #expect(ofServers.values.allSatisfy { $0 <= 3 }, "\(name): \(ofServers)")
        }
    }
}
