// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.5.1.1, Rules for Allocation of IPv4 Transport Addresses for UDP, as far as ports go.
@Suite struct RFC6146Section3_5_1_1_PortTests {
    @Test(arguments: [1, 2, 53, 1_022, 1_023, 1_024, 1_025, 40_000, 65_534, 65_535] as [UInt16])
    func `a port keeps its range and its parity`(port: UInt16) throws {
        var random = SeededRandom(seed: 1)
        var ports = PortSet(for: .udp)
        for _ in 0..<300 {
            let chosen = try #require(ports.choose(for: port, keepingParity: true, using: &random))
            #expect((chosen < 1_024) == (port < 1_024))
            #expect(chosen % 2 == port % 2)
            ports.take(chosen)
        }
    }

    @Test
    func `with its parity used up, a port keeps its range`() throws {
        var random = SeededRandom(seed: 2)
        var ports = PortSet(for: .tcp)
        for port in UInt16(1)..<1_024 where port % 2 == 1 { ports.take(port) }
        let chosen = try #require(ports.choose(for: 99, keepingParity: true, using: &random))
        #expect(chosen < 1_024 && chosen % 2 == 0)
    }

    @Test
    func `with its range used up, a port keeps its parity`() throws {
        var random = SeededRandom(seed: 3)
        var ports = PortSet(for: .tcp)
        for port in UInt16(1)..<1_024 { ports.take(port) }
        let chosen = try #require(ports.choose(for: 99, keepingParity: true, using: &random))
        #expect(chosen >= 1_024 && chosen % 2 == 1)
    }

    @Test
    func `without parity, both are chosen`() throws {
        var random = SeededRandom(seed: 4)
        let ports = PortSet(for: .udp)
        let chosen = (0..<64).compactMap { _ in ports.choose(for: 40_000, keepingParity: false, using: &random) }
        #expect(Set(chosen.map { $0 % 2 }) == [0, 1])
        #expect(chosen.allSatisfy { $0 >= 1_024 })
    }

    @Test(arguments: TransportProtocol.allCases)
    func `every port is chosen once, and then none`(transport: TransportProtocol) {
        var random = SeededRandom(seed: 5)
        var ports = PortSet(for: transport)
        var chosen: Set<UInt16> = []
        while let port = ports.choose(for: 5_000, keepingParity: true, using: &random) {
            #expect(chosen.insert(port).inserted)
            ports.take(port)
        }
        // Port 0 is reserved in UDP and TCP; the identifier 0 is not.
        #expect(chosen.count == (transport == .icmp ? 65_536 : 65_535))
        #expect(chosen.contains(0) == (transport == .icmp))
        #expect(ports.isExhausted)
        ports.release(777)
        #expect(ports.choose(for: 5_000, keepingParity: true, using: &random) == 777)
    }

    @Test
    func `ports are not given out in sequence`() throws {
        var random = SeededRandom(seed: 6)
        var ports = PortSet(for: .udp)
        let chosen = try (0..<32).map { _ in
            let port = try #require(ports.choose(for: 40_000, keepingParity: true, using: &random))
            ports.take(port)
            return Int(port)
        }
        #expect(zip(chosen, chosen.dropFirst()).allSatisfy { abs($0 - $1) > 2 })
    }

    @Test(arguments: TransportProtocol.allCases)
    func `Of an address with a port range, no other port is given out`(transport: TransportProtocol) throws {
        var random = SeededRandom(seed: 8)
        var ports = PortSet(for: transport, in: 40_000...40_009)
        var chosen: Set<UInt16> = []
        for host in UInt16(1_000)..<1_010 {
            let port = try #require(ports.choose(for: host, keepingParity: true, using: &random))
            ports.take(port)
            chosen.insert(port)
        }
        #expect(chosen == Set(40_000...40_009) && ports.isExhausted)
        #expect(ports.choose(for: 80, keepingParity: true, using: &random) == nil)
    }

    @Test func `A mapping has a port of the range of its pool address`() throws {
        var network = try Network { $0.poolPorts = [IPv4Address(t4)!: 61_000...61_001] }
        for source in [4_000, 4_001] as [UInt16] {
            let out = try network.send6(h6, h4, .udp(source, 53)).only(to: .ipv4)
            #expect((61_000...61_001).contains(out.sourcePort))
        }
        #expect(network.send6(h6, h4, .udp(4_002, 53)).drops == [.portsExhausted])
        #expect(throws: ConfigurationError.self) {
            _ = try Network {
                $0.poolPorts = [IPv4Address(t4)!: 61_000...61_001]
                $0.staticBindings = [
                    StaticBinding(
                        .tcp, TransportAddress6(IPv6Address(h6)!, 80), TransportAddress4(IPv4Address(t4)!, 80))
                ]
            }
        }
    }

    @Test
    func `the same seed gives the same ports, another gives others`() {
        func choices(_ seed: UInt64) -> [UInt16?] {
            var random = SeededRandom(seed: seed)
            let ports = PortSet(for: .udp)
            return (0..<8).map { _ in ports.choose(for: 40_000, keepingParity: true, using: &random) }
        }
        #expect(choices(7) == choices(7))
        #expect(choices(7) != choices(8))
    }
}
