// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Translation
import Wire

@testable import Router

/// Tests of when a joiner sends, and in which form.
@Suite struct DatagramJoinerTests {
    struct Sent: Equatable {
        var datagrams: Int
        var octets: [UInt8]
        var offload: Offload

        var payload: Int { octets.count - (octets[0] >> 4 == 6 ? 48 : 28) }
    }

    /// A joiner, and what it let go.
    struct Joining: ~Copyable {
        private var joiner = DatagramJoiner()
        private(set) var sent: [Sent] = []

        mutating func take(_ packet: consuming PacketBuffer, numberedBy numbering: IdentificationGenerator? = nil) {
            var sent: [Sent] = []
            joiner.take(&packet, numberedBy: numbering) { Self.note(&$0, $1, &sent) }
            // The joiner no longer uses the buffer's contents.
            packet.reset()
            packet.append([0xa5, 0xa5].span)
            self.sent += sent
        }

        mutating func flush() {
            var sent: [Sent] = []
            joiner.flush { Self.note(&$0, $1, &sent) }
            self.sent += sent
        }

        private static func note(_ packet: inout PacketBuffer, _ datagrams: Int, _ sent: inout [Sent]) {
            sent.append(Sent(datagrams: datagrams, octets: packet.octets, offload: packet.offload))
            // As a device does that writes its header.
            packet.moveStart(by: -10)
        }
    }

    static func ipv6(_ payload: [UInt8], port: UInt16 = 9) -> PacketBuffer {
        JoinableDatagramTests.packet(IPv6Datagram().packet(.udp(4000, port, payload)))
    }

    static func ipv4(_ payload: [UInt8], _ identification: UInt16) -> PacketBuffer {
        JoinableDatagramTests.packet(IPv4Datagram(identification: identification).packet(.udp(4000, 9, payload)))
    }

