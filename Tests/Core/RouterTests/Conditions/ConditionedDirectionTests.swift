// SPDX-License-Identifier: Apache-2.0
import Evidence
import Testing
import Topology
import Translation
import Wire

@testable import Router

/// Distributions on a clock of the test's own; the seed decides, so none of these is ever late or unlucky.
@Suite struct ConditionedDirectionTests {
    private func direction(_ change: (inout Conditions.Direction) -> Void) -> ConditionedDirection {
        var conditions = Conditions.Direction()
        change(&conditions)
        return ConditionedDirection(conditions, seed: 1, in: LateRoom(32 << 20))
    }

    /// A packet whose last octets are its number.
    private func numbered(_ number: Int, into packet: inout PacketBuffer) {
        var bytes = packet.mutableBytes
        let end = bytes.count
        for index in 0..<4 { bytes[end - 1 - index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }

    private func number(_ packet: borrowing PacketBuffer) -> Int {
        (0..<4).reduce(0) { $0 << 8 | Int(packet.bytes[packet.count - 4 + $1]) }
    }

    /// When each of so many packets came out, sent `apart`; duplicates come again.
    private func passed(
        _ count: Int, apart: Duration, through direction: inout ConditionedDirection
    ) -> [(number: Int, delay: Duration)] {
        var packet = Datagram.ipv6(payload: 100)
        var buffer = PacketBuffer()
        var result: [(number: Int, delay: Duration)] = []
        func release(_ direction: inout ConditionedDirection, until end: Instant) {
            while direction.nextDeadline <= end, direction.nextDeadline != .distantFuture {
                let due = direction.nextDeadline
                while direction.next(into: &buffer, at: due) {
                    let number = number(buffer)
                    result.append((number, due - (.zero + apart * number)))
                }
            }
        }
        for index in 0..<count {
            let now = Instant.zero + apart * index
            release(&direction, until: now)
            numbered(index, into: &packet)
            _ = direction.take(packet, at: now)
        }
        release(&direction, until: .zero + .seconds(1_000_000))
        return result
    }

    @Test func `one packet of a hundred is lost`() {
        var direction = direction { $0.loss = 10_000 }
        let passed = passed(100_000, apart: .milliseconds(1), through: &direction)
        // 1,000 expected; four standard deviations are 126.
        #expect(abs(100_000 - passed.count - 1_000) <= 126)
        #expect(direction.counts.lost == UInt64(100_000 - passed.count) && direction.counts.packets == 100_000)
        #expect(direction.counts.late == 0)
    }

    @Test func `all or nothing is exact`() {
        var all = direction { $0.loss = 1_000_000 }
        #expect(passed(1_000, apart: .zero, through: &all).isEmpty)
        var none = direction { _ in }
        #expect(passed(1_000, apart: .zero, through: &none).count == 1_000)
    }

    @Test(arguments: [14_400, 780_000, 50_000_000]) func `a full link carries its rate`(_ rate: Int) throws {
        var direction = direction { $0.rate = rate }
        let octets = Datagram.ipv6(payload: 100).count
        let count = 10_000
        // Twice what the link carries: half is lost, and the queue is never empty.
        let apart = Duration.nanoseconds(octets * 8 * 1_000_000_000 / rate / 2)
        let passed = passed(count, apart: apart, through: &direction)
        let first = try #require(passed.first)
        let last = try #require(passed.last)
        let time = apart * (last.number - first.number) + last.delay - first.delay
        let carried = Double((passed.count - 1) * octets * 8) / (time / .seconds(1))
        #expect(abs(carried / Double(rate) - 1) < 0.01)
        #expect(direction.counts.queueFull == UInt64(count - passed.count) && direction.counts.queueFull > 0)
    }

    @Test func `the queue of a slow link is bounded`() {
        // 100 ms, or 16 packets of 1,500 octets where that is more; then comes the packet itself.
        var fast = direction { $0.rate = 10_000_000 }
        let late = passed(10_000, apart: .microseconds(10), through: &fast).map(\.delay).max()!
        #expect(late > .milliseconds(99) && late <= .milliseconds(101))
        var slow = direction { $0.rate = 240_000 }
        let latest = passed(1_000, apart: .microseconds(10), through: &slow).map(\.delay).max()!
        #expect(latest > .milliseconds(790) && latest < .milliseconds(806))
    }

    @Test func `jitter spreads evenly around the delay`() {
        var direction = direction {
            $0.delay = .milliseconds(80)
            $0.jitter = .milliseconds(20)
        }
        // So far apart that no packet waits for the one before.
        let delays = passed(20_000, apart: .milliseconds(50), through: &direction).map { $0.delay / .milliseconds(1) }
        let mean = delays.reduce(0, +) / Double(delays.count)
        let deviation = (delays.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(delays.count)).squareRoot()
        #expect(abs(mean - 80) < 0.4)
        // The standard deviation of a uniform distribution over 40 ms is 40 ms / √12.
        #expect(abs(deviation - 11.547) < 0.25)
        #expect(delays.min()! >= 60 && delays.max()! <= 100)
    }

    @Test func `jitter keeps the order, and reorder alone does not`() {
        var ordered = direction {
            $0.delay = .milliseconds(80)
            $0.jitter = .milliseconds(80)
        }
        let numbers = passed(5_000, apart: .milliseconds(1), through: &ordered).map(\.number)
        #expect(numbers == Array(0..<5_000))

        var reordering = direction {
            $0.delay = .milliseconds(80)
            $0.reorder = 5_000
        }
        let passed = passed(20_000, apart: .milliseconds(1), through: &reordering)
        let early = passed.filter { $0.delay == .zero }
        // 100 expected; four standard deviations are 40.
        #expect(abs(early.count - 100) <= 40 && reordering.counts.reordered == UInt64(early.count))
        #expect(passed.map(\.number).sorted() == Array(0..<20_000))
        let others = passed.filter { $0.delay != .zero }
        #expect(others.allSatisfy { $0.delay == .milliseconds(80) })
    }

    @Test func `a packet comes twice, or with one bit changed`() {
        var doubling = direction { $0.duplicate = 10_000 }
        let twice = passed(20_000, apart: .milliseconds(1), through: &doubling)
        #expect(doubling.counts.duplicated == UInt64(twice.count - 20_000))
        #expect(abs(twice.count - 20_200) <= 57)

        var corrupting = direction { $0.corrupt = 1_000_000 }
        let packet = Datagram.ipv6(payload: 100)
        var buffer = PacketBuffer()
        for _ in 0..<1_000 {
            let reason = corrupting.take(packet, at: .zero)
            let isThere = corrupting.next(into: &buffer, at: .zero)
            #expect(reason == nil && isThere)
            let changed = (0..<packet.count).filter { packet.bytes[$0] != buffer.bytes[$0] }
            #expect(changed.count == 1 && changed[0] >= 44)
            #expect((packet.bytes[changed[0]] ^ buffer.bytes[changed[0]]).nonzeroBitCount == 1)
        }
        #expect(corrupting.counts.corrupted == 1_000)
    }

    @Test func `what the kernel has left undone does not make good a bit that is changed`() throws {
        var corrupting = direction { $0.corrupt = 1_000_000 }
        var buffer = PacketBuffer()
        // The sum of the pseudo-header stands in the field, as behind an offload.
        let datagram = Datagram.ipv6(payload: 100)
        var packet = PacketBuffer((0..<datagram.count).map { datagram.bytes[$0] })
        let layout = try IPv6Layout(packet.bytes)
        let field = layout.transport.offset + UDPHeader.checksum
        let whole = packet.bytes.uint16(at: field)
        let partial = ~InternetChecksum(
            pseudoHeaderFrom: layout.source, to: layout.destination, of: .udp, length: layout.transport.count
        ).checksum
        do {
            var bytes = packet.mutableBytes
            bytes.setUInt16(partial, at: field)
        }
        packet.offload.hasPartialChecksum = true
        packet.offload.checksumStart = UInt16(layout.transport.offset)
        packet.offload.checksumOffset = UInt16(UDPHeader.checksum)
        for _ in 0..<100 {
            let reason = corrupting.take(packet, at: .zero)
            let isThere = corrupting.next(into: &buffer, at: .zero)
            #expect(reason == nil && isThere && !buffer.offload.hasPartialChecksum)
            let changed = (0..<buffer.count).filter { $0 / 2 != field / 2 && packet.bytes[$0] != buffer.bytes[$0] }
            let sum = buffer.bytes.uint16(at: field) ^ whole
            #expect(changed.count + sum.nonzeroBitCount == 1)
        }
        packet.offload.segmentation = .udp
        packet.offload.segmentSize = 50
        #expect(corrupting.take(packet, at: .zero) == .conditionLoss)
    }

    @Test func `the same seed loses the same packets`() {
        let numbers = (0..<2).map { _ in
            var direction = direction { $0.loss = 100_000 }
            return passed(1_000, apart: .zero, through: &direction).map(\.number)
        }
        #expect(numbers[0] == numbers[1] && numbers[0].count < 1_000)
    }
}
