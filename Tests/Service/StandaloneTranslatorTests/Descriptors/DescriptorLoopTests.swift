// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Glibc
import LinuxNet
import NAT64
import TestPackets
import Testing
import Translation
import Wire

@testable import StandaloneTranslator

/// The far ends of the two sockets that a translator has inherited, which runs in a thread of its own.
private final class FarEnds {
    let ipv6: PacketSocket
    let ipv4: PacketSocket
    private var thread: WorkerThread?
    private var buffer = PacketBuffer()
    private let result = Result()

    private final class Result: @unchecked Sendable {
        var summary: TranslatorSummary?
        var failure: (any Error)?
    }

    init(_ type: __socket_type, _ configuration: TranslatorConfiguration = TranslatorConfiguration()) throws {
        let (near6, far6) = try Self.pair(type)
        let (near4, far4) = try Self.pair(type)
        ipv6 = try PacketSocket(inheriting: far6)
        ipv4 = try PacketSocket(inheriting: far4)
        thread = try WorkerThread.start(name: "translator") { [result] in
            do {
                result.summary = try DescriptorLoop.run(configuration, ipv6: near6, ipv4: near4, report: nil)
            } catch {
                result.failure = error
            }
        }
    }

    static func pair(_ type: __socket_type) throws -> (Int32, Int32) {
        var numbers: (Int32, Int32) = (-1, -1)
        let status = unsafe withUnsafeMutableBytes(of: &numbers) {
            unsafe socketpair(AF_UNIX, Int32(type.rawValue), 0, $0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        try #require(status == 0)
        return numbers
    }

    func send(_ bytes: [UInt8], to side: Side) {
        buffer.replace(with: bytes.span)
        let sent = side == .ipv6 ? ipv6.write(&buffer) : ipv4.write(&buffer)
        #expect(sent == .written)
    }

    /// The next packet that comes out there; nil where none comes in two seconds.
    func receive(from side: Side) throws -> [UInt8]? {
        var epoll = try Epoll()
        try epoll.add(side == .ipv6 ? ipv6.descriptor : ipv4.descriptor, .readable, token: 0)
        guard epoll.wait(until: MonotonicClock.now() + .seconds(2)) == 1 else { return nil }
        guard (side == .ipv6 ? ipv6.read(into: &buffer) : ipv4.read(into: &buffer)) == .packet else { return nil }
        return buffer.octets
    }

    /// A test that fails in the middle leaves no translator that would be waited for.
    deinit { awaitEnd() }

    /// Says that both ends are gone, and waits for the translator's end.
    private func awaitEnd() {
        guard let thread = thread.take() else { return }
        for descriptor in [ipv6.descriptor, ipv4.descriptor] {
            _ = Glibc.send(descriptor, nil, 0, Int32(MSG_NOSIGNAL))
        }
        thread.join()
    }

    func end() throws -> TranslatorSummary {
        awaitEnd()
        if let failure = result.failure { throw failure }
        return try #require(result.summary)
    }
}

@Suite(.serialized) struct `Packets over inherited sockets` {
    @Test(arguments: [SOCK_DGRAM, SOCK_SEQPACKET])
    func `are translated there and back`(type: __socket_type) throws {
        let ends = try FarEnds(type)
        ends.send(Packets.ipv6(.udp(5000, 53)), to: .ipv6)
        let request = try #require(try ends.receive(from: .ipv4))
        #expect(request[0] == 0x45 && request[16..<20] == [203, 0, 113, 5])
        let port = UInt16(request[20]) << 8 | UInt16(request[21])
        ends.send(Packets.ipv4(.udp(53, port)), to: .ipv4)
        #expect(
            try ends.receive(from: .ipv6)
                == Packets.ipv6(
                    from: Packets.synthesised, to: Packets.client, .udp(53, 5000), hopLimit: 63))
        let summary = try ends.end()
        #expect(
            summary.counters.emittedToIPv4 == 1 && summary.counters.emittedToIPv6 == 1
                && summary.drops.counters.total == 0)
    }

    @Test func `of the wrong family are refused, and counted`() throws {
        let ends = try FarEnds(SOCK_DGRAM)
        ends.send(Packets.ipv4(.udp(53, 1, [UInt8](repeating: 0, count: 40))), to: .ipv6)
        ends.send([0x60, 0, 0], to: .ipv6)
        let summary = try ends.end()
        #expect(summary.drops.counters[.wrongFamily] == 1 && summary.drops.counters[.truncated] == 1)
    }

    @Test func `that nobody takes are lost, and the translator goes on`() throws {
        let ends = try FarEnds(SOCK_DGRAM)
        // A Unix socket holds some hundred datagrams at most; their translations are not read.
        var buffer = PacketBuffer()
        buffer.replace(with: Packets.ipv6(.udp(5_000, 53)).span)
        for _ in 0..<1_000 {
            while ends.ipv6.write(&buffer) == .wouldBlock { sched_yield() }
        }
        let summary = try ends.end()
        #expect(summary.counters.receivedFromIPv6 == 1_000)
        #expect(summary.drops.counters[.queueFull] > 0)
        // A packet that was not written is not counted as emitted.
        #expect(summary.counters.emittedToIPv4 + summary.drops.counters[.queueFull] == 1_000)
        #expect(summary.counters.emittedToIPv4 < 1_000)
    }

