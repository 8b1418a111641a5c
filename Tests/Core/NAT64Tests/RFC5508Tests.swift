// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 5508, NAT Behavioral Requirements for ICMP, and the parts of RFC 6146 §3.4 to §3.7 that treat ICMP errors.
@Suite struct RFC5508Tests {
    /// Each kind of packet that an error may be about.
    enum Subject: CaseIterable {
        case udp, tcp, icmp

        var from6: UpperLayer {
            switch self {
            case .udp: .udp(4_000, 53)
            case .tcp: .tcp(4_000, 53, .syn)
            case .icmp: .echoRequest6(4_000)
            }
        }
    }

    /// An ICMPv4 error about `packet`.
    private static func error4(
        _ type: UInt8, _ code: UInt8, about packet: [UInt8], from source: String = "203.0.113.99",
        rest: [UInt8] = [0, 0, 0, 0]
    ) -> [UInt8] {
        ipv4Packet(IPv4Address(source)!, IPv4Address(t4)!, .icmpv4(type, code, rest + packet))
    }

    @Test(arguments: Subject.allCases)
    func `an ICMPv4 error about a host's packet reaches the host, with its own packet inside`(subject: Subject) throws {
        var network = try Network()
        let out = try network.send6(h6, h4, subject.from6).only(to: .ipv4)
        let error = try network.receive(Self.error4(3, 1, about: out.octets), from: .ipv4).only(to: .ipv6)
        #expect(error.transport == 58 && error.type == 1 && error.code == 0)
        #expect(error.source == "64:ff9b::cb00:7163" && error.destination == h6)
        let quoted = Seen(error.quoted)
        #expect(quoted.problem == nil && !quoted.hasWrongChecksum, "the quoted packet's checksums are right, too")
        #expect(quoted.source == h6 && quoted.destination == "64:ff9b::c633:6401")
        switch subject {
        case .udp, .tcp: #expect(quoted.sourcePort == 4_000 && quoted.destinationPort == 53)
        case .icmp: #expect(quoted.type == 128 && quoted.identifier == 4_000)
        }
    }

    @Test(arguments: Subject.allCases)
    func `an ICMPv6 error about an IPv4 host's packet reaches that host, with its own packet inside`(
        subject: Subject
    ) throws {
        var network = try Network()
        let out = try network.send6(h6, h4, subject.from6).only(to: .ipv4)
        let answer: UpperLayer =
            switch subject {
            case .udp: .udp(53, out.sourcePort)
            case .tcp: .tcp(53, out.sourcePort, [.syn, .ack])
            case .icmp: .echoReply4(out.identifier)
            }
        let back = try network.send4(h4, t4, answer).only(to: .ipv6)
        let report = ipv6Packet(IPv6Address(h6)!, Network.synthesized(h4), .icmpv6(1, 4, [0, 0, 0, 0] + back.octets))
        let error = try network.receive(report, from: .ipv6).only(to: .ipv4)
        #expect(error.transport == 1 && error.type == 3 && error.code == 3)
        #expect(error.source == t4 && error.destination == h4)
        let quoted = Seen(error.quoted)
        #expect(quoted.problem == nil && !quoted.hasWrongChecksum && quoted.source == h4 && quoted.destination == t4)
        switch subject {
        case .udp, .tcp: #expect(quoted.sourcePort == 53 && quoted.destinationPort == out.sourcePort)
        case .icmp: #expect(quoted.type == 0 && quoted.identifier == out.identifier)
        }
    }

