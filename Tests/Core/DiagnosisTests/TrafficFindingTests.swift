// SPDX-License-Identifier: Apache-2.0
import DNS64
import DNSWire
import EvidenceSupport
import Testing
import Translation
import Wire

@testable import Diagnosis
@testable import Evidence

/// Findings about a host from its packets and queries alone.
@Suite struct TrafficFindingTests {
    private func seen(_ records: [QueryRecord] = [], flows: [Flow] = [], drops: [Drop] = []) -> NetworkEvidence {
        var log = ClientQueries(since: .zero, resolver: Endpoint("2e00:2:0:1::1", port: 53))
        for record in records { log.take(record) }
        var evidence = NetworkEvidence()
        evidence.questions = log.questions
        evidence.flows = flows
        evidence.drops = drops
        return evidence
    }

    private func rules(_ seen: NetworkEvidence) -> [String] {
        Finding.ofTraffic(seen, over: .seconds(60)).map(\.rule.id)
    }

    private func flow(_ answered: Bool) -> Flow {
        var flow = Flow(
            transport: .tcp, remote: .ipv6(IPv6Address("64:ff9b::c633:640a")!), port: 443,
            route: .translated(IPv4Address(198, 51, 100, 10)))
        flow.attempts = 1
        flow.accepted = answered ? 1 : 0
        if answered { flow.bytesReceived = 100 }
        return flow
    }

    @Test func `who asks for both families and is answered has no finding`() {
        let records = [
            QueryRecord("shop.test", .a, ["198.51.100.10"]), QueryRecord("shop.test", .aaaa, ["64:ff9b::c633:640a"]),
        ]
        #expect(rules(seen(records, flows: [flow(true)])).isEmpty)
        #expect(rules(seen()).isEmpty)
    }

    @Test func `who asks for A alone is told so, by name`() throws {
        let findings = Finding.ofTraffic(
            seen([QueryRecord("api.vendor.example", .a, ["198.51.100.10"])]), over: .seconds(1))
        #expect(findings.map(\.rule.id) == ["V6C-002"])
        let observation = try #require(findings.first?.observations.first)
        #expect(observation.target == .name("api.vendor.example"))
    }

    @Test func `a host that does not answer is named`() {
        #expect(rules(seen(flows: [flow(false)])) == ["V6C-005"])
    }

    @Test func `a private address under the well-known prefix is V6C-012`() {
        var flow = flow(false)
        flow.remote = .ipv6(IPv6Address("64:ff9b::a00:1")!)
        flow.route = .translated(IPv4Address(10, 0, 0, 1))
        flow.unreachable = .prohibited
        flow.refused = 1
        let drop = Drop(reason: .nonGlobalIPv4, count: 1, example: "TCP fd00::5.4000 → 64:ff9b::a00:1.443")
        #expect(rules(seen(flows: [flow], drops: [drop])).first == "V6C-012")
    }

    @Test func `every rule of traffic is one of the catalogue, for this network`() {
        for rule in Catalogue.ofTraffic {
            #expect(Catalogue.all.contains(rule) && rule.networks.contains(.nat64), "\(rule)")
        }
    }
}
