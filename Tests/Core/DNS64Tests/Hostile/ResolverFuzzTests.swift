// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import Randomness
import Testing
import Wire

@Suite("The resolver on hostile octets")
struct ResolverFuzzTests {
    @Test
    func `mutated queries get a reply that can be read, with their identifier, or none`() throws {
        var random = SplitMix64(seed: 0x6147)
        let records = try [
            "a.test. A 203.0.113.1", "b.test. CNAME a.test.", "c.test. DNAME b.test.", "*.w.test. A 203.0.113.2",
        ].map { try ResourceRecord(presentation: $0, defaultTTL: 300) }
        var resolver = Resolver(
            .init(store: RecordStore(records), networks: [ServedNetwork(policy: .test)]), random: random)
        var samples: [[UInt8]] = []
        for (name, type) in [("a.test", RecordType.aaaa), ("x.c.test", .aaaa), ("b.test", .any)] {
            samples.append(
                Message(
                    id: 1, flags: .recursionDesired, questions: [Question(name: try DomainName(name), type: type)],
                    edns: EDNS(dnssecOK: true)
                ).encoded())
        }
        var replies = 0
        for round in 0..<6_000 {
            var query = samples[round % samples.count]
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                query[Int.random(in: 0..<query.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var actions: [Resolver.Action] = []
            resolver.receive(
                query.span, from: Endpoint(.ipv6(.loopback), port: 1), over: .udp, ticket: 5, at: .zero, into: &actions)
            for case .reply(let octets, let ticket) in actions {
                let reply = try Message(octets.span)
                #expect(ticket == 5 && reply.flags.contains(.response) && octets.prefix(2) == query.prefix(2))
                replies += 1
            }
        }
        #expect(replies > 1_500)
    }
}
