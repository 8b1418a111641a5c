// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Evidence
import EvidenceSupport
import Testing
import Wire

@Suite struct IPv4DependencyTests {
    private static let shop: IPv4Address = IPv4Address(198, 51, 100, 10)

    /// A client that reached a host by IPv4, and what else it sent.
    private func hasIPv6(beside flow: Flow?, on network: Network = .nat64CLAT) -> [Bool] {
        let run = RunEvidence(
            network: network, end: .exited(status: 0), duration: .seconds(1),
            questions: [
                RepeatedQuery("shop.test", .a, ["198.51.100.10"]),
                RepeatedQuery("shop.test", .aaaa, ["2e00:2:0:cafe::20"]),
                RepeatedQuery("other.test", .aaaa, ["2e00:2:0:cafe::30"]),
            ],
            flows: [Self.flow("198.51.100.10", .direct)] + (flow.map { [$0] } ?? []))
        return run.ipv4Dependencies.map(\.hasIPv6)
    }

    private static func flow(
        _ remote: IPAddress, _ route: Flow.Route, port: UInt16 = 443, isAnswered: Bool = true
    ) -> Flow {
        Flow(.tcp, remote, port, route, attempts: 1, accepted: isAnswered ? 1 : 0)
    }

    @Test func `a host is reached by IPv6 through the NAT64 or at its own address`() {
        #expect(hasIPv6(beside: nil) == [false])
        #expect(hasIPv6(beside: Self.flow("64:ff9b::c633:640a", .translated(Self.shop))) == [true])
        #expect(hasIPv6(beside: Self.flow("2e00:2:0:cafe::20", .direct)) == [true])
    }

    @Test func `another host, another port and an attempt are no such way`() {
        #expect(hasIPv6(beside: Self.flow("2e00:2:0:cafe::30", .direct)) == [false])
        #expect(hasIPv6(beside: Self.flow("2e00:2:0:cafe::20", .direct, port: 80)) == [false])
        #expect(hasIPv6(beside: Self.flow("2e00:2:0:cafe::20", .direct, isAnswered: false)) == [false])
        #expect(hasIPv6(beside: Self.flow("64:ff9b::c633:640a", .translated(Self.shop), isAnswered: false)) == [false])
    }

    @Test func `other networks have no such hosts`() {
        #expect(hasIPv6(beside: nil, on: .dualStack) == [])
    }
}
