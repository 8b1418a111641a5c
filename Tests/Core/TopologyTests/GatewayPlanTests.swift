// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Topology

@Suite struct GatewayPlanTests {
    private static let prefixes = [IPv6Prefix("64:ff9b::/96")!]

    private func objection(_ clients: [String], _ resolver: String? = nil) -> String? {
        GatewayPlan(clients: clients.map { IPv6Prefix($0)! }, resolver: resolver.map { IPv6Address($0)! })
            .objection(prefixes: Self.prefixes)
    }

    @Test func `prefixes of a cluster are good, with an address for its names`() {
        #expect(objection(["fd00:10:244::/56", "fd00:10:89::/64"], "fd00:10:89::64") == nil)
        #expect(objection(["2001:db8::5/128"]) == nil)
    }

    @Test(
        arguments: [
            ([], nil, "--from PREFIX is missing"), (["ff02::/16"], nil, "is no prefix that clients are routed by"),
            (["fe80::/64"], nil, "is no prefix"), (["::/0"], nil, "is no prefix"),
            (["64:ff9b::/48"], nil, "overlap"), (["64:ff9b::1/128"], nil, "overlap"),
            (["fd00::/64"], "64:ff9b::1", "is in the NAT64's"), (["fd00::/64"], "fe80::1", "cannot be"),
            (["fd00::/64"], "::1", "cannot be"), (["fd00::/64"], "ff02::1", "cannot be"),
        ] as [([String], String?, String)])
    func `what cannot be served is said`(_ clients: [String], _ resolver: String?, _ words: String) throws {
        #expect(try #require(objection(clients, resolver)).contains(words))
    }

    @Test func `the address for names stays where others are tried`() {
        let plan = GatewayPlan(clients: [], resolver: IPv6Address("fd00:10:89::64")!)
        #expect(plan.link.router == IPv6Address("fd00:10:89::64"))
        #expect(Set(plan.link.alternatives.map(\.router)).count == 1)
        #expect(Set(plan.link.alternatives.map(\.ipv4)).count == 255)
        #expect(GatewayPlan(clients: []).link == .standard)
    }
}