    /// A slow reader that reads every datagram loses none of 300, many more than a Unix socket holds.
    @Test func `that come in a burst wait for their reader, and none is lost`() throws {
        let ends = try FarEnds(SOCK_DGRAM)
        let writer = Writer(ends)
        let thread = try WorkerThread.start(name: "burst") { writer.run(count: 300) }
        var received = 0
        while received < 300, try ends.receive(from: .ipv4) != nil {
            received += 1
            // A reader that is now and then away.
            if received % 10 == 0 { usleep(2_000) }
        }
        thread.join()
        let summary = try ends.end()
        #expect(received == 300)
        #expect(summary.drops.counters[.queueFull] == 0 && summary.counters.emittedToIPv4 == 300)
    }

    private final class Writer: @unchecked Sendable {
        private let ends: FarEnds
        init(_ ends: FarEnds) { self.ends = ends }

        func run(count: Int) {
            var buffer = PacketBuffer()
            buffer.replace(with: Packets.ipv6(.udp(5_000, 53)).span)
            for _ in 0..<count {
                while ends.ipv6.write(&buffer) == .wouldBlock { sched_yield() }
            }
        }
    }

    @Test func `that are pings to the translator's own addresses are answered`() throws {
        let own6 = IPv6Address("2e00:2:0:1::1")!
        let own4 = IPv4Address(192, 0, 2, 1)
        let ends = try FarEnds(SOCK_SEQPACKET)
        ends.send(Packets.ipv6(to: own6, .echoRequest6(7), hopLimit: 3), to: .ipv6)
        #expect(try ends.receive(from: .ipv6) == Packets.ipv6(from: own6, to: Packets.client, .echoReply6(7)))
        ends.send(Packets.ipv4(to: own4, .icmpv4(8, 0, [0, 7, 0, 1, 7, 7])), to: .ipv4)
        #expect(
            try ends.receive(from: .ipv4)
                == Packets.ipv4(from: own4, to: Packets.world, .icmpv4(0, 0, [0, 7, 0, 1, 7, 7])))
        // Other messages than pings are not answered, nor a ping from an address that is not reachable.
        ends.send(Packets.ipv4(to: own4, .icmpv4(0, 0, [0, 7, 0, 1, 7, 7])), to: .ipv4)
        ends.send(Packets.ipv4(from: IPv4Address(127, 0, 0, 1), to: own4, .icmpv4(8, 0, [0, 7, 0, 1])), to: .ipv4)
        let summary = try ends.end()
        #expect(summary.counters.emittedToIPv6 == 1 && summary.counters.emittedToIPv4 == 1)
        #expect(summary.counters.receivedFromIPv4 == 3 && summary.counters.receivedFromIPv6 == 1)
    }

    private final class End: Sendable {
        let signal: EventSignal
        init() throws { signal = try EventSignal() }
    }

    /// The kernel does not report that the other end of a DGRAM pair was closed, until something is sent there.
    @Test func `whose other end is gone end that side`() throws {
        // A process that another test forks meanwhile briefly holds the closed end, and then the packet is sent too early.
        let hasEnded = try (0..<3).contains { _ in try loopEndsWithItsSides() }
        #expect(hasEnded)
    }

    /// Whether a loop ends within two seconds when its IPv4 side is closed and its IPv6 side ends after one packet.
    private func loopEndsWithItsSides() throws -> Bool {
        let (near6, far6) = try FarEnds.pair(SOCK_DGRAM)
        let (near4, far4) = try FarEnds.pair(SOCK_DGRAM)
        defer { close(far6) }
        let end = try End()
        let thread = try WorkerThread.start(name: "translator") {
            _ = try? DescriptorLoop.run(TranslatorConfiguration(), ipv6: near6, ipv4: near4, report: nil)
            end.signal.wake()
        }
        close(far4)
        let packet = Packets.ipv6(.udp(5000, 53))
        let sent = unsafe Glibc.send(far6, packet, packet.count, 0)
        #expect(sent == packet.count)
        #expect(Glibc.send(far6, nil, 0, 0) == 0)
        var epoll = try Epoll()
        try epoll.add(end.signal.descriptor, .readable, token: 0)
        guard epoll.wait(until: MonotonicClock.now() + .seconds(2)) == 1 else {
            thread.detach()
            return false
        }
        thread.join()
        return true
    }

    @Test func `cannot come from what is no such socket`() throws {
        func complaint(_ ipv6: Int32, _ ipv4: Int32) -> String? {
            do {
                _ = try DescriptorLoop.run(TranslatorConfiguration(), ipv6: ipv6, ipv4: ipv4, report: nil)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(complaint(9_999, 9_998) == "descriptor 9999: getsockopt(SO_TYPE): Bad file descriptor")
        #expect(complaint(-1, 9_998) == "descriptor -1: getsockopt(SO_TYPE): Bad file descriptor")
        #expect(complaint(0, 0) == "descriptor 0 cannot be both sides")
        let (stream, other) = try FarEnds.pair(SOCK_STREAM)
        defer { _ = [stream, other].map { close($0) } }
        #expect(
            complaint(stream, other)
                == "descriptor \(stream) is a stream (SOCK_STREAM), which does not keep packets apart:"
                + " give a socket of type SOCK_DGRAM or SOCK_SEQPACKET")
    }
}
