// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import NAT64

/// RFC 6146 §3.5.2, TCP Session Handling: connections from their first segment to their last. The transitions by themselves are in
/// `RFC6146Section3_5_2_2_TransitionTests`.
@Suite struct RFC6146Section3_5_2Tests {
    private static let established: Duration = .seconds(2 * 3_600 + 4 * 60)

    /// A connection from the IPv6 side, in ESTABLISHED; the port that it has outside.
    private static func connect(_ network: inout Network) throws -> UInt16 {
        let syn = try network.send6(h6, h4, .tcp(5_000, 80, .syn)).only(to: .ipv4)
        #expect(network.sessions.first?.state == .v6Init)
        _ = try network.send4(h4, t4, .tcp(80, syn.sourcePort, [.syn, .ack])).only(to: .ipv6)
        #expect(network.sessions.first?.state == .established)
        _ = try network.send6(h6, h4, .tcp(5_000, 80, .ack)).only(to: .ipv4)
        return syn.sourcePort
    }

    private static func state(_ network: borrowing Network) -> TCPState? { network.sessions.first?.state }

    // MARK: - Opening

    @Test
    func `a connection from the IPv6 side opens, carries data and closes`() throws {
        var network = try Network()
        let port = try Self.connect(&network)
        let data = try network.send4(h4, t4, .tcp(80, port, .ack, payload: [1, 2, 3])).only(to: .ipv6)
        #expect(data.from == "[64:ff9b::c633:6401]:80" && data.to == "[2001:db8::1]:5000")
        #expect(data.upper.suffix(3) == [1, 2, 3])

        _ = try network.send6(h6, h4, .tcp(5_000, 80, [.fin, .ack])).only(to: .ipv4)
        #expect(Self.state(network) == .v6FinRcv)
        _ = try network.send4(h4, t4, .tcp(80, port, [.fin, .ack])).only(to: .ipv6)
        #expect(Self.state(network) == .v4FinV6FinRcv)
        _ = try network.send6(h6, h4, .tcp(5_000, 80, .ack)).only(to: .ipv4)
        network.pass(.seconds(240) - .nanoseconds(1))
        #expect(network.sessions.count == 1)
        #expect(network.pass(.nanoseconds(1)).isNothing)
        #expect(network.sessions.isEmpty && network.bindings.isEmpty)
    }

    @Test
    func `a connection that is not answered is forgotten after four minutes`() throws {
        var network = try Network()
        network.send6(h6, h4, .tcp(5_000, 80, .syn))
        network.pass(.seconds(200))
        network.send6(h6, h4, .tcp(5_000, 80, .syn))
        network.pass(.seconds(240) - .nanoseconds(1))
        #expect(Self.state(network) == .v6Init)
        #expect(network.pass(.nanoseconds(1)).isNothing)
        #expect(network.sessions.isEmpty && network.bindings.isEmpty)
    }

    @Test
    func `a connection from the IPv4 side to a mapping opens without waiting`() throws {
        var network = try Network()
        let port = try Self.connect(&network)
        let syn = try network.send4("203.0.113.5", t4, .tcp(999, port, .syn)).only(to: .ipv6)
        #expect(syn.to == "[2001:db8::1]:5000" && syn.flags == .syn)
        let session = try #require(network.sessions.first { $0.remote.port == 999 })
        #expect(session.state == .v4Init)
        #expect(session.expires == network.now + .seconds(240))
        _ = try network.send6(h6, "203.0.113.5", .tcp(5_000, 999, [.syn, .ack])).only(to: .ipv4)
        #expect(network.sessions.first { $0.remote.port == 999 }?.state == .established)
    }

    @Test
    func `connections from the IPv4 side can be forbidden, and are then dropped in silence`() throws {
        var network = try Network { $0.refusesIPv4InitiatedTCP = true }
        let port = try Self.connect(&network)
        let outcome = network.send4("203.0.113.5", t4, .tcp(999, port, .syn))
        #expect(outcome.drops == [.externalTCPRefused] && outcome.emitted.isEmpty)
        #expect(network.send4(h4, t4, .tcp(999, 1, .syn)).drops == [.externalTCPRefused])
    }

    // MARK: - CLOSED

