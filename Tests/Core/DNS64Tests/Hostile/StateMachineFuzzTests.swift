// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Wire

@Suite("The state machine under hostile forwarders, faults and time")
struct StateMachineFuzzTests {
    private static let servers = [1, 2].map { Endpoint(.ipv4(IPv4Address(192, 0, 2, $0)), port: 53) }

    @Test(arguments: 0..<20)
    func `every query ends in one reply or none, and every exchange is closed`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var configuration = ResolverConfiguration(
            store: RecordStore(
                [try ResourceRecord(presentation: "in.test. CNAME out.example.", defaultTTL: 300)],
                zones: [try DomainName("test")]),
            networks: [ServedNetwork(policy: .test)])
        configuration.forwarders = ForwarderConfiguration(servers: Self.servers)
        configuration.cacheCapacity = 8
        configuration.maximumPending = 20
        configuration.maximumPendingPerClient = 12
        configuration.faults = [
            Fault(.init(name: try DomainName("slow.example")), .delay(.seconds(2))),
            Fault(.init(type: .mx), .drop),
        ]
        var resolver = Resolver(configuration, random: random)
        var now = Instant.zero
        var tickets: UInt64 = 0
        var settled: [UInt64: Int] = [:]
        var open: [UInt64: (octets: [UInt8], server: UpstreamServer)] = [:]

        func take(_ actions: [Resolver.Action]) {
            for action in actions {
                switch action {
                case .reply(_, let ticket), .forget(let ticket): settled[ticket, default: 0] += 1
                case .record: break
                case .ask(let octets, let server, _, let exchange): open[exchange] = (octets, server)
                case .close(let exchange): open[exchange] = nil
                }
            }
        }

        for _ in 0..<400 {
            var actions: [Resolver.Action] = []
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let name = ["in.test", "out.example", "slow.example", "a.example", "b.example", "no.test"]
                    .randomElement(using: &random)!
                let type = [RecordType.a, .aaaa, .mx].randomElement(using: &random)!
                let query = Message(
                    id: 1, flags: .recursionDesired, questions: [Question(name: try DomainName(name), type: type)])
                tickets += 1
                let client = IPv6Address(bits: UInt128(Int.random(in: 1...3, using: &random)))
                let encoded = query.encoded()
                resolver.receive(
                    encoded.span, from: Endpoint(.ipv6(client), port: 9), over: .udp, ticket: tickets, at: now,
                    into: &actions)
            case 4..<8:
                guard let exchange = open.keys.sorted().randomElement(using: &random), let asked = open[exchange] else {
                    break
                }
                let octets = try Self.response(to: asked.octets, using: &random)
                resolver.receive(
                    fromForwarder: octets.span, from: asked.server, exchange: exchange, at: now, into: &actions)
            case 8:
                guard let exchange = open.keys.sorted().randomElement(using: &random) else { break }
                resolver.fail(exchange: exchange, at: now, into: &actions)
            default:
                now = now + .milliseconds(Int.random(in: 0..<1500, using: &random))
                resolver.advance(to: now, into: &actions)
            }
            take(actions)
        }
        while let deadline = resolver.nextDeadline {
            now = max(now, deadline)
            var actions: [Resolver.Action] = []
            resolver.advance(to: now, into: &actions)
            take(actions)
        }
        #expect(settled.count == Int(tickets) && settled.values.allSatisfy { $0 == 1 })
        #expect(open.isEmpty)
    }

    /// A response that is right, negative, an error, cut, or mutated.
    private static func response(to octets: [UInt8], using random: inout SplitMix64) throws -> [UInt8] {
        var message = try Message(octets.span)
        message.flags.insert(.response)
        let name = message.questions[0].name
        switch Int.random(in: 0..<6, using: &random) {
        case 0: message.answer = [ResourceRecord(name: name, ttl: 5, data: .a(IPv4Address(203, 0, 113, 1)))]
        case 1: message.answer = [ResourceRecord(name: name, ttl: 5, data: .cname(name))]
        case 2: message.responseCode = ResponseCode(rawValue: UInt16.random(in: 1...10, using: &random))
        case 3: message.flags.insert(.truncated)
        default: break
        }
        var response = message.encoded()
        if Bool.random(using: &random) {
            for _ in 0..<3 {
                response[Int.random(in: 0..<response.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return response
    }
}
