// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

@Suite struct CountersTests {
    @Test
    func `packets and octets are counted for each session and each side`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53, [1, 2, 3])).only(to: .ipv4)
        network.send6(h6, h4, .udp(4_000, 53, [1]))
        network.send4(h4, t4, .udp(53, out.sourcePort, [1, 2]))
        let session = try #require(network.sessions.first)
        #expect(session.packetsFromIPv6 == 2 && session.octetsFromIPv6 == 2 * 48 + 4)
        #expect(session.packetsFromIPv4 == 1 && session.octetsFromIPv4 == 28 + 2)
    }

    @Test
    func `what comes in, what goes out and what is dropped adds up`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        network.send4(h4, t4, .udp(53, out.sourcePort))
        network.send4(h4, t4, .udp(53, 1))
        network.send4(h4, t4, .tcp(53, 1, .syn))
        network.pass(.seconds(6))
        let counters = network.nat.counters
        #expect(counters.receivedFromIPv6 == 1 && counters.receivedFromIPv4 == 3)
        #expect(counters.emittedToIPv4 == 1 + 2 && counters.emittedToIPv6 == 1 && counters.errorsSent == 2)
        #expect(counters.stored == 1 && counters.drops.total == 2)
        #expect(counters.drops[.noBinding] == 1 && counters.drops[.storedSYNExpired] == 1)
    }

    @Test
    func `time does not go back`() throws {
        var network = try Network()
        network.pass(.seconds(100))
        network.send6(h6, h4, .udp(4_000, 53))
        network.now = .zero
        network.send6(h6, h4, .udp(4_000, 53))
        #expect(network.sessions.first?.expires == Instant.zero + .seconds(400))
    }
}
