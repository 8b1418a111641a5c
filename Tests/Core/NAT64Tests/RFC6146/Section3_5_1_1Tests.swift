// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.5.1.1, Rules for Allocation of IPv4 Transport Addresses for UDP, and §3.5.2.3, the same for TCP.
@Suite struct RFC6146Section3_5_1_1Tests {
    private static let pool = (1...8).map { IPv4Address(192, 0, 2, $0) }

    @Test
    func `all mappings of a host have one IPv4 address, in all three protocols`() throws {
        var network = try Network { $0.pool = Self.pool }
        var addresses: Set<String> = []
        for host in 1...40 {
            let source = "2001:db8::\(host)"
            let udp = try network.send6(source, h4, .udp(4_000, 53)).only(to: .ipv4)
            let other = try network.send6(source, h4, .udp(4_001, 53)).only(to: .ipv4)
            let tcp = try network.send6(source, h4, .tcp(4_000, 53, .syn)).only(to: .ipv4)
            let icmp = try network.send6(source, h4, .echoRequest6(1)).only(to: .ipv4)
            #expect(Set([udp.source, other.source, tcp.source, icmp.source]).count == 1)
            addresses.insert(udp.source)
        }
        #expect(addresses.count > 4, "the hosts are spread over the pool")
    }

    @Test
    func `a transport address is used once in a protocol, but may be used in each`() throws {
        var network = try Network()
        var used: [TransportProtocol: Set<TransportAddress4>] = [:]
        for port in UInt16(2_000)..<2_400 {
            network.send6(h6, h4, .udp(port, 53))
            network.send6(h6, h4, .tcp(port, 53, .syn))
            network.send6(h6, h4, .echoRequest6(port))
        }
        for binding in network.bindings {
            #expect(used[binding.transport, default: []].insert(binding.mapped).inserted)
        }
        #expect(used.values.map(\.count) == [400, 400, 400])
    }

    @Test(arguments: [7, 8, 1_023, 1_024, 5_001, 65_535] as [UInt16])
    func `a mapping keeps the port's range and parity`(port: UInt16) throws {
        var network = try Network()
        for (host, upper) in [("2001:db8::1", UpperLayer.udp(port, 53)), ("2001:db8::2", .tcp(port, 53, .syn))] {
            let out = try network.send6(host, h4, upper).only(to: .ipv4)
            #expect((out.sourcePort < 1_024) == (port < 1_024) && out.sourcePort % 2 == port % 2)
        }
    }

    @Test
    func `when the ports are used up, the packet is dropped and an address unreachable goes back`() throws {
        var network = try Network()
        for port in UInt16(3)...65_535 { network.nat[.udp].ports[0].take(port) }
        let last = try (1...2).map { try network.send6("2001:db8::1", h4, .udp(4_000 + $0, 53)).only(to: .ipv4) }
        #expect(Set(last.map(\.sourcePort)) == [1, 2])
        let outcome = network.send6("2001:db8::2", h4, .udp(4_000, 53))
        #expect(outcome.drops == [.portsExhausted])
        let error = try #require(outcome.emitted.first?.packet)
        #expect(error.type == 1 && error.code == 3 && error.destination == "2001:db8::2")
        // Existing mappings keep working, and TCP has its own ports.
        _ = try network.send6("2001:db8::1", h4, .udp(4_001, 53)).only(to: .ipv4)
        _ = try network.send6("2001:db8::2", h4, .tcp(4_000, 53, .syn)).only(to: .ipv4)
    }

    @Test
    func `a host whose address is used up gets another one only where that is configured`() throws {
        for pooling in [AddressPooling.paired, .pairedWherePossible] {
            var network = try Network {
                $0.pool = Array(Self.pool.prefix(2))
                $0.pooling = pooling
            }
            let first = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
            let place = try #require(Self.pool.firstIndex { $0.description == first.source })
            for port in UInt16(1)...65_535 where port != first.sourcePort { network.nat[.udp].ports[place].take(port) }
            let outcome = network.send6(h6, h4, .udp(4_001, 53))
            switch pooling {
            case .paired: #expect(outcome.drops == [.portsExhausted])
            case .pairedWherePossible: #expect(try outcome.only(to: .ipv4).source != first.source)
            }
            // A host that comes now is paired with the address that has ports.
            _ = try network.send6("2001:db8::9", h4, .udp(1, 53)).only(to: .ipv4)
        }
    }

    @Test
    func `a static binding is there from the start, and stays`() throws {
        let host = TransportAddress6(IPv6Address(h6)!, 80)
        let mapped = TransportAddress4(IPv4Address(t4)!, 8_080)
        var network = try Network { $0.staticBindings = [StaticBinding(.tcp, host, mapped)] }
        let syn = try network.send4(h4, t4, .tcp(999, 8_080, .syn)).only(to: .ipv6)
        #expect(syn.to == "[2001:db8::1]:80")
        let answer = try network.send6(h6, h4, .tcp(80, 999, [.syn, .ack])).only(to: .ipv4)
        #expect(answer.from == "192.0.2.1:8080")
        network.pass(.seconds(100_000))
        #expect(network.sessions.isEmpty && network.bindings.count == 1)
        #expect(network.bindings.first?.isStatic == true)
        _ = try network.send4(h4, t4, .tcp(998, 8_080, .syn)).only(to: .ipv6)
    }

    @Test
    func `a host with a static binding is paired with its address`() throws {
        let host = TransportAddress6(IPv6Address(h6)!, 80)
        for address in Self.pool {
            var network = try Network {
                $0.pool = Self.pool
                $0.staticBindings = [StaticBinding(.tcp, host, TransportAddress4(address, 80))]
            }
            let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
            #expect(out.source == address.description)
        }
    }

    @Test
    func `the same seed gives the same transport addresses`() throws {
        func mapped(_ seed: UInt64) throws -> [String] {
            var network = try Network(seed: seed) { $0.pool = Self.pool }
            return try (1...20).map { try network.send6("2001:db8::\($0)", h4, .udp(4_000, 53)).only(to: .ipv4).from }
        }
        #expect(try mapped(5) == mapped(5))
        #expect(try mapped(5) != mapped(6))
    }
}