    static func octets(_ count: Int, _ value: Int = 7) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value &+ $0) }
    }

    @Test func `nothing leaves before it is flushed, and then what there is`() {
        var joining = Joining()
        for index in 0..<3 { joining.take(Self.ipv6(Self.octets(10, index))) }
        #expect(joining.sent.isEmpty)
        joining.flush()
        #expect(joining.sent.map(\.datagrams) == [3])
        joining.flush()
        #expect(joining.sent.count == 1)
    }

    @Test func `a single one leaves as it came`() {
        var joining = Joining()
        let packet = Self.ipv6(Self.octets(10))
        let before = Sent(datagrams: 1, octets: packet.octets, offload: packet.offload)
        joining.take(packet)
        joining.flush()
        #expect(joining.sent == [before])
    }

    @Test func `a super-packet of IPv6 has the headers of the whole`() {
        var joining = Joining()
        for index in 0..<3 { joining.take(Self.ipv6([UInt8(index), 7])) }
        joining.flush()
        let sent = joining.sent[0]
        let whole = IPv6Datagram().packet(.udp(4000, 9, [0, 7, 1, 7, 2, 7]))
        #expect(sent.octets == JoinableDatagramTests.packet(whole).octets)
        var offload = Offload.none
        offload.segmentation = .udp
        offload.segmentSize = 2
        offload.headerLength = 48
        offload.hasPartialChecksum = true
        offload.checksumStart = 40
        offload.checksumOffset = 6
        #expect(sent.offload == offload)
    }

    @Test func `a super-packet of IPv4 has the headers of the whole, and the first identification`() {
        var joining = Joining()
        for index in 0..<3 { joining.take(Self.ipv4([UInt8(index), 7], 500 + UInt16(index))) }
        joining.flush()
        let sent = joining.sent[0]
        let whole = IPv4Datagram(identification: 500).packet(.udp(4000, 9, [0, 7, 1, 7, 2, 7]))
        #expect(sent.octets == JoinableDatagramTests.packet(whole).octets)
        #expect(sent.offload.headerLength == 28 && sent.offload.checksumStart == 20)
    }

    @Test func `of IPv4 without DF, only those join whose identifications count on`() {
        var joining = Joining()
        for identification: UInt16 in [1, 2, 4, 5, 5] { joining.take(Self.ipv4([7], identification)) }
        joining.flush()
        #expect(joining.sent.map(\.datagrams) == [2, 2, 1])
    }

    @Test func `where a translator has made the identifications, a train gets others of its row`() {
        let numbering = IdentificationGenerator(seed: 0x0258)
        var joining = Joining()
        for identification: UInt16 in [1, 2, 4] { joining.take(Self.ipv4([7], identification), numberedBy: numbering) }
        joining.flush()
        #expect(joining.sent.map(\.datagrams) == [3])
        #expect(joining.sent[0].octets[4...5] == [0x02, 0x58])
        #expect(PacketVerdict(joining.sent[0].octets).problem == nil)
        #expect(numbering.next() == 0x025b)
        // They are left alone where they count on, and where a datagram is alone.
        for identification: UInt16 in [8, 9] { joining.take(Self.ipv4([7], identification), numberedBy: numbering) }
        joining.flush()
        joining.take(Self.ipv4([7], 11), numberedBy: numbering)
        joining.flush()
        #expect(joining.sent.map { $0.octets[5] } == [0x58, 8, 11])
        // Those of a sender are not ours to change, and another translator has another row.
        joining.take(Self.ipv4([7], 1), numberedBy: numbering)
        joining.take(Self.ipv4([7], 3))
        joining.take(Self.ipv4([7], 5), numberedBy: numbering)
        joining.take(Self.ipv4([7], 7), numberedBy: IdentificationGenerator(seed: 0))
        joining.flush()
        #expect(joining.sent.dropFirst(3).map(\.datagrams) == [1, 1, 1, 1])
    }

    @Test func `only the last segment is shorter`() {
        var joining = Joining()
        for size in [10, 10, 4, 4, 10, 11] { joining.take(Self.ipv6(Self.octets(size))) }
        // The shorter one has closed the first train.
        #expect(joining.sent.map(\.datagrams) == [3, 1, 1])
        joining.flush()
        #expect(joining.sent.map(\.datagrams) == [3, 1, 1, 1])
        #expect(joining.sent.map(\.payload) == [24, 4, 10, 11])
        #expect(joining.sent[0].offload.segmentSize == 10)
    }

    @Test func `64 segments are complete`() {
        var joining = Joining()
        for _ in 0..<63 { joining.take(Self.ipv6([1, 2])) }
        #expect(joining.sent.isEmpty)
        joining.take(Self.ipv6([1, 2]))
        #expect(joining.sent.map(\.datagrams) == [64])
        joining.take(Self.ipv6([1, 2]))
        joining.flush()
        #expect(joining.sent.map(\.datagrams) == [64, 1])
    }

    @Test func `a super-packet has 65,535 octets at most`() {
        var joining = Joining()
        // 48 + 45 × 1,455 = 65,523
        for index in 0..<46 { joining.take(Self.ipv6(Self.octets(1455, index))) }
        #expect(joining.sent.map(\.datagrams) == [45])
        #expect(joining.sent[0].octets.count == 65_523)
        joining.flush()
        // 48 + 12 fit behind 65,475, and no more: 12 is a shorter one, and the last.
        for size in [30_000, 30_000] { joining.take(Self.ipv6(Self.octets(size))) }
        joining.take(Self.ipv6(Self.octets(5_487)))
        #expect(joining.sent.last?.octets.count == 65_535)
        for size in [30_000, 30_000] { joining.take(Self.ipv6(Self.octets(size))) }
        joining.take(Self.ipv6(Self.octets(5_488)))
        #expect(joining.sent.last?.octets.count == 60_048)
    }

    @Test func `as many flows as there are places join side by side`() {
        var joining = Joining()
        for round in 0..<3 {
            for flow in 0..<DatagramJoiner.flows { joining.take(Self.ipv6([UInt8(round)], port: UInt16(flow))) }
        }
        #expect(joining.sent.isEmpty)
        joining.flush()
        #expect(joining.sent.map(\.datagrams) == [Int](repeating: 3, count: DatagramJoiner.flows))
    }

    @Test func `a flow that finds no place leaves at once`() {
        var joining = Joining()
        for _ in 0..<2 {
            for flow in 0...DatagramJoiner.flows { joining.take(Self.ipv6([7], port: UInt16(flow))) }
        }
        #expect(joining.sent.map(\.datagrams) == [1, 1])
        #expect(joining.sent.map { $0.octets[43] } == [UInt8(DatagramJoiner.flows), UInt8(DatagramJoiner.flows)])
        joining.flush()
        #expect(joining.sent.count == DatagramJoiner.flows + 2)
        // There is room again.
        joining.take(Self.ipv6([7], port: UInt16(DatagramJoiner.flows)))
        #expect(joining.sent.count == DatagramJoiner.flows + 2)
    }

    @Test func `what cannot be joined leaves at once, behind all that waits, but for TCP`() {
        var joining = Joining()
        joining.take(Self.ipv6([1]))
        joining.take(PacketBuffer(IPv6Datagram().packet(.tcp(1, 2, .ack))))
        #expect(joining.sent.map(\.datagrams) == [1])
        #expect(joining.sent[0].octets[6] == UpperLayer.tcp)
        // One with its checksum, of the flow that waits.
        joining.take(PacketBuffer(IPv6Datagram().packet(.udp(4000, 9, [2]))))
        #expect(joining.sent.map { $0.octets.last } == [joining.sent[0].octets.last, 1, 2])
        joining.take(Self.ipv6([3]))
        joining.take(
            PacketBuffer(IPv6Datagram().fragment(.udp(4000, 9, Self.octets(64)), at: 8, count: 8, identification: 1)))
        #expect(joining.sent.count == 5 && joining.sent[3].octets.last == 3)
    }
}
