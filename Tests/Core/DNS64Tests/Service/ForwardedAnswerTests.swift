// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Randomness
import Testing
import Translation
import Wire

@testable import DNS64

@Suite("What is taken of a forwarder's answer") struct ForwardedAnswerTests {
    /// Asks for a name and lets a forwarder answer; what the client gets.
    private func reply(
        to name: String, _ type: RecordType, _ change: (inout Message) throws -> Void
    ) throws -> Message {
        var configuration = ResolverConfiguration(
            store: RecordStore([], zones: []), networks: [ServedNetwork(policy: .plain)])
        configuration.forwarders = ForwarderConfiguration(servers: [Endpoint(.ipv6(.loopback), port: 53)])
        var resolver = Resolver(configuration, random: SplitMix64(seed: 20))
        let question = Question(name: try DomainName(name), type: type)
        let query = Message(id: 1, flags: .recursionDesired, questions: [question], edns: EDNS()).encoded()
        var actions: [Resolver.Action] = []
        resolver.receive(
            query.span, from: Endpoint(.ipv6(.loopback), port: 1), over: .udp, ticket: 1, at: .zero, into: &actions)
        for case .ask(let octets, let server, _, let exchange) in actions {
            var answer = try Message(octets.span)
            answer.flags = [.response]
            try change(&answer)
            let encoded = answer.encoded()
            actions = []
            resolver.receive(fromForwarder: encoded.span, from: server, exchange: exchange, at: .zero, into: &actions)
        }
        for case .reply(let octets, _) in actions { return try Message(octets.span) }
        throw NoReply()
    }

    private struct NoReply: Error {}

    @Test func `no name shows in which letters the question was sent, in whatever section`() throws {
        let reply = try reply(to: "_sip._tcp.shop.test", RecordType("SRV")!) { answer in
            let sent = answer.questions[0].name
            let below = sent.description
            #expect(below != below.lowercased())
            answer.answer = [try ResourceRecord(presentation: "\(below) 60 SRV 1 2 3 a.\(below)", defaultTTL: 0)]
            answer.authority = [try ResourceRecord(presentation: "\(below) 60 NS ns.\(below)", defaultTTL: 0)]
            answer.additional = [try ResourceRecord(presentation: "ns.\(below) 60 A 9.9.9.9", defaultTTL: 0)]
        }
        for record in reply.answer + reply.authority + reply.additional {
            let words = record.description.split(separator: " ").filter { !["IN", "SRV", "NS", "A"].contains($0) }
            #expect(words.joined().allSatisfy { !$0.isUppercase }, "\(record)")
        }
        #expect(reply.additional.count == 1)
    }

    @Test func `records of another class are dropped, in every section`() throws {
        let reply = try reply(to: "shop.test", .txt) { answer in
            let chaos = try ResourceRecord(presentation: "shop.test 60 CH TXT chaos", defaultTTL: 0)
            let right = try ResourceRecord(presentation: "shop.test 60 IN TXT right", defaultTTL: 0)
            answer.answer = [chaos, right]
            answer.authority = [chaos]
            answer.additional = [chaos]
        }
        #expect(reply.answer.map(\.description) == ["shop.test. 60 IN TXT \"right\""])
        #expect(reply.authority.isEmpty && reply.additional.isEmpty)
    }
}