    @Test
    func `an error from an IPv6 router on the way comes from the NAT64's own address (RFC 6791)`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let back = try network.send4(h4, t4, .udp(53, out.sourcePort)).only(to: .ipv6)
        let report = ipv6Packet(
            IPv6Address("2001:db8:1::1")!, Network.synthesized(h4), .icmpv6(3, 0, [0, 0, 0, 0] + back.octets))
        let error = try network.receive(report, from: .ipv6).only(to: .ipv4)
        #expect(error.source == "192.0.2.254" && error.type == 11)
    }

    @Test
    func `an error from a router with a private address comes from the NAT64's own address`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let report = Self.error4(11, 0, about: out.octets, from: "10.0.0.1")
        let error = try network.receive(report, from: .ipv4).only(to: .ipv6)
        #expect(error.source == "2001:db8:ffff::1" && error.type == 3)
    }

    @Test(arguments: [
        ("169.254.7.7", "64:ff9b::/96", "2001:db8:ffff::1"), ("169.254.7.7", "2001:db8:64::/96", "2001:db8:ffff::1"),
        ("127.0.0.1", "64:ff9b::/96", "2001:db8:ffff::1"), ("127.0.0.1", "2001:db8:64::/96", "2001:db8:64::7f00:1"),
    ])
    func `An error from an illegal IPv4 source arrives, from that address where the prefix may carry it`(
        router: String, prefix: String, expected: String
    ) throws {
        var network = try Network { $0.prefixes = [try! Pref64(prefix)] }
        let to = try Pref64(prefix).embed(IPv4Address(h4)!)
        let out = try network.receive(ipv6Packet(IPv6Address(h6)!, to, .udp(4_000, 53)), from: .ipv6).only(to: .ipv4)
        let report = Self.error4(11, 0, about: out.octets, from: router)
        let error = try network.receive(report, from: .ipv4).only(to: .ipv6)
        #expect(error.source == expected && error.type == 3)
    }

    @Test func `A prefix for borrowed addresses tells routers with private addresses apart`() throws {
        var network = try Network { $0.errors.ipv6Prefix = IPv6Prefix("2001:db8:6791::/96")! }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        for (router, expected) in [("10.0.0.1", "2001:db8:6791::a00:1"), ("10.0.0.2", "2001:db8:6791::a00:2")] {
            let report = Self.error4(11, 0, about: out.octets, from: router)
            #expect(try network.receive(report, from: .ipv4).only(to: .ipv6).source == expected)
        }
    }

    @Test func `Without the routers' own addresses, an error comes from where its packet went`() throws {
        var network = try Network { $0.errors.keepsRouterAddresses = false }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let report = Self.error4(11, 0, about: out.octets, from: "198.51.100.77")
        let error = try network.receive(report, from: .ipv4).only(to: .ipv6)
        #expect(error.source == "64:ff9b::c633:6401", "\(h4) under the prefix")
    }

    @Test
    func `packet too big finds its way: fragmentation needed with the MTU`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let report = Self.error4(3, 4, about: out.octets, rest: [0, 0, 0x05, 0x78])
        let error = try network.receive(report, from: .ipv4).only(to: .ipv6)
        #expect(error.type == 2 && error.upper[4..<8] == [0, 0, 0x05, 0x8c], "1,400 and 20")
    }

    @Test(arguments: Subject.allCases)
    func `an error without a mapping is dropped in silence`(subject: Subject) throws {
        var network = try Network()
        let stranger: UpperLayer =
            switch subject {
            case .udp: .udp(1, 2)
            case .tcp: .tcp(1, 2, .syn)
            case .icmp: .echoRequest4(1)
            }
        let about4 = ipv4Packet(IPv4Address(t4)!, IPv4Address(h4)!, stranger)
        let from4 = network.receive(Self.error4(3, 1, about: about4), from: .ipv4)
        #expect(from4.drops == [.noSessionForICMPError] && from4.emitted.isEmpty)

        let about6 = ipv6Packet(Network.synthesized(h4), IPv6Address(h6)!, subject.from6)
        let report = ipv6Packet(IPv6Address(h6)!, Network.synthesized(h4), .icmpv6(1, 4, [0, 0, 0, 0] + about6))
        let from6 = network.receive(report, from: .ipv6)
        #expect(from6.drops == [.noSessionForICMPError] && from6.emitted.isEmpty)
    }

    @Test
    func `an error neither refreshes nor removes a session`() throws {
        for subject in Subject.allCases {
            var network = try Network()
            let out = try network.send6(h6, h4, subject.from6).only(to: .ipv4)
            let expires = network.sessions.first?.expires
            let state = network.sessions.first?.state
            network.pass(.seconds(10))
            for code in [1, 3, 13] as [UInt8] {
                _ = try network.receive(Self.error4(3, code, about: out.octets), from: .ipv4).only(to: .ipv6)
            }
            #expect(network.sessions.count == 1 && network.bindings.count == 1)
            #expect(network.sessions.first?.expires == expires && network.sessions.first?.state == state)
        }
    }

    @Test
    func `no filter looks at an error's source`() throws {
        var network = try Network { $0.filtering = .addressDependent }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        _ = try network.receive(Self.error4(11, 0, about: out.octets, from: "203.0.113.200"), from: .ipv4)
            .only(to: .ipv6)
    }

    @Test
    func `an error about an error is dropped`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let inner = ipv4Packet(IPv4Address(t4)!, IPv4Address(h4)!, .icmpv4(3, 1, [0, 0, 0, 0] + out.octets))
        let outcome = network.receive(Self.error4(3, 1, about: inner), from: .ipv4)
        #expect(outcome.drops == [.icmpErrorAboutICMPError] && outcome.emitted.isEmpty)
    }

    @Test
    func `an error whose receiver is not the quoted packet's sender is dropped`() throws {
        var network = try Network { $0.pool.append(IPv4Address("192.0.2.2")!) }
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        let other = out.source == t4 ? "192.0.2.2" : t4
        let report = ipv4Packet(
            IPv4Address("203.0.113.9")!, IPv4Address(other)!, .icmpv4(3, 1, [0, 0, 0, 0] + out.octets))
        #expect(network.receive(report, from: .ipv4).drops == [.malformedICMPError])
    }

    @Test
    func `eight octets of the quoted transport are enough`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .tcp(4_000, 53, .syn)).only(to: .ipv4)
        let report = Self.error4(3, 1, about: Array(out.octets.prefix(28)))
        let error = try network.receive(report, from: .ipv4).only(to: .ipv6)
        #expect(Array(error.quoted[40..<48]) == Array(UpperLayer.tcp(4_000, 53, .syn).octets.prefix(8)))
    }

    @Test
    func `an error that quotes less is dropped`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .tcp(4_000, 53, .syn)).only(to: .ipv4)
        for count in 0..<28 {
            let outcome = network.receive(Self.error4(3, 1, about: Array(out.octets.prefix(count))), from: .ipv4)
            #expect(outcome.emitted.isEmpty && outcome.drops.count == 1)
        }
    }

    @Test
    func `a wrong checksum of the error, or of the quoted IP header, drops it`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        var report = Self.error4(3, 1, about: out.octets)
        report[22] ^= 0xff
        #expect(network.receive(report, from: .ipv4).drops == [.wrongICMPChecksum])
        var quoted = out.octets
        quoted[10] ^= 0xff
        #expect(network.receive(Self.error4(3, 1, about: quoted), from: .ipv4).drops == [.malformedICMPError])
    }

    @Test
    func `the quoted transport's checksum does not matter`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        var quoted = out.octets
        quoted[26] ^= 0xff
        _ = try network.receive(Self.error4(3, 1, about: quoted), from: .ipv4).only(to: .ipv6)
    }

    @Test
    func `the quoted packet's options are skipped`() throws {
        var network = try Network()
        let out = try network.send6(h6, h4, .udp(4_000, 53)).only(to: .ipv4)
        var quoted = [0x46] + out.octets[1..<20] + [1, 1, 1, 1] + out.octets[20...]
        quoted[3] += 4
        quoted.replaceSubrange(10..<12, with: [0, 0])
        quoted.replaceSubrange(10..<12, with: bigEndian(slowChecksum(Array(quoted[..<24]))))
        let error = try network.receive(Self.error4(3, 1, about: Array(quoted)), from: .ipv4).only(to: .ipv6)
        #expect(Seen(error.quoted).from == "[2001:db8::1]:4000")
    }
}
