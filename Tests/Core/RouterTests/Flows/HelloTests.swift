// SPDX-License-Identifier: Apache-2.0
import Evidence
import TestPackets
import Testing
import Wire

@testable import Router

/// ClientHellos in the log of flows.
@Suite struct HelloTests {
    private static let far = IPv6Address("64:ff9b::c633:6407")!
    private static let hello = HelloOctets("shop.test", ["h2"]).records()

    private var log = FlowLog()

    private mutating func send(
        _ payload: [UInt8], _ flags: TCPFlags = .ack, at sequence: UInt32 = 100, from port: UInt16 = 4000,
        to remote: IPv6Address = far, isFromClient: Bool = true
    ) throws {
        let (source, destination) = isFromClient ? (Place.client6, remote) : (remote, Place.client6)
        let octets = IPv6Datagram(source: source, destination: destination).packet(
            .tcp(isFromClient ? port : 443, isFromClient ? 443 : port, flags, sequence: sequence, payload: payload))
        let layout = try IPv6Layout(octets.span)
        log.record(octets.span, IPv6Outline(layout), isFromClient: isFromClient) { _ in nil }
    }

    private mutating func connect(_ payload: [UInt8] = [], from port: UInt16 = 4000, to remote: IPv6Address = far)
        throws
    {
        try send([], .syn, at: 99, from: port, to: remote)
        if !payload.isEmpty { try send(payload, from: port, to: remote) }
    }

    private var names: [String?] { log.flows.flatMap { ($0.hellos?.each ?? []).map(\.hello.serverName) } }

    @Test mutating func `a connection's first octets are read`() throws {
        try connect(Self.hello)
        let hellos = try #require(log.flows.first?.hellos)
        #expect(hellos.each.map(\.hello.serverName) == ["shop.test"] && hellos.omitted == 0)
        #expect(hellos.each.map(\.hello.applicationProtocols) == [["h2"]])
    }

    @Test(arguments: [40, 60, 100, 129]) mutating func `in whatever segments they come`(size: Int) throws {
        try connect()
        for start in stride(from: 0, to: Self.hello.count, by: size) {
            let piece = Array(Self.hello[start..<min(Self.hello.count, start + size)])
            try send(piece, at: 100 + UInt32(start))
            // Sent again, as a whole or with more.
            try send(piece, at: 100 + UInt32(start))
        }
        try send(Array(Self.hello.suffix(20)) + [23, 3, 3], at: 100 + UInt32(Self.hello.count - 20))
        #expect(names == ["shop.test"])
        #expect(log.flows[0].hellos?.each[0].count == 1)
    }

    @Test mutating func `with the SYN as well`() throws {
        try send(Self.hello, .syn, at: 99)
        #expect(names == ["shop.test"])
    }

    @Test mutating func `numbers that begin anew are no gap`() throws {
        let start = UInt32.max - 20
        try send([], .syn, at: start &- 1)
        try send(Array(Self.hello[..<50]), at: start)
        try send(Array(Self.hello[50...]), at: start &+ 50)
        #expect(names == ["shop.test"])
    }

    @Test mutating func `only at a connection's beginning, by the client, without a gap`() throws {
        // The ClientHello is not at the beginning.
        try connect(Array("GET /".utf8))
        try send(Self.hello, at: 105)
        // A connection whose beginning was not seen.
        try send(Self.hello, from: 4001)
        // A ClientHello from the far end.
        try connect(from: 4002)
        try send(Self.hello, from: 4002, isFromClient: false)
        // A gap.
        try connect(from: 4003)
        try send(Array(Self.hello[..<50]), from: 4003)
        try send(Array(Self.hello[60...]), at: 160, from: 4003)
        try send(Array(Self.hello[50...]), at: 150, from: 4003)
        #expect(log.flows.count == 1 && log.flows[0].hellos == nil)
    }

    @Test mutating func `many connections at once are told apart, and the same is counted`() throws {
        for port in 0..<60 as Range<UInt16> { try connect(from: 33_000 + port * 2) }
        for port in 0..<60 as Range<UInt16> {
            try send(HelloOctets(port % 2 == 0 ? "a.test" : nil).records(), from: 33_000 + port * 2)
        }
        let hellos = try #require(log.flows.first?.hellos)
        #expect(hellos.each.map(\.hello.serverName) == ["a.test", nil])
        #expect(hellos.each.map(\.count) == [30, 30])
    }

    @Test mutating func `the same ports may have another connection`() throws {
        try connect(Self.hello)
        try connect(HelloOctets("other.test").records())
        #expect(names == ["shop.test", "other.test"])
    }

    @Test mutating func `a client that names ever more servers cannot make it grow`() throws {
        for number in 0..<50 as Range<UInt16> { try connect(HelloOctets("\(number).test").records(), from: number) }
        let hellos = try #require(log.flows.first?.hellos)
        #expect(hellos.each.count == SentHellos.limit && hellos.omitted == 50 - SentHellos.limit)
    }

    @Test mutating func `connections that say nothing keep nobody from being read`() throws {
        for port in 0..<5_000 as Range<UInt16> {
            try connect(from: port, to: IPv6Address(bits: Self.far.bits + UInt128(port % 7)))
        }
        try connect(Self.hello, from: 60_000)
        #expect(names == ["shop.test"])
        // Octet by octet: it is left alone after a while.
        try connect(from: 60_001)
        for (index, octet) in HelloOctets("slow.test").records().enumerated() {
            try send([octet], at: 100 + UInt32(index), from: 60_001)
        }
        #expect(names == ["shop.test"])
    }

    @Test mutating func `one that is too long is told as far as it names somebody`() throws {
        var long = HelloOctets("long.test").records()
        // Lengths of a ClientHello with 60 kB more.
        long[3] = 0xf0
        long[6] = 1
        try connect(long + [UInt8](repeating: 0, count: 20_000))
        #expect(names == ["long.test"])
        // These may contain a name after the part that is read.
        try connect(HelloOctets(nil, padding: 20_000).records(), from: 4001)
        try connect(HelloOctets("behind.test", padding: 9_000).records(), from: 4002)
        try connect(HelloOctets("front.test", padding: 7_000).records(), from: 4003)
        #expect(names == ["long.test", "front.test"])
    }

    @Test mutating func `a client of IPv4 is read, too`() throws {
        for (flags, payload) in [(TCPFlags.syn, []), (.ack, Self.hello)] {
            let octets = IPv4Datagram(source: Place.client4, destination: Place.host4).packet(
                .tcp(4000, 443, flags, sequence: flags == .syn ? 99 : 100, payload: payload))
            let layout = try IPv4Layout(octets.span)
            log.record(octets.span, layout, isFromClient: true)
        }
        #expect(names == ["shop.test"])
    }
}
