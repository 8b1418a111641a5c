// SPDX-License-Identifier: Apache-2.0
import NAT64
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

/// The client's ports 5000 (UDP) and 5001 (TCP) are the pool's.
private let bindings = """
      static-bindings:
        - { protocol: udp, ipv6: 2e00:2:0:1::c0:100, ipv6-port: 5000, ipv4: 192.0.2.64, ipv4-port: 5000 }
        - { protocol: tcp, ipv6: 2e00:2:0:1::c0:100, ipv6-port: 5001, ipv4: 192.0.2.64, ipv4-port: 5001 }
    """

private let request = Packets.ipv6(.udp(5000, 53))
private let answer = Packets.ipv4(.udp(53, 5000))

@Suite struct `A capture that is translated` {
    @Test func `has each packet's translation, at its own time, and a line for each packet`() throws {
        let result = try replay([Captured(1000, request), Captured(1000.25, answer)], bindings)
        // IP 192.0.2.64.5000 > 203.0.113.5.53: UDP, length 5
        let golden: [UInt8] = [
            0x45, 0x00, 0x00, 0x21, 0x00, 0x00, 0x00, 0x00, 0x3f, 0x11, 0x00, 0x00,  // version to header checksum
            0xc0, 0x00, 0x02, 0x40, 0xcb, 0x00, 0x71, 0x05,  // addresses
            0x13, 0x88, 0x00, 0x35, 0x00, 0x0d, 0xe4, 0xca,  // UDP
            0x01, 0x02, 0x03, 0x04, 0x05,
        ]
        try #require(result.outputs.count == 2)
        var first = result.outputs[0].bytes
        // A small packet may be fragmented later, so it has an identification (RFC 7915 §5.1), which is random, and so is the header's
        // checksum.
        for field in [4..<6, 10..<12] {
            #expect(first[field] != [0, 0])
            first.replaceSubrange(field, with: [0, 0])
        }
        #expect(first == golden)
        #expect(result.outputs.map(\.time) == [1_000_000_000_000, 1_000_250_000_000])
        // The answer, one hop further.
        #expect(
            result.outputs[1].bytes
                == Packets.ipv6(
                    from: Packets.synthesised, to: Packets.client, .udp(53, 5000), hopLimit: 63))

