// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import StandaloneTranslator
import NAT64
import Router
import TestPackets
import Testing
import Translation
import Wire

/// A file may claim any time.
@Suite struct `The time stamps of a capture` {
    private static let packet = Packets.ipv6(.udp(5000, 53))

    /// A pcapng file with the same packet at each of these times, in microseconds since 1970.
    private func pcapng(_ times: [UInt64]) -> [UInt8] {
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let section = little(0x0a0d_0d0a as UInt32) + little(28 as UInt32) + little(0x1a2b_3c4d as UInt32)
        let interface = little(1 as UInt32) + little(20 as UInt32) + little(101 as UInt32) + little(65_535 as UInt32)
        let padded = Self.packet + [UInt8](repeating: 0, count: -Self.packet.count & 3)
        let (length, size) = (UInt32(32 + padded.count), UInt32(Self.packet.count))
        let head = section + little(1 as UInt32) + little(-1 as Int64) + little(28 as UInt32)
        return times.reduce(head + interface + little(20 as UInt32)) { file, time in
            file + little(6 as UInt32) + little(length) + little(0 as UInt32) + little(UInt32(time >> 32))
                + little(UInt32(truncatingIfNeeded: time)) + little(size) + little(size) + padded + little(length)
        }
    }

    private static let year2300: UInt64 = 10_413_792_000_000_000

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [[year2300, year2300], [0, year2300], [.max, .max, 0], [year2300, 1000]])
    func `may lie behind the year 2262`(times: [UInt64]) throws {
        let place = try Place()
        try place.write(pcapng(times), to: "in.pcap")
        let result = try replayed(place)
        #expect(result.summary.packets == times.count)
        #expect(result.summary.outputs == times.count)
        // 2106, the last second of the output's format, which libpcap reads with a sign.
        let seconds = result.outputs.map { UInt32(truncatingIfNeeded: $0.time / 1_000_000_000) }
        #expect(seconds.max() == .max)
    }

    @Test(.timeLimit(.minutes(5))) func `may be the end of time for the translator itself`() throws {
        var router = try Router(RouterConfiguration(TranslatorConfiguration()), now: .zero, output: Nowhere())
        for time in [Instant.zero, .distantFuture, .distantFuture] {
            var packet = PacketBuffer()
            packet.replace(with: Self.packet.span)
            router.receive(&packet, from: .client, at: time)
            router.advance(to: time)
        }
        let counters = router.counters
        #expect(counters.drops.total == 0)
    }
}

private final class Nowhere: RouterOutput {
    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? { nil }
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}
