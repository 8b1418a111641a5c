// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.4 and §3.5, what is looked at before any table is.
@Suite struct RFC6146Section3_5Tests {
    @Test
    func `an IPv6 source inside a Pref64 is dropped in silence`() throws {
        var network = try Network()
        let outcome = network.send6("64:ff9b::203.0.113.1", h4, .udp(4_000, 53))
        #expect(outcome.drops == [.sourceInsidePref64] && outcome.emitted.isEmpty)
    }

    @Test(arguments: ["::", "::1", "ff02::1", "fe80::1"])
    func `an IPv6 source that is no host's is dropped in silence`(source: String) throws {
        var network = try Network()
        let outcome = network.send6(source, h4, .udp(4_000, 53))
        #expect(outcome.drops == [.illegalSource] && outcome.emitted.isEmpty)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255"])
    func `an IPv4 source that is no host's is dropped in silence`(source: String) throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let outcome = network.send4(source, t4, .udp(53, out.sourcePort))
        #expect(outcome.drops == [.illegalSource] && outcome.emitted.isEmpty)
    }

    @Test func `a link-local host is carried where that is asked for, and no other`() throws {
        let metadata = "169.254.169.254"
        var network = try Network { $0.translation.carriedLinkLocal = IPv4Address(metadata) }
        let out = try network.send6(h6, metadata, .udp(4_000, 80)).only(to: .ipv4)
        _ = try network.send4(metadata, t4, .udp(80, out.sourcePort)).only(to: .ipv6)
        #expect(network.send6(h6, "169.254.1.1", .udp(4_000, 80)).drops == [.nonGlobalIPv4])
    }

    @Test(arguments: ["0.1.2.3", "127.0.0.1", "224.0.0.1", "255.255.255.255"])
    func `an IPv4 destination that is no host's is dropped`(destination: String) throws {
        var network = try Network()
        #expect(network.send6(h6, destination, .udp(4_000, 53)).drops == [.illegalDestination])
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `an IPv6 destination outside every Pref64 is not ours`() throws {
        var network = try Network()
        let packet = ipv6Packet(IPv6Address(h6)!, IPv6Address("2001:db8::2")!, .udp(1, 2))
        #expect(network.receive(packet, from: .ipv6).drops == [.destinationOutsidePref64])
    }

    @Test
    func `an IPv4 destination outside the pool is not ours`() throws {
        var network = try Network()
        #expect(network.send4(h4, "192.0.2.2", .udp(1, 2)).drops == [.destinationOutsidePool])
    }

    @Test(arguments: [33, 47, 50, 89, 132, 136] as [UInt8])
    func `other transports are dropped, and the sender is told`(transport: UInt8) throws {
        var network = try Network()
        let upper = UpperLayer(protocolNumber: transport, octets: Array(repeating: 7, count: 32))
        let from6 = network.send6(h6, h4, upper)
        #expect(from6.drops == [.unsupportedTransport])
        let error6 = try #require(from6.emitted.first?.packet)
        #expect(error6.transport == 58 && error6.type == 1 && error6.code == 4)
        #expect(error6.destination == h6 && error6.source == "2001:db8:ffff::1")

        let from4 = network.send4(h4, t4, upper)
        #expect(from4.drops == [.unsupportedTransport])
        let error4 = try #require(from4.emitted.first?.packet)
        #expect(error4.transport == 1 && error4.type == 3 && error4.code == 2 && error4.destination == h4)
    }

    @Test
    func `the well-known prefix does not carry non-global IPv4 addresses`() throws {
        var network = try Network { $0.exemptIPv4 = [] }
        for address in ["10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "198.51.100.1"] {
            let outcome = network.send6(h6, address, .udp(4_000, 53))
            #expect(outcome.drops == [.nonGlobalIPv4])
            #expect(outcome.emitted.first?.packet.code == 1, "administratively prohibited")
        }
        #expect(network.sessions.isEmpty && network.bindings.isEmpty)
        _ = try network.send6(h6, "8.8.8.8", .udp(4_000, 53)).only(to: .ipv4)
    }

    @Test
    func `addresses that the configuration exempts are carried`() throws {
        var network = try Network { $0.exemptIPv4 = [IPv4Prefix("10.1.0.0/16")!] }
        _ = try network.send6(h6, "10.1.2.3", .udp(4_000, 53)).only(to: .ipv4)
        #expect(network.send6(h6, "10.2.2.3", .udp(4_000, 53)).drops == [.nonGlobalIPv4])
    }

    @Test
    func `a non-global IPv4 host cannot speak first under the well-known prefix`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        #expect(network.send4("10.0.0.1", t4, .udp(53, out.sourcePort)).drops == [.nonGlobalIPv4])
    }