    @Test(arguments: [[.ack], [.fin, .ack], [.rst]] as [TCPFlags])
    func `a segment other than SYN, without a BIB entry, is dropped in silence`(flags: TCPFlags) throws {
        var network = try Network()
        let from6 = network.send6(h6, h4, .tcp(5_000, 80, flags))
        #expect(from6.drops == [.tcpWithoutSession] && from6.emitted.isEmpty)
        let from4 = network.send4(h4, t4, .tcp(80, 5_000, flags))
        #expect(from4.drops == [.tcpWithoutSession] && from4.emitted.isEmpty)
        #expect(network.sessions.isEmpty && network.bindings.isEmpty)
    }

    @Test(arguments: [[.ack], [.fin, .ack], [.rst]] as [TCPFlags])
    func `a segment other than SYN, with a BIB entry, is forwarded, and makes no session`(flags: TCPFlags) throws {
        var network = try Network()
        let port = try Self.connect(&network)
        let out = try network.send6(h6, "203.0.113.5", .tcp(5_000, 80, flags)).only(to: .ipv4)
        #expect(out.sourcePort == port && out.to == "203.0.113.5:80" && out.flags == flags)
        let back = try network.send4("203.0.113.6", t4, .tcp(81, port, flags)).only(to: .ipv6)
        #expect(back.to == "[2001:db8::1]:5000" && back.from == "[64:ff9b::cb00:7106]:81")
        #expect(network.sessions.count == 1)
    }

    @Test
    func `under address-dependent filtering such a segment does not come in from strangers`() throws {
        var network = try Network { $0.filtering = .addressDependent }
        let port = try Self.connect(&network)
        #expect(network.send4("203.0.113.6", t4, .tcp(81, port, .ack)).drops == [.filtered])
        _ = try network.send4(h4, t4, .tcp(81, port, .ack)).only(to: .ipv6)
    }

    // MARK: - Stored SYNs

