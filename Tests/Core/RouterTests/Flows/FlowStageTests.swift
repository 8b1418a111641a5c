// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// Tests of the router's record of flows.
@Suite struct FlowStageTests {
    /// The log must be the same, whether the translator reports the packet's properties or the packet is parsed again.
    @Test func `an answer through the NAT64 belongs to the flow of its question`() throws {
        var test = try RouterUnderTest(Place.nat64())
        let out = test.receive(Datagram.ipv6(to: Place.synthesised, payload: 30), from: .client).sent[0]
        let port = UInt16(out.octets[20]) << 8 | UInt16(out.octets[21])
        let back = Datagram.ipv4(from: Place.host4, to: Place.pool, payload: 70, ports: (9, port))
        #expect(test.receive(back, from: .world).drops.isEmpty)
        let flows = test.router.flows
        #expect(flows.count == 1)
        let flow = try #require(flows.first)
        #expect(flow.remote == .ipv6(Place.synthesised) && flow.port == 9 && flow.transport == .udp)
        #expect(flow.route == .translated(Place.host4))
        #expect(flow.bytesSent == 30 && flow.bytesReceived == 70 && !flow.isInbound)
    }

    @Test func `what nobody sent for is inbound, with the host that it comes from`() throws {
        var configuration = Place.nat64()
        guard case .stateful(var nat64) = configuration.translation else { return }
        nat64.staticBindings = [
            StaticBinding(.udp, TransportAddress6(Place.client6, 4000), TransportAddress4(Place.pool, 4000))
        ]
        configuration.translation = .stateful(nat64)
        var test = try RouterUnderTest(configuration)
        let back = Datagram.ipv4(from: Place.host4, to: Place.pool, ports: (9, 4000))
        #expect(test.receive(back, from: .world).drops.isEmpty)
        let flows = test.router.flows
        #expect(flows.map(\.isInbound) == [true] && flows.map(\.route) == [.translated(Place.host4)])
    }

    @Test func `an ICMP error of the router's own counts against the flow`() throws {
        var test = try RouterUnderTest(Place.nat64())
        _ = test.receive(Datagram.ipv6(to: IPv6Address("64:ff9b::808:808")!), from: .client)
        let flows = test.router.flows
        #expect(flows.map(\.refused) == [1] && flows.map(\.unreachable) == [.noRoute])
    }

    @Test func `questions to the router's DNS server are no flows`() throws {
        var test = try RouterUnderTest(Place.plain())
        _ = test.receive(Datagram.ipv6(to: Place.router6, ports: (4000, 53)), from: .client)
        _ = test.receive(Datagram.ipv4(to: Place.router4, ports: (4000, 53)), from: .client)
        #expect(test.router.flows.isEmpty)
        _ = test.receive(Datagram.ipv6(ports: (4000, 53)), from: .client)
        #expect(test.router.flows.map(\.port) == [53])
    }

    @Test func `what was lost on purpose has been sent all the same`() throws {
        var configuration = Place.plain()
        configuration.faults.ipv6BlackHole = 60
        var test = try RouterUnderTest(configuration)
        _ = test.receive(Datagram.ipv6(payload: 100), from: .client)
        #expect(test.router.flows.map(\.bytesSent) == [100])
    }
}
