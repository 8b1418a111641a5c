// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Wire

@Suite("Replies that are given again")
struct ReplyCacheTests {
    private static let server = Endpoint(.ipv4(IPv4Address(192, 0, 2, 53)), port: 53)

    /// A resolver and what came out of it.
    private struct Bench {
        var resolver: Resolver
        var actions: [Resolver.Action] = []

        init(_ store: RecordStore, _ policy: SynthesisPolicy = .test) {
            var configuration = ResolverConfiguration(store: store, networks: [ServedNetwork(policy: policy)])
            configuration.forwarders = ForwarderConfiguration(servers: [ReplyCacheTests.server])
            resolver = Resolver(configuration, random: SplitMix64(seed: 7))
        }

        mutating func ask(
            _ name: String, _ type: RecordType = .a, id: UInt16, at second: Int, over transport: Transport = .udp,
            from client: String = "2001:db8::1"
        ) throws -> (reply: Message, record: QueryRecord)? {
            let query = Message(
                id: id, flags: .recursionDesired, questions: [Question(name: try DomainName(name), type: type)]
            ).encoded()
            actions = []
            resolver.receive(
                query.span, from: Endpoint(.ipv6(IPv6Address(client)!), port: 1), over: transport, ticket: 1,
                at: .zero + .seconds(second), into: &actions)
            return try outcome()
        }

        func outcome() throws -> (reply: Message, record: QueryRecord)? {
            var reply: Message?
            var record: QueryRecord?
            for action in actions {
                switch action {
                case .reply(let octets, _): reply = try Message(octets.span)
                case .record(let line): record = line
                default: break
                }
            }
            return reply.flatMap { reply in record.map { (reply, $0) } }
        }

        mutating func tell(_ line: String, at second: Int) throws -> (reply: Message, record: QueryRecord)? {
            for case .ask(let octets, let server, _, let exchange) in actions {
                var answer = try Message(octets.span)
                answer.flags.insert(.response)
                answer.answer = [try ResourceRecord(presentation: line, defaultTTL: 0)]
                actions = []
                let encoded = answer.encoded()
                resolver.receive(
                    fromForwarder: encoded.span, from: server, exchange: exchange, at: .zero + .seconds(second),
                    into: &actions)
                return try outcome()
            }
            return nil
        }
    }

    private static func world() throws -> RecordStore {
        RecordStore([try ResourceRecord(presentation: "a.test. 300 IN A 203.0.113.1", defaultTTL: 0)])
    }

    @Test
    func `a reply that is given again has the new query's identifier, and evidence of its own`() throws {
        var bench = Bench(try Self.world())
        let first = try #require(try bench.ask("a.test", .aaaa, id: 1, at: 0))
        let second = try #require(try bench.ask("a.test", .aaaa, id: 2, at: 5, from: "2001:db8::2"))
        #expect(first.reply.id == 1 && second.reply.id == 2)
        #expect(second.reply.answer == first.reply.answer && second.reply.answer[0].ttl == 300)
        #expect(
            second.record.time == .zero + .seconds(5) && second.record.synthesisedFrom == first.record.synthesisedFrom)
        #expect(second.record.client.address == .ipv6(IPv6Address("2001:db8::2")!))
    }

    @Test
    func `letters, transport and flags make a query another one`() throws {
        var bench = Bench(try Self.world())
        _ = try bench.ask("a.test", id: 1, at: 0)
        #expect(try bench.ask("A.test", id: 2, at: 0)?.reply.questions[0].name.description == "A.test.")
        #expect(try bench.ask("a.test", id: 3, at: 0, over: .tcp)?.record.transport == .tcp)
    }

    @Test
    func `TTLs of remembered answers count down, and the reply ends with the shortest`() throws {
        var bench = Bench(RecordStore([], zones: []))
        #expect(try bench.ask("b.test", id: 1, at: 0) == nil)
        #expect(try bench.tell("b.test. 10 IN A 203.0.113.2", at: 0)?.reply.answer[0].ttl == 10)
        for (second, ttl) in [(2, 8), (4, 6), (9, 1)] as [(Int, UInt32)] {
            let again = try #require(try bench.ask("b.test", id: 2, at: second))
            #expect(again.reply.answer[0].ttl == ttl && again.record.source == .cache)
        }
        #expect(try bench.ask("b.test", id: 3, at: 10) == nil)
    }

    @Test
    func `a change of the networks or the faults holds at once`() throws {
        var bench = Bench(try Self.world())
        _ = try bench.ask("a.test", .aaaa, id: 1, at: 0)
        bench.resolver.misbehave([Fault(.init(), .responseCode(.refused))])
        #expect(try bench.ask("a.test", .aaaa, id: 1, at: 0)?.reply.responseCode == .refused)
        bench.resolver.misbehave([])
        #expect(try bench.ask("a.test", .aaaa, id: 1, at: 0)?.reply.answer.count == 1)
        bench.resolver.serve([ServedNetwork(policy: .plain)])
        #expect(try bench.ask("a.test", .aaaa, id: 1, at: 0)?.reply.answer.isEmpty == true)
    }

    @Test
    func `where a policy tells clients apart, each gets its own answer`() throws {
        var policy = SynthesisPolicy.test
        policy.clauses[0].clients = try #require(AddressMatchList(["2001:db8::1"]))
        var bench = Bench(try Self.world(), policy)
        #expect(try bench.ask("a.test", .aaaa, id: 1, at: 0)?.reply.answer.count == 1)
        #expect(try bench.ask("a.test", .aaaa, id: 1, at: 0, from: "2001:db8::2")?.reply.answer.isEmpty == true)
    }

    @Test
    func `the cache is bounded: what was not used for longest is forgotten`() throws {
        var configuration = ResolverConfiguration(
            store: RecordStore([], zones: []), networks: [ServedNetwork(policy: .test)])
        configuration.forwarders = ForwarderConfiguration(servers: [Self.server])
        configuration.cacheCapacity = 4
        var bench = Bench(RecordStore([], zones: []))
        bench.resolver = Resolver(configuration, random: SplitMix64(seed: 7))
        for number in 0..<8 {
            _ = try bench.ask("n\(number).test", id: 1, at: 0)
            _ = try bench.tell("n\(number).test. 100 IN A 203.0.113.2", at: 0)
        }
        #expect(try bench.ask("n7.test", id: 1, at: 0) != nil)
        #expect(try bench.ask("n0.test", id: 1, at: 0) == nil)
    }
}
