// SPDX-License-Identifier: Apache-2.0
import Evidence
import TestPackets
import Testing
import Wire

@testable import Router

@Suite struct PayloadLogTests {
    private static let client = IPv6Address("2e00:2:0:1::2")!
    private static let server = IPv6Address("64:ff9b::c633:6407")!
    private static let resolver = IPv6Address("2e00:2:0:1::1")!
    private var log = PayloadLog(of: [.ipv6(client)], resolvers: [.ipv6(resolver)])

    private static func from(
        _ sequence: UInt32, _ text: String, _ flags: TCPFlags = .ack, port: UInt16 = 80, isSent: Bool = false
    ) -> [UInt8] {
        let (source, destination) = isSent ? (client, server) : (server, client)
        let (from, to) = isSent ? (4000, port) : (port, 4000)
        return IPv6Datagram(source: source, destination: destination).packet(
            .tcp(from, to, flags, sequence: sequence, payload: Array(text.utf8)))
    }

    private static func datagram(_ text: String, port: UInt16 = 6969, from server: IPv6Address = server) -> [UInt8] {
        IPv6Datagram(source: server, destination: client).packet(.udp(port, 4000, Array(text.utf8)))
    }

    private mutating func record(_ packets: [UInt8]...) {
        for (second, packet) in packets.enumerated() { log.record(packet.span, at: .seconds(second)) }
    }

    private var received: [String] {
        log.payloads.conversations.map { String(decoding: $0.received.octets.bytes, as: UTF8.self) }
    }

    @Test mutating func `segments are put in order by their numbers`() {
        record(Self.from(99, "", [.syn, .ack]), Self.from(103, "def"), Self.from(100, "abc"), Self.from(106, "ghi"))
        #expect(received == ["abcdefghi"])
    }

    @Test mutating func `what came later has its own time`() {
        record(Self.from(99, "", [.syn, .ack]), Self.from(100, "abc"), Self.from(103, "def"))
        let stream = log.payloads.conversations[0].received
        #expect(stream.piece(at: 2)?.time == .seconds(1) && stream.piece(at: 3)?.time == .seconds(2))
    }

    @Test mutating func `what is sent again, as a whole or in part, counts once`() {
        record(Self.from(100, "abcd"), Self.from(100, "abcd"), Self.from(102, "cdef"), Self.from(98, "xxab"))
        #expect(received == ["abcdef"])
    }

    @Test mutating func `sequence numbers begin anew behind the largest`() {
        record(Self.from(.max - 1, "", [.syn, .ack]), Self.from(.max, "a"), Self.from(0, "bc"))
        #expect(received == ["abc"])
    }

    @Test mutating func `a segment that a gap precedes waits, and what never comes leaves it out`() {
        record(Self.from(100, "abc"), Self.from(110, "later"))
        #expect(received == ["abc"])
    }

    @Test mutating func `each direction is kept by itself`() {
        record(Self.from(50, "GET", isSent: true), Self.from(100, "OK"))
        let conversation = log.payloads.conversations[0]
        #expect(conversation.sent.octets.bytes == Array("GET".utf8) && conversation.received.octets.count == 2)
        #expect(conversation.remote == .ipv6(Self.server) && conversation.port == 80 && conversation.localPort == 4000)
    }

    @Test mutating func `another connection between the same ports is another conversation`() {
        record(
            Self.from(10, "", .syn, isSent: true), Self.from(99, "", [.syn, .ack]), Self.from(100, "one"),
            Self.from(5000, "", .syn, isSent: true), Self.from(7000, "", [.syn, .ack]), Self.from(7001, "two"))
        #expect(received == ["one", "two"])
    }

    @Test mutating func `datagrams keep their boundaries`() {
        record(Self.datagram("one"), Self.datagram("three"))
        #expect(log.payloads.conversations[0].received.datagrams.map(\.count) == [3, 5])
    }

    @Test mutating func `what the DNS server says is in its own log`() {
        record(Self.datagram("answer", port: 53, from: Self.resolver), Self.datagram("other", port: 53))
        #expect(received == ["other"])
    }

    @Test func `limits hold, and what did not fit is counted`() {
        var limits = PayloadLog.Limits()
        (limits.received, limits.total, limits.conversations) = (4, 6, 2)
        var log = PayloadLog(of: [.ipv6(Self.client)], limits: limits)
        for port in 1...3 as ClosedRange<UInt16> {
            let packet = Self.datagram("abcdef", port: port)
            log.record(packet.span, at: .zero)
        }
        let payloads = log.payloads
        #expect(payloads.conversations.map(\.received.octets.count) == [4, 2])
        #expect(payloads.omitted == 2 + 4 + 6)
    }

    @Test mutating func `of a packet that is cut anywhere nothing is read that is not there`() {
        let packet = Self.from(100, "abcdef")
        for count in 0..<packet.count { record(Array(packet[..<count])) }
        #expect(received.isEmpty)
    }
}
