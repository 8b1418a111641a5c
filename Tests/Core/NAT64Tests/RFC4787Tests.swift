// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 4787, NAT Behavioral Requirements for Unicast UDP, where RFC 6146's own sections do not say the same; with what RFC 7857
/// changed.
@Suite struct RFC4787Tests {
    @Test
    func `no two hosts share a transport address at a time, not even towards different destinations`() throws {
        var network = try Network()
        for port in UInt16(1)...65_535 where port != 40_000 { network.nat[.udp].ports[0].take(port) }
        _ = try network.send6("2001:db8::1", h4, .udp(4_000, 53)).only(to: .ipv4)
        #expect(network.send6("2001:db8::2", "203.0.113.1", .udp(4_000, 53)).drops == [.portsExhausted])
    }

    @Test
    func `port parity can be left out (RFC 7857 §8)`() throws {
        var network = try Network { $0.preservesPortParity = false }
        let parities = try (0..<40).map { index in
            try network.send6(h6, h4, .udp(4_000 + 2 * index, 53)).only(to: .ipv4).sourcePort % 2
        }
        #expect(Set(parities) == [0, 1])
    }

    @Test
    func `refreshment can be left to the inside alone`() throws {
        var network = try Network { $0.refreshesFromIPv4 = false }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        network.pass(.seconds(200))
        _ = try network.send4(h4, t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        network.pass(.seconds(100))
        #expect(network.sessions.isEmpty)

        let ping = try network.send6(h6, h4, .echoRequest6(1)).only(to: .ipv4)
        network.pass(.seconds(30))
        _ = try network.send4(h4, t4, .echoReply4(ping.identifier)).only(to: .ipv6)
        network.pass(.seconds(30))
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `behaviour does not change with the load: the mapping stays endpoint-independent`() throws {
        var network = try Network()
        for port in UInt16(1)...65_535 where port % 64 != 0 { network.nat[.udp].ports[0].take(port) }
        var mapped: [UInt16: String] = [:]
        for round in 1...3 {
            for port in UInt16(4_000)..<4_100 {
                let out = try network.send6(h6, "203.0.113.\(round)", .udp(port, 53)).only(to: .ipv4)
                #expect(mapped[port] ?? out.from == out.from)
                mapped[port] = out.from
            }
        }
    }

    @Test
    func `a UDP packet without a checksum is given one`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        var upper = UpperLayer.udp(53, out.sourcePort)
        upper.checksumOffset = nil
        let back = try network.send4(h4, t4, upper).only(to: .ipv6)
        #expect(back.payload == [1, 2, 3, 4, 5])
    }
}