        let line = result.line(2)
        #expect(line["time"] as? Double == 1000.25)
        #expect(line["side"] as? String == "ipv4")
        #expect(line["description"] as? String == "UDP 203.0.113.5.53 → 192.0.2.64.5000, 33 octets")
        #expect(line["outputs"] as? [Int] == [2])
        #expect(result.lines.last?["summary"] != nil)
        #expect(result.summary.packets == 2 && result.summary.outputs == 2)
    }

    @Test func `forgets a UDP mapping after five minutes of silence`() throws {
        let fresh = Packets.ipv6(.udp(6000, 53))
        let opened = try replay([Captured(0, fresh)])
        // Where the world answers to: the same seed gives the same port again.
        let port = UInt16(opened.outputs[0].bytes[20]) << 8 | UInt16(opened.outputs[0].bytes[21])
        let reply = Packets.ipv4(.udp(53, port))
        let late = try replay([
            Captured(0, fresh), Captured(299.9, reply), Captured(599.8, reply), Captured(900, reply),
        ])
        #expect(late.outputs(2).count == 1 && late.outputs(3).count == 1)
        #expect(late.drops(4) == ["no-binding"])
        // Host unreachable goes back (RFC 6146 §3.5.1).
        #expect(late.outputs(4).map { $0.bytes[20...21] } == [[3, 1]])
    }

    @Test func `probes an idle TCP connection at its deadline, if the clock runs on`() throws {
        let handshake = [
            Captured(0, Packets.ipv6(.tcp(5001, 80, .syn))),
            Captured(0.1, Packets.ipv4(.tcp(80, 5001, [.syn, .ack]))),
            Captured(0.2, Packets.ipv6(.tcp(5001, 80, .ack))),
        ]
        #expect(try replay(handshake, bindings).outputs.count == 3)
        var options = Replay.Options()
        options.runOn = .seconds(3 * 3_600)
        let result = try replay(handshake, bindings, options: options)
        try #require(result.timeLines.count == 1)
        // RFC 6146 §3.5.2.2: an empty segment to the IPv6 host, 2 hours and 4 minutes after the last.
        #expect(result.timeLines[0]["outputs"] as? [Int] == [4])
        #expect(result.timeLines[0]["time"] as? Double == 7440.2)
        #expect(result.outputs[3].time == 7_440_200_000_000)
        #expect(result.outputs[3].bytes[0] >> 4 == 6)
        #expect(result.summary.translator.counters.probesSent == 1)
    }

    @Test func `answers an unsolicited SYN six seconds later, between the packets around that time`() throws {
        let syn = Packets.ipv4(.tcp(80, 7777, .syn))
        let result = try replay([Captured(10, syn), Captured(12, request), Captured(20, request)])
        #expect(result.line(1)["stored"] as? Bool == true)
        #expect(result.outputs.map(\.time) == [12_000_000_000, 16_000_000_000, 20_000_000_000])
        #expect(result.timeLines.map { $0["drops"] as? [String] } == [["stored-syn-expired"]])
        // Port unreachable (RFC 6146 §3.5.2.2).
        #expect(result.outputs[1].bytes[20...21] == [3, 3])
    }

    @Test func `translates fragments in any order, and says which waited for others`() throws {
        let parts = Packets.fragments6(
            .udp(5000, 53, [UInt8](repeating: 9, count: 100)), size: 48)
        try #require(parts.count == 3)
        let result = try replay(
            [Captured(0, parts[2]), Captured(0.1, parts[1]), Captured(0.2, parts[0])], bindings)
        #expect(result.line(1)["stored"] as? Bool == true)
        #expect(result.line(2)["stored"] as? Bool == true)
        #expect(result.outputs(3).count == 3)
        #expect(Set(result.outputs.map { $0.bytes[9] }) == [17])
    }

    @Test func `drops fragments without their first one after two seconds`() throws {
        let parts = Packets.fragments6(
            .udp(5000, 53, [UInt8](repeating: 9, count: 100)), size: 48)
        let result = try replay([Captured(0, parts[1]), Captured(5, request)], bindings)
        #expect(result.timeLines.map { $0["drops"] as? [String] } == [["fragments-expired"]])
        #expect(result.timeLines.map { $0["time"] as? Double } == [2])
    }

    @Test func `translates ping`() throws {
        let result = try replay([Captured(0, Packets.ipv6(.echoRequest6(77)))])
        #expect(result.outputs(1).map { $0.bytes[20] } == [8])
    }

    @Test func `says why a packet goes nowhere`() throws {
        let private10 = IPv6Address("64:ff9b::a00:1")!
        let result = try replay([
            Captured(0, Packets.ipv4(.udp(53, 9))),
            Captured(1, Packets.ipv6(to: private10, .udp(1, 2))),
            Captured(2, [0x60, 0, 0]), Captured(3, [0x45, 0, 0]), Captured(4, [0x12]), Captured(5, []),
            Captured(6, Packets.ipv6(.udp(1, 2), hopLimit: 1)),
            Captured(7, Packets.ipv6(to: IPv6Address("2001:db8::1")!, .udp(1, 2))),
        ])
        let reasons = (1...8).map { result.drops($0) }
        #expect(
            reasons == [
                ["no-binding"], ["non-global-ipv4"], ["truncated"], ["truncated"], ["not-ip"], ["not-ip"],
                ["hop-limit-exceeded"], ["destination-outside-pref64"],
            ])
        #expect(result.summary.translator.drops.counters.total == 8)
        let summary = try #require(result.lines.last?["summary"] as? [String: Any])
        #expect(
            summary["drops"] as? [String: Int] == [
                "no-binding": 1, "non-global-ipv4": 1, "truncated": 2, "not-ip": 2, "hop-limit-exceeded": 1,
                "destination-outside-pref64": 1,
            ])
    }

    @Test func `gives the same bytes each time`() throws {
        let packets = (0..<50).map { Captured(Double($0), Packets.ipv6(.udp(UInt16(1000 + $0), 53))) }
        let first = try replay(packets)
        #expect(try replay(packets).files == first.files)
        #expect(try replay(packets, "  seed: 1\n").files[0] != first.files[0])
    }

    @Test func `does not go back in time`() throws {
        let result = try replay([Captured(50, request), Captured(40, request), Captured(51, request)], bindings)
        #expect(result.outputs.map(\.time) == [50_000_000_000, 50_000_000_000, 51_000_000_000])
    }

    @Test func `may be of microseconds, of Ethernet with tags and padding, or cooked`() throws {
        let addresses = [UInt8](repeating: 2, count: 12)
        let padded = request + [UInt8](repeating: 0, count: 11)
        let tagged = addresses + [0x81, 0x00, 0, 5, 0x86, 0xdd]
        let ethernet = try replay([Captured(1.5, tagged + padded)], bindings, linkType: 1, isNanosecond: false)
        let plain = try replay([Captured(1.5, request)], bindings)
        #expect(ethernet.outputs == plain.outputs)
        let arp = try replay([Captured(1, addresses + [0x08, 0x06] + request)], linkType: 1)
        #expect(arp.drops(1) == ["not-ip"])
        let cooked = [UInt8](repeating: 0, count: 14) + [0x86, 0xdd]
        #expect(try replay([Captured(1.5, cooked + request)], bindings, linkType: 113).outputs == plain.outputs)
    }

    @Test func `without packets has none`() throws {
        var options = Replay.Options()
        options.runOn = .seconds(60)
        let result = try replay([], options: options)
        #expect(result.outputs.isEmpty && result.lines.count == 1)
    }

    @Test func `of the end of time is read`() throws {
        var last = Captured(0, request)
        last.time = Int64(UInt32.max) * 1_000_000_000 + 999_999_999
        var options = Replay.Options()
        options.runOn = .seconds(100 * 365 * 86_400)
        let syn = Packets.ipv4(.tcp(80, 7777, .syn))
        var stored = last
        stored.bytes = syn
        #expect(try replay([last, stored], bindings, options: options).outputs.count == 2)
    }
}
