// SPDX-License-Identifier: Apache-2.0
import Topology
import Evidence
import Testing
import Translation
import Wire

@testable import Router

/// ICMP errors in the log of flows, and the side that sent first.
@Suite struct ObservingTests {
    private static let far = IPv6Address("64:ff9b::c633:6407")!
    private static let pool = IPv4Address(192, 0, 2, 65)
    private static let far4 = IPv4Address(198, 51, 100, 7)

    /// A UDP datagram between the client and a host, without payload.
    private static func datagram(isFromClient: Bool = true) -> PacketBuffer {
        var packet = PacketBuffer()
        packet.resize(to: IPv6Header.length + UDPHeader.length)
        var bytes = packet.mutableBytes
        IPv6Header.Fields(
            payloadLength: UInt16(UDPHeader.length), nextHeader: .udp,
            source: isFromClient ? Place.client6 : far, destination: isFromClient ? far : Place.client6
        ).write(to: &bytes)
        UDPHeader.Fields(
            sourcePort: isFromClient ? 4000 : 9, destinationPort: isFromClient ? 9 : 4000,
            udpLength: UInt16(UDPHeader.length)
        ).write(to: &bytes, at: IPv6Header.length)
        return packet
    }

    private static func record(_ log: inout FlowLog, _ packet: borrowing PacketBuffer, isFromClient: Bool) throws {
        let layout = try IPv6Layout(packet.bytes)
        log.record(packet.bytes, IPv6Outline(layout), isFromClient: isFromClient) { _ in far4 }
    }

    /// The log after the client's datagram and the error that came back for it.
    private static func log(_ error: ICMPv6Error) throws -> FlowLog {
        var log = FlowLog()
        let packet = datagram()
        try record(&log, packet, isFromClient: true)
        var builder = ICMPErrorBuilder(ipv4Source: Place.router4, ipv6Source: Place.router6)
        var answer = PacketBuffer(capacity: 1500)
        let layout = try IPv6Layout(packet.bytes)
        let isMade = builder.build(error, about: packet, layout, into: &answer)
        #expect(isMade)
        try record(&log, answer, isFromClient: false)
        return log
    }

    @Test(
        arguments: [
            (.noRoute, .noRoute), (.administrativelyProhibited, .prohibited), (.addressUnreachable, .address),
            (.portUnreachable, .port),
        ] as [(ICMPv6Error, Flow.Unreachable)])
    func `an ICMP error counts as a refusal of the flow that it quotes`(
        _ error: ICMPv6Error, _ cause: Flow.Unreachable
    ) throws {
        let flows = try Self.log(error).flows
        #expect(flows.count == 1)
        #expect(flows.first?.refused == 1)
        #expect(flows.first?.unreachable == cause)
        #expect(flows.first?.isInbound == false)
        #expect(flows.first?.bytesReceived == 0)
    }

    @Test func `what belongs to finding a path refuses nothing`() throws {
        for error in [ICMPv6Error.hopLimitExceeded, .packetTooBig(mtu: 1280)] {
            let flows = try Self.log(error).flows
            #expect(flows.map(\.refused) == [0] && flows.map(\.unreachable) == [nil])
        }
    }

    @Test func `an error about a flow that nobody knows is no flow`() throws {
        var log = FlowLog()
        log.record(.port, about: FlowLog.Key(remote: Self.far, port: 9, transport: .udp))
        #expect(log.flows.isEmpty)
    }

    @Test func `a flow is inbound where the far end spoke first`() throws {
        var log = FlowLog()
        try Self.record(&log, Self.datagram(isFromClient: false), isFromClient: false)
        try Self.record(&log, Self.datagram(), isFromClient: true)
        #expect(log.flows.map(\.isInbound) == [true])
    }

    @Test func `an answer for which the client has no socket any more is late, whatever else it ends is not`() throws {
        func observe(_ flags: TCPHeader.Flags) throws -> Flow? {
            var log = FlowLog()
            let key = FlowLog.Key(remote: Self.far, port: 80, transport: .tcp)
            log.record(FlowLog.Observation(key: key, isFromClient: true, payload: 0, event: .attempt))
            var packet = PacketBuffer()
            packet.resize(to: IPv6Header.length + TCPHeader.length)
            var bytes = packet.mutableBytes
            IPv6Header.Fields(
                payloadLength: UInt16(TCPHeader.length), nextHeader: .tcp, source: Place.client6, destination: Self.far
            ).write(to: &bytes)
            bytes[IPv6Header.length + TCPHeader.destinationPort + 1] = 80
            bytes[IPv6Header.length + TCPHeader.dataOffset] = 5 << 4
            bytes[IPv6Header.length + TCPHeader.flags] = flags.rawValue
            try Self.record(&log, packet, isFromClient: true)
            return log.flows.first
        }
        #expect(try observe(.rst)?.late == 1)
        #expect(try observe([.rst, .ack])?.late == 0)
        #expect(try observe(.syn)?.late == 0)
    }

    @Test func `what is left of an earlier client's connection is no flow of this one's`() {
        func observe(_ event: FlowLog.Observation.Event, isFromClient: Bool = false) -> FlowLog {
            var log = FlowLog()
            let key = FlowLog.Key(remote: Self.far, port: 80, transport: .tcp)
            log.record(FlowLog.Observation(key: key, isFromClient: isFromClient, payload: 0, event: event))
            return log
        }
        for event in [FlowLog.Observation.Event.none, .accepted, .refused] { #expect(observe(event).flows.isEmpty) }
        #expect(observe(.inboundAttempt).flows.map(\.isInbound) == [true])
        #expect(observe(.none, isFromClient: true).flows.map(\.isInbound) == [false])
    }

    @Test(
        arguments: [
            (3, 0, .noRoute), (3, 1, .address), (3, 2, .other), (3, 3, .port), (3, 4, nil), (3, 10, .prohibited),
            (3, 13, .prohibited), (11, 0, nil), (5, 0, nil), (12, 0, .other),
        ] as [(UInt8, UInt8, Flow.Unreachable?)])
    func `errors of IPv4 are read likewise`(_ type: UInt8, _ code: UInt8, _ cause: Flow.Unreachable?) {
        #expect(Flow.Unreachable(icmpv4: type, code: code) == cause)
    }
}
