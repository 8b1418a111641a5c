// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// Long random lives of a small NAT64: whatever happens, what must always hold does.
@Suite struct ExplorationTests {
    private static let hosts = (1...4).map { "2001:db8::\($0)" }
    private static let remotes = ["198.51.100.1", "198.51.100.2", "203.0.113.1"]
    private static let pool = ["192.0.2.1", "192.0.2.2"]

    private static func configuration(_ seed: UInt64) -> (inout NAT64Configuration) -> Void {
        {
            $0.pool = pool.map { IPv4Address($0)! }
            $0.filtering = seed % 2 == 0 ? .endpointIndependent : .addressDependent
            $0.pooling = seed % 3 == 0 ? .paired : .pairedWherePossible
            $0.limits.sessions = 40
            $0.limits.bindings = 30
            $0.limits.bindingsPerHost = seed % 4 == 1 ? 12 : nil
            $0.limits.sessionsPerHost = seed % 4 == 2 ? 20 : nil
            $0.limits.storedSYNs = 4
            $0.limits.fragmentedDatagrams = 6
            $0.limits.fragmentOctets = 16 * 512
            $0.staticBindings = [
                StaticBinding(
                    .udp, TransportAddress6(IPv6Address(hosts[0])!, 80), TransportAddress4(IPv4Address(pool[1])!, 80))
            ]
        }
    }

    /// A packet from either side: mostly one that may belong to something.
    private static func send(_ network: inout Network, _ random: inout SeededRandom) -> Outcome {
        let host = hosts[random.below(hosts.count)]
        let remote = random.below(5) == 0 ? pool[random.below(2)] : remotes[random.below(remotes.count)]
        let hostPort = UInt16(4_000 + random.below(4))
        let remotePort = UInt16(50 + random.below(3))
        let flags: TCPFlags = [.syn, [.syn, .ack], .ack, [.fin, .ack], .rst][random.below(5)]
        let mapped = network.bindings.isEmpty ? nil : network.bindings.randomElement(using: &random)
        let destination = mapped?.mapped ?? TransportAddress4(IPv4Address(pool[0])!, 1_000)
        let payload = [UInt8](repeating: 3, count: random.below(3_000))

        switch random.below(12) {
        case 0: return network.send6(host, remote, .udp(hostPort, remotePort))
        case 1, 2: return network.send6(host, remote, .tcp(hostPort, remotePort, flags))
        case 3: return network.send6(host, remote, .echoRequest6(hostPort))
        case 4: return network.send4(remote, destination.address.description, .udp(remotePort, destination.port))
        case 5, 6:
            return network.send4(
                remote, destination.address.description, .tcp(remotePort, destination.port, flags))
        case 7: return network.send4(remote, destination.address.description, .echoReply4(destination.port))
        case 8:
            let fragments = ipv6Fragments(
                IPv6Address(host)!, Network.synthesized(remote), .udp(hostPort, remotePort, payload), size: 504,
                identification: UInt32(random.below(3)))
            return network.receive(fragments[random.below(fragments.count)], from: .ipv6)
        case 9:
            let fragments = ipv4Fragments(
                IPv4Address(remote)!, destination.address, .udp(remotePort, destination.port, payload), size: 504,
                identification: UInt16(random.below(3)), hasChecksum: random.below(2) == 0)
            return network.receive(fragments[random.below(fragments.count)], from: .ipv4)
        case 10:
            let about = ipv4Packet(
                destination.address, IPv4Address(remote)!, .udp(destination.port, remotePort))
            return network.send4(remote, destination.address.description, .icmpv4(3, 3, [0, 0, 0, 0] + about))
        default:
            let about = ipv6Packet(
                Network.synthesized(remote), IPv6Address(host)!, .udp(remotePort, hostPort))
            return network.send6(host, remote, .icmpv6(1, 4, [0, 0, 0, 0] + about))
        }
    }

    private static func checkInvariants(_ network: borrowing Network) {
        var mapped: Set<String> = []
        var hosts: Set<String> = []
        for binding in network.bindings {
            #expect(mapped.insert("\(binding.transport) \(binding.mapped)").inserted)
            #expect(hosts.insert("\(binding.transport) \(binding.host)").inserted)
            #expect(binding.isStatic || binding.sessions > 0)
        }
        var tuples: Set<String> = []
        for session in network.sessions {
            #expect(tuples.insert("\(session.transport) \(session.mapped) \(session.remote)").inserted)
            #expect(session.expires > network.now)
            if let host = session.host {
                #expect(hosts.contains("\(session.transport) \(host)"))
                #expect(mapped.contains("\(session.transport) \(session.mapped)"))
            } else {
                #expect(session.state == .v4Init)
            }
        }
        let sessions = network.sessions
        #expect(network.bindings.map(\.sessions).reduce(0, +) == sessions.filter { $0.host != nil }.count)
        for transport in TransportProtocol.allCases {
            #expect(
                network.nat.tableCounts(of: transport).sessions <= 40
                    && network.nat.tableCounts(of: transport).bindings <= 30)
        }
        #expect(
            network.nat.storedSYNs.count == sessions.filter { $0.host == nil }.count
                && network.nat.storedSYNs.count <= 4)
        #expect(network.nat.fragments.count <= 6 && network.nat.fragmentStore.storedOctets <= 16 * 512)
        #expect(network.nat.nextDeadline > network.now)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `invariants hold at every step`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var network = try Network(seed: seed, Self.configuration(seed))
        for _ in 0..<400 {
            if random.below(8) == 0 {
                network.pass(.milliseconds([1, 300, 2_000, 6_000, 60_000, 240_000, 8_000_000][random.below(7)]))
            }
            let stored = network.nat.counters.stored
            let outcome = Self.send(&network, &random)
            let stores = network.nat.counters.stored > stored
            #expect(stores || outcome.emitted.count + outcome.drops.count > 0, "a packet vanished")
            Self.checkInvariants(network)
        }
        // Everything but what is configured dies out in the end.
        network.pass(.seconds(100_000))
        #expect(network.sessions.isEmpty && network.bindings.map(\.isStatic) == [true])
        #expect(network.nat.fragments.count == 0 && network.nat.fragmentStore.storedOctets == 0)
        #expect(network.nat.nextDeadline == .distantFuture)
        #expect(network.nat.counters.sessionsOpened == network.nat.counters.sessionsClosed)
    }

    @Test
    func `the same seed and the same packets give the same output`() throws {
        func life() throws -> [[UInt8]] {
            var random = SeededRandom(seed: 42)
            var network = try Network(seed: 42, Self.configuration(42))
            return (0..<300).flatMap { _ in
                network.pass(.milliseconds(100))
                return Self.send(&network, &random).emitted.map(\.packet.octets)
            }
        }
        #expect(try life() == life())
    }
}
