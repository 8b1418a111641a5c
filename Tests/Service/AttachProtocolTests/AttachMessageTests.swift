// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Translation
import Topology
import Evidence
import Foundation
import LinuxNet
import Testing
import Wire

@testable import AttachProtocol

struct AttachMessageTests {
    @Test func `messages come across`() throws {
        let pair = try UnixSocket.pair()
        let runner = AttachChannel(pair.first)
        let daemon = AttachChannel(pair.second)
        let request = AttachRequest.hello(
            version: AttachRequest.version, network: .nat64, client: "curl",
            wishes: LinkWishes(conditions: ["lte"], setup: "ra"))
        let isSent = runner.send(request)
        #expect(isSent)
        guard case .message(let received, nil) = daemon.receive(AttachRequest.self, until: nil) else {
            Issue.record("no message")
            return
        }
        #expect(received == request)
    }

    @Test(arguments: ["", "{", "[]", "{\"hello\":{}}", "{\"place\":1}", String(repeating: "[", count: 60_000)])
    func `what makes no sense is told from the end`(_ text: String) throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.second)
        // An empty message is the end.
        try pair.first.send(Array(text.utf8).span)
        switch daemon.receive(AttachRequest.self, until: nil) {
        case .nonsense: #expect(!text.isEmpty)
        case .closed: #expect(text.isEmpty)
        default: Issue.record("taken for a message: \(text.prefix(20))")
        }
    }

    @Test func `a message that is too long is nonsense`() throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.second)
        try pair.first.send([UInt8](repeating: 32, count: AttachChannel.maximumMessageLength + 1).span)
        guard case .nonsense = daemon.receive(AttachRequest.self, until: nil) else {
            Issue.record("taken")
            return
        }
    }

    @Test func `who says nothing is not waited for forever`() throws {
        let pair = try UnixSocket.pair()
        let daemon = AttachChannel(pair.second)
        guard case .timedOut = daemon.receive(AttachRequest.self, until: MonotonicClock.now()) else {
            Issue.record("something came")
            return
        }
    }

    @Test(arguments: Network.allCases)
    func `a place comes across as it was`(on network: Network) throws {
        let place = AttachSlot(
            client: 1, links: LinkConditions(clientMTU: 1280), network: ClientSlot(3).clientNetwork(on: network),
            resolvers: network.entry.resolvers(on: .standard), prefixes: ["64:ff9b::/96"], authority: nil)
        #expect(try JSONDecoder().decode(AttachSlot.self, from: JSONEncoder().encode(place)) == place)
    }

    @Test func `evidence comes back as it was`() throws {
        var evidence = NetworkEvidence()
        let query = QueryRecord(
            "Shop.test", .aaaa,
            ["CNAME a\\.b.test.", "64:ff9b::c633:640a", "HTTPS 1 . alpn=\"h2\" ipv4hint=192.0.2.1"],
            at: .microseconds(1234), from: [IPv4Address(198, 51, 100, 10)],
            faults: [.ttl(7), .answer([.aaaa(.loopback)]), .delay(.milliseconds(3))],
            reason: .forwarders([ForwarderFailure(Endpoint("192.0.2.53", port: 53), .silent(.seconds(2)))]))
        evidence.questions = [RepeatedQuery(query, count: 2)!]
        evidence.queries = QueryExcerpt(
            [query, QueryRecord(nil, code: nil, source: .forwarder(Endpoint("2001:db8::53", port: 53)), rule: .form)],
            omitted: 3)
        evidence.flows = [
            Flow(
                .tcp, "64:ff9b::c633:640a", 80, .translated(IPv4Address(198, 51, 100, 10)), attempts: 1, accepted: 1,
                unreachable: .prohibited, bytesSent: 78, bytesReceived: .max),
            Flow(.udp, "192.0.2.1", 7, .direct),
        ]
        evidence.drops = DropReason.allCases.map { Drop(reason: $0, count: 3, example: "IPv6 a > b") }
        evidence.counters = [NamedCount("hairpinned", 1)]
        evidence.deletedLinks = [DeletedLink(side: .world, time: .seconds(1))]
        evidence.refusals = WorldRefusal.Reason.allCases.map {
            WorldRefusal($0, .tcp, "198.51.100.10", port: 80, count: 7, first: .milliseconds(20))
        }
        evidence.lost = LostObservations(queries: 1, flows: 2, path: true)
        evidence.clientPrefix = "2001:db8:1:2::/64"
        evidence.conditions = ConditionEvidence(written: ["loss=1%"])
        evidence.hostConditions = [ConditionEvidence(host: "shop.test", written: ["delay=10ms"])]
        evidence.payloads = PayloadRecord()
        evidence.connections = [ServedConnection(time: .seconds(1), address: "198.51.100.10", port: 80)]
        evidence.servedQueries = [
            ServedQuery(
                address: "198.51.100.53", port: 853, carrier: .tls, question: Question(name: "shop.test", type: .a),
                addresses: ["198.51.100.10"])
        ]
        // Empty fields are not sent, so no field may be empty here.
        let empty = Mirror(reflecting: NetworkEvidence()).children.map { "\($0.value)" }
        for (field, nothing) in zip(Mirror(reflecting: evidence).children, empty) {
            #expect("\(field.value)" != nothing, "\(field.label ?? "")")
        }
        #expect(EvidenceFile.read(try EvidenceFile.make(evidence)) == evidence)
    }

    @Test func `evidence of nothing is what a reader prepares with`() {
        #expect(EvidenceFile.read(EvidenceFile.empty) == NetworkEvidence())
    }
}