    @Test
    func `a network-specific prefix carries any unicast address`() throws {
        var network = try Network {
            $0.prefixes = [try! Pref64("2001:db8:64::/96")]
            $0.exemptIPv4 = []
        }
        let packet = ipv6Packet(IPv6Address(h6)!, IPv6Address("2001:db8:64::10.0.0.1")!, .udp(4_000, 53))
        let out = try network.receive(packet, from: .ipv6).only(to: .ipv4)
        #expect(out.to == "10.0.0.1:53")
        let back = try network.send4("10.0.0.1", t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        #expect(back.source == "2001:db8:64::a00:1")
    }

    @Test
    func `the local-use prefix of RFC 8215 carries private addresses, and checksums are updated`() throws {
        let prefix = try Pref64("64:ff9b:1:fffe::/96")
        var network = try Network {
            $0.prefixes = [prefix]
            $0.exemptIPv4 = []
        }
        let remote = IPv4Address("192.168.1.7")!
        let packet = ipv6Packet(IPv6Address(h6)!, prefix.embed(remote), .udp(4_000, 53))
        let out = try network.receive(packet, from: .ipv6).only(to: .ipv4)
        #expect(out.to == "192.168.1.7:53")
        let back = try network.send4("192.168.1.7", t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        #expect(back.source == "64:ff9b:1:fffe::c0a8:107")
    }

    @Test(arguments: [
        ("2001:db8::/32", "2001:db8:c633:6401::"), ("2001:db8:100::/40", "2001:db8:1c6:3364:1::"),
        ("2001:db8:122::/48", "2001:db8:122:c633:64:100::"),
        ("2001:db8:122:300::/56", "2001:db8:122:3c6:33:6401::"),
        ("2001:db8:122:344::/64", "2001:db8:122:344:c6:3364:100:0"),
        ("2001:db8:122:344::/96", "2001:db8:122:344::c633:6401"),
    ])
    func `every length of prefix works both ways`(prefix: String, destination: String) throws {
        var network = try Network { $0.prefixes = [try! Pref64(prefix)] }
        let host = IPv6Address("2001:db9::1")!
        let packet = ipv6Packet(host, IPv6Address(destination)!, .udp(4_000, 53))
        let out = try network.receive(packet, from: .ipv6).only(to: .ipv4)
        #expect(out.to == "198.51.100.1:53")
        let back = try network.send4(h4, t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        #expect(back.source == IPv6Address(destination)!.description && back.destination == host.description)
    }

    @Test
    func `with several prefixes, an answer comes from the one that was used`() throws {
        let second = try Pref64("2001:db8:64::/96")
        var network = try Network { $0.prefixes.append(second) }
        let host = IPv6Address(h6)!
        let packet = ipv6Packet(host, second.embed(IPv4Address(h4)!), .udp(4_000, 53))
        let out = try network.receive(packet, from: .ipv6).only(to: .ipv4)
        let back = try network.send4(h4, t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        #expect(back.source == second.embed(IPv4Address(h4)!).description)

        // A stranger's packet can only come from the first one.
        let stranger = try network.send4("203.0.113.3", t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        #expect(stranger.source == "64:ff9b::cb00:7103")
    }

    @Test
    func `one host port cannot reach one IPv4 destination under two prefixes`() throws {
        let second = try Pref64("2001:db8:64::/96")
        var network = try Network { $0.prefixes.append(second) }
        _ = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let packet = ipv6Packet(IPv6Address(h6)!, second.embed(IPv4Address(h4)!), .udp(4_000, 53))
        let outcome = network.receive(packet, from: .ipv6)
        #expect(outcome.drops == [.prefixConflict] && outcome.emitted.first?.packet.code == 3)
        let other = ipv6Packet(IPv6Address(h6)!, second.embed(IPv4Address(h4)!), .udp(4_000, 54))
        _ = try network.receive(other, from: .ipv6).only(to: .ipv4)
    }

    @Test
    func `a hop limit that runs out is told to the sender`() throws {
        var network = try Network()
        let from6 = network.send6(h6, h4, .udp(4_000, 53), hopLimit: 1)
        #expect(from6.drops == [.hopLimitExceeded])
        #expect(from6.emitted.first?.packet.type == 3 && from6.emitted.first?.packet.code == 0)

        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let from4 = network.send4(h4, t4, .udp(53, out.sourcePort), ttl: 1)
        #expect(from4.drops == [.hopLimitExceeded])
        #expect(from4.emitted.first?.packet.type == 11 && from4.emitted.first?.packet.code == 0)
    }

    @Test
    func `a wrong IPv4 header checksum is dropped in silence`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        var packet = ipv4Packet(IPv4Address(h4)!, IPv4Address(t4)!, .udp(53, out.sourcePort))
        packet[10] ^= 1
        let outcome = network.receive(packet, from: .ipv4)
        #expect(outcome.drops == [.wrongIPv4HeaderChecksum] && outcome.emitted.isEmpty)
    }

    @Test
    func `an IPv4 packet on the IPv6 side, and the reverse, is dropped`() throws {
        var network = try Network()
        let packet4 = ipv4Packet(IPv4Address(h4)!, IPv4Address(t4)!, .udp(1, 2))
        #expect(network.receive(packet4, from: .ipv6).drops.count == 1)
        let packet6 = ipv6Packet(IPv6Address(h6)!, Network.synthesized(h4), .udp(1, 2))
        #expect(network.receive(packet6, from: .ipv4).drops.count == 1)
    }

    // MARK: - Errors of our own

    @Test
    func `errors can be switched off`() throws {
        var network = try Network { $0.errors.isEnabled = false }
        let outcome = network.send4(h4, t4, .udp(53, 4_000))
        #expect(outcome.drops == [.noBinding] && outcome.emitted.isEmpty)
        #expect(network.nat.counters.errorsSent == 0 && network.nat.counters.errorsSuppressed == 0)
    }

    @Test
    func `errors are limited in rate, and the drops counted all the same`() throws {
        var network = try Network {
            $0.errors.burst = 3
            $0.errors.perSecond = 2
        }
        func errors(_ packets: Int) -> Int {
            (0..<packets).reduce(0) { sum, _ in sum + network.send4(h4, t4, .udp(53, 4_000)).emitted.count }
        }
        #expect(errors(10) == 3)
        network.pass(.seconds(1))
        #expect(errors(10) == 2)
        network.pass(.seconds(100))
        #expect(errors(10) == 3)
        #expect(network.nat.counters.errorsSent == 8 && network.nat.counters.errorsSuppressed == 22)
        #expect(network.nat.counters.drops[.noBinding] == 30)
    }
}