    @Test
    func `an unsolicited SYN is stored for six seconds, and then answered with a port unreachable`() throws {
        var network = try Network()
        #expect(network.send4(h4, t4, .tcp(999, 80, .syn)).isNothing)
        #expect(Self.state(network) == .v4Init && network.bindings.isEmpty)
        #expect(network.sessions.first?.host == nil)
        #expect(network.nat.counters.stored == 1)

        #expect(network.pass(.seconds(6) - .nanoseconds(1)).isNothing)
        let outcome = network.pass(.nanoseconds(1))
        #expect(outcome.drops == [.storedSYNExpired])
        let error = try #require(outcome.emitted.first?.packet)
        #expect(outcome.emitted.count == 1 && outcome.emitted[0].side == .ipv4)
        #expect(error.type == 3 && error.code == 3 && error.destination == h4)
        let sent = UpperLayer.tcp(999, 80, .syn).octets.prefix(16)
        #expect(error.quoted[20..<40] == sent + error.quoted[36..<40])
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `a repeated SYN does not prolong the six seconds`() throws {
        var network = try Network()
        network.send4(h4, t4, .tcp(999, 80, .syn))
        network.pass(.seconds(3))
        #expect(network.send4(h4, t4, .tcp(999, 80, .syn)).drops == [.awaitingIPv6SYN])
        #expect(network.pass(.seconds(3)).drops == [.storedSYNExpired])
    }

    @Test
    func `the number of stored SYNs is bounded, and what is beyond is dropped in silence`() throws {
        var network = try Network { $0.limits.storedSYNs = 3 }
        for port in UInt16(1)...3 { #expect(network.send4(h4, t4, .tcp(port, 80, .syn)).isNothing) }
        let outcome = network.send4(h4, t4, .tcp(4, 80, .syn))
        #expect(outcome.drops == [.storedSYNsExhausted] && outcome.emitted.isEmpty)
        #expect(network.sessions.count == 3)
        network.pass(.seconds(6))
        #expect(network.send4(h4, t4, .tcp(4, 80, .syn)).isNothing)
    }

    @Test
    func `simultaneous open: the SYN from the IPv6 side gets the transport address that the stored one awaits`()
        throws
    {
        var network = try Network()
        network.send4(h4, t4, .tcp(999, 7_777, .syn))
        let outcome = network.send6(h6, h4, .tcp(5_000, 999, .syn))
        #expect(outcome.drops == [.storedSYNSuperseded])
        let syn = try #require(outcome.emitted.first?.packet)
        #expect(outcome.emitted.count == 1 && outcome.emitted[0].side == .ipv4)
        #expect(syn.from == "192.0.2.1:7777" && syn.to == "198.51.100.1:999" && syn.flags == .syn)
        #expect(network.sessions.count == 1 && Self.state(network) == .established)

        // The IPv4 side repeats its SYN, or answers the other one: both reach the host.
        let repeated = try network.send4(h4, t4, .tcp(999, 7_777, .syn)).only(to: .ipv6)
        #expect(repeated.to == "[2001:db8::1]:5000")
        #expect(network.pass(.seconds(10)).isNothing)
    }

    @Test
    func `simultaneous open of a mapping under address-dependent filtering`() throws {
        var network = try Network { $0.filtering = .addressDependent }
        let port = try Self.connect(&network)
        #expect(network.send4("203.0.113.5", t4, .tcp(999, port, .syn)).isNothing)
        // Nothing passes to the host, and nothing opens the filter, until the host has sent a SYN of its own.
        #expect(network.send4("203.0.113.5", t4, .tcp(999, port, .ack)).drops == [.awaitingIPv6SYN])
        #expect(network.send4("203.0.113.5", t4, .tcp(998, port, .ack)).drops == [.filtered])

        let outcome = network.send6(h6, "203.0.113.5", .tcp(5_000, 999, .syn))
        #expect(outcome.drops == [.storedSYNSuperseded])
        #expect(outcome.emitted.first?.packet.sourcePort == port)
        #expect(network.sessions.first { $0.remote.port == 999 }?.state == .established)
        _ = try network.send4("203.0.113.5", t4, .tcp(999, port, [.syn, .ack])).only(to: .ipv6)
    }

    @Test
    func `simultaneous open of two SYNs that cross needs no storing`() throws {
        var network = try Network()
        let syn = try network.send6(h6, h4, .tcp(5_000, 999, .syn)).only(to: .ipv4)
        let crossing = try network.send4(h4, t4, .tcp(999, syn.sourcePort, .syn)).only(to: .ipv6)
        #expect(crossing.flags == .syn && Self.state(network) == .established)
    }

    @Test
    func `a stored SYN that expires under address-dependent filtering leaves the mapping alone`() throws {
        var network = try Network { $0.filtering = .addressDependent }
        let port = try Self.connect(&network)
        network.send4("203.0.113.5", t4, .tcp(999, port, .syn))
        let outcome = network.pass(.seconds(6))
        #expect(outcome.drops == [.storedSYNExpired] && outcome.emitted.first?.packet.code == 3)
        #expect(network.bindings.first?.sessions == 1)
    }

    // MARK: - ESTABLISHED and after

    @Test
    func `an idle connection is probed after 2 hours and 4 minutes, and forgotten 4 minutes later`() throws {
        var network = try Network()
        let port = try Self.connect(&network)
        #expect(network.pass(Self.established - .nanoseconds(1)).isNothing)

        let probe = try network.pass(.nanoseconds(1)).only(to: .ipv6)
        #expect(probe.from == "[64:ff9b::c633:6401]:80" && probe.to == "[2001:db8::1]:5000")
        #expect(probe.flags == .ack && probe.upper.count == 20)
        #expect(probe.upper[4..<12].allSatisfy { $0 == 0 }, "sequence and acknowledgment numbers are zero")
        #expect(Self.state(network) == .trans && network.nat.counters.probesSent == 1)

        #expect(network.pass(.seconds(240) - .nanoseconds(1)).isNothing)
        #expect(network.sessions.count == 1)
        #expect(network.pass(.nanoseconds(1)).isNothing)
        #expect(network.sessions.isEmpty)
        #expect(network.send4(h4, t4, .tcp(80, port, .ack)).drops == [.tcpWithoutSession])
    }

    @Test
    func `the answer to the probe brings the connection back`() throws {
        var network = try Network()
        _ = try Self.connect(&network)
        network.pass(Self.established)
        #expect(Self.state(network) == .trans)
        _ = try network.send6(h6, h4, .tcp(5_000, 80, .ack)).only(to: .ipv4)
        #expect(Self.state(network) == .established)
        #expect(network.pass(Self.established - .nanoseconds(1)).isNothing)
        #expect(network.pass(.nanoseconds(1)).emitted.count == 1)
    }

    @Test
    func `without probes an idle connection is forgotten at once, and nobody is told`() throws {
        var network = try Network { $0.probesIdleConnections = false }
        let port = try Self.connect(&network)
        #expect(network.pass(Self.established - .nanoseconds(1)).isNothing && network.sessions.count == 1)
        #expect(network.pass(.nanoseconds(1)).isNothing && network.sessions.isEmpty)
        #expect(network.nat.counters.probesSent == 0)
        #expect(network.send6(h6, h4, .tcp(5_000, 80, .ack)).drops == [.tcpWithoutSession])
        #expect(network.send4(h4, t4, .tcp(80, port, .ack)).drops == [.tcpWithoutSession])
    }

    @Test
    func `a lifetime shorter than that of the opening begins when the connection stands`() throws {
        var network = try Network {
            $0.allowsShortLifetimes = true
            $0.lifetimes.tcpEstablished = .seconds(2)
        }
        _ = try Self.connect(&network)
        #expect(network.pass(.seconds(2) - .nanoseconds(1)).isNothing)
        #expect(try network.pass(.nanoseconds(1)).only(to: .ipv6).flags == .ack)
        _ = try network.send6(h6, h4, .tcp(5_000, 80, .ack)).only(to: .ipv4)
        #expect(network.pass(.seconds(2) - .nanoseconds(1)).isNothing)
        #expect(network.pass(.nanoseconds(1)).emitted.count == 1)
    }

    @Test
    func `probe and end come in one call, each at its own time, if the call is late enough`() throws {
        var network = try Network()
        _ = try Self.connect(&network)
        let outcome = network.pass(Self.established + .seconds(240))
        #expect(outcome.emitted.count == 1 && network.sessions.isEmpty)
    }

    @Test(arguments: [Side.ipv6, .ipv4])
    func `a RST from either side is forwarded, and ends the session four minutes later`(side: Side) throws {
        var network = try Network()
        let port = try Self.connect(&network)
        network.pass(.seconds(1_000))
        switch side {
        case .ipv6: _ = try network.send6(h6, h4, .tcp(5_000, 80, .rst)).only(to: .ipv4)
        case .ipv4: _ = try network.send4(h4, t4, .tcp(80, port, .rst)).only(to: .ipv6)
        }
        #expect(Self.state(network) == .trans)
        network.pass(.seconds(240) - .nanoseconds(1))
        #expect(network.sessions.count == 1)
        #expect(network.pass(.nanoseconds(1)).isNothing)
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `a segment after the RST keeps the connection, in case the RST was forged`() throws {
        var network = try Network()
        let port = try Self.connect(&network)
        _ = try network.send4(h4, t4, .tcp(80, port, .rst)).only(to: .ipv6)
        _ = try network.send6(h6, h4, .tcp(5_000, 80, .ack)).only(to: .ipv4)
        #expect(Self.state(network) == .established)
        network.pass(.seconds(240))
        #expect(network.sessions.count == 1)
    }

    @Test(arguments: [Side.ipv6, .ipv4])
    func `a half-closed connection goes on, and expires without a probe`(side: Side) throws {
        var network = try Network()
        let port = try Self.connect(&network)
        switch side {
        case .ipv6: network.send6(h6, h4, .tcp(5_000, 80, [.fin, .ack]))
        case .ipv4: network.send4(h4, t4, .tcp(80, port, [.fin, .ack]))
        }
        let state: TCPState = side == .ipv6 ? .v6FinRcv : .v4FinRcv
        #expect(Self.state(network) == state)
        network.pass(.seconds(7_000))
        _ = try network.send4(h4, t4, .tcp(80, port, .ack, payload: [1])).only(to: .ipv6)
        #expect(Self.state(network) == state)
        #expect(network.pass(Self.established - .nanoseconds(1)).isNothing)
        #expect(network.sessions.count == 1)
        #expect(network.pass(.nanoseconds(1)).isNothing)
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `after both FINs the timer runs on, whatever still comes`() throws {
        var network = try Network()
        let port = try Self.connect(&network)
        network.send6(h6, h4, .tcp(5_000, 80, [.fin, .ack]))
        network.send4(h4, t4, .tcp(80, port, [.fin, .ack]))
        for _ in 0..<3 {
            network.pass(.seconds(60))
            _ = try network.send6(h6, h4, .tcp(5_000, 80, .ack)).only(to: .ipv4)
        }
        network.pass(.seconds(60) - .nanoseconds(1))
        #expect(network.sessions.count == 1)
        network.pass(.nanoseconds(1))
        #expect(network.sessions.isEmpty)
    }

    @Test
    func `sequence numbers do not matter`() throws {
        var network = try Network()
        let port = try Self.connect(&network)
        for sequence in [0, 1, 0x7fff_ffff, 0xffff_ffff] as [UInt32] {
            _ = try network.send4(h4, t4, .tcp(80, port, .ack, sequence: sequence)).only(to: .ipv6)
        }
    }
}
