// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Wire

/// A reply that is given again, beside what a resolver says that gives none again: it has a network whose clients are told apart, though
/// all of them are answered alike.
@Suite("Replies from memory are those of the long way") struct KnownReplyTests {
    private static let upstream = Endpoint(.ipv4(IPv4Address(192, 0, 2, 53)), port: 53)

    private struct Server {
        var resolver: Resolver
        /// Queries that were answered from memory.
        var repeated = 0

        init(repeats: Bool) throws {
            var policy = SynthesisPolicy.test
            policy.hasExtendedError = true
            if !repeats { policy.clauses[0].clients = try #require(AddressMatchList(["::/0"])) }
            // Sixty addresses need more than 1232 octets.
            let lines =
                [
                    "one.test. 300 IN A 203.0.113.1", "six.test. 300 IN AAAA 2001:db8::6",
                    "alias.test. 30 IN CNAME one.test.",
                ]
                + (1...60).map { "many.test. 300 IN A 203.0.113.\($0)" } + [
                    "test. 300 IN SOA ns.test. m.test. 1 2 3 4 60"
                ]
            var configuration = ResolverConfiguration(
                store: RecordStore(
                    try lines.map { try ResourceRecord(presentation: $0, defaultTTL: 0) }, zones: []),
                networks: [ServedNetwork(policy: policy)])
            configuration.forwarders = ForwarderConfiguration(servers: [KnownReplyTests.upstream])
            resolver = Resolver(configuration, random: SplitMix64(seed: 11))
        }

        mutating func ask(
            _ query: [UInt8], _ client: Endpoint, _ transport: Transport, at now: Instant
        ) throws -> (reply: [UInt8], record: QueryRecord) {
            if let known = resolver.knownReply(to: query.span, from: client, over: transport, at: now) {
                repeated += 1
                // Earlier contents of the buffer must not show.
                var reply = [UInt8](repeating: 0xa5, count: 5000)
                resolver.write(known, to: &reply)
                return (reply, resolver.record(of: known, from: client, at: now))
            }
            var actions: [Resolver.Action] = []
            resolver.receive(query.span, from: client, over: transport, ticket: 1, at: now, into: &actions)
            while let answer = try Self.answer(actions) {
                actions = []
                resolver.receive(
                    fromForwarder: answer.octets.span, from: .forwarder(KnownReplyTests.upstream),
                    exchange: answer.exchange, at: now, into: &actions)
            }
            var reply: [UInt8]?
            var record: QueryRecord?
            for action in actions {
                if case .reply(let octets, _) = action { reply = octets }
                if case .record(let line) = action { record = line }
            }
            return (try #require(reply), try #require(record))
        }

        mutating func knows(_ octets: [UInt8], _ client: Endpoint) -> Bool {
            resolver.knownReply(to: octets.span, from: client, over: .udp, at: .zero) != nil
        }

        /// The upstream's answer to the first question among the actions: addresses, or a negative answer.
        private static func answer(_ actions: [Resolver.Action]) throws -> (octets: [UInt8], exchange: UInt64)? {
            for case .ask(let octets, _, _, let exchange) in actions {
                var message = try Message(octets.span)
                message.flags.formUnion([.response, .recursionAvailable])
                let soa = try ResourceRecord(presentation: "far. 9 IN SOA ns.far. m.far. 1 2 3 4 7", defaultTTL: 0)
                let name = message.questions[0].name
                if name.wire[1] | 0x20 == UInt8(ascii: "x") {
                    message.responseCode = .nameError
                    message.authority = [soa]
                } else if message.questions[0].type == .a {
                    message.answer = [
                        ResourceRecord(name: name, ttl: 20, data: .a(IPv4Address(198, 51, 100, 7))),
                        ResourceRecord(name: name, ttl: 13, data: .a(IPv4Address(198, 51, 100, 8))),
                    ]
                } else {
                    message.authority = [soa]
                }
                return (message.encoded(), exchange)
            }
            return nil
        }
    }

    /// A query with whatever may make a reply another one.
    private static func query(_ random: inout SplitMix64) throws -> [UInt8] {
        let names = ["one.test", "six.test", "alias.test", "many.test", "none.test", "y.far", "x.far", "z.far"]
        let name = try DomainName(names.randomElement(using: &random)!)
        let type = [RecordType.aaaa, .aaaa, .a, .any].randomElement(using: &random)!
        var message = Message(
            id: .random(in: 0...UInt16.max, using: &random), flags: .recursionDesired,
            questions: [
                Question(name: Bool.random(using: &random) ? name : name.randomizingCase(using: &random), type: type)
            ])
        if Int.random(in: 0..<4, using: &random) == 0 { message.flags.insert(.checkingDisabled) }
        if Int.random(in: 0..<4, using: &random) == 0 { message.flags.insert(.authenticData) }
        if Bool.random(using: &random) {
            message.edns = EDNS(
                udpPayloadSize: [0, 512, 800, 1232, 4096].randomElement(using: &random)!,
                dnssecOK: Bool.random(using: &random))
        }
        return message.encoded()
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `octet for octet, with their evidence, whatever the query and however late`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (one, other) = (try Server(repeats: true), try Server(repeats: false))
        var now = Instant.zero
        // Some come again and again.
        let queries = try (0..<200).map { _ in try Self.query(&random) }
        for _ in 0..<1000 {
            now = now + .seconds([0, 0, 0, 0, 0, 1, 3].randomElement(using: &random)!)
            var query = queries.randomElement(using: &random)!
            query[0] = .random(in: 0...255, using: &random)
            query[1] = .random(in: 0...255, using: &random)
            let client = Endpoint(
                .ipv6(IPv6Address(0x2001, 0xdb8, 0, 0, 0, 0, 0, .random(in: 1...3, using: &random))),
                port: .random(in: 1...UInt16.max, using: &random))
            let transport = Int.random(in: 0..<5, using: &random) == 0 ? Transport.tcp : .udp
            let (fast, slow) = (
                try one.ask(query, client, transport, at: now), try other.ask(query, client, transport, at: now)
            )
            #expect(fast.reply == slow.reply)
            #expect(Self.ageless(fast.record) == Self.ageless(slow.record))
        }
        #expect(one.repeated > 350 && other.repeated == 0)
    }

    /// The evidence has the TTLs of the first time.
    private static func ageless(_ record: QueryRecord) -> QueryRecord {
        var record = record
        for index in record.answer.indices { record.answer[index].ttl = 0 }
        return record
    }

    @Test func `a query of any octets is no known one, and does no harm`() throws {
        var server = try Server(repeats: true)
        let client = Endpoint(.ipv6(.loopback), port: 9)
        var random = SplitMix64(seed: 5)
        let known = try Self.query(&random)
        for _ in 0..<2 { _ = try server.ask(known, client, .udp, at: .zero) }
        let isKnown = server.knows(known, client)
        #expect(isKnown)
        for length in 0..<known.count {
            let cut = Array(known[..<length])
            let isKnown = server.knows(cut, client)
            #expect(!isKnown)
        }
        for length in [0, 1, 11, 12, 13, 511, 512, 513, 70_000] {
            let octets = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let isKnown = server.knows(octets, client)
            #expect(!isKnown)
        }
    }

    @Test func `who asked last is remembered no longer than the networks are the same`() throws {
        var server = try Server(repeats: true)
        let client = Endpoint(.ipv6(.loopback), port: 9)
        var random = SplitMix64(seed: 5)
        let query = try Self.query(&random)
        _ = try server.ask(query, client, .udp, at: .zero)
        server.resolver.serve([
            ServedNetwork(clients: try #require(AddressMatchList(["2001:db8::1"])), policy: .test)
        ])
        #expect(try server.ask(query, client, .udp, at: .zero).record.refusal == .otherClient)
        let other = Endpoint(.ipv6(IPv6Address("2001:db8::1")!), port: 9)
        #expect(try server.ask(query, other, .udp, at: .zero).record.refusal == nil)
    }
}
