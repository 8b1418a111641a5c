// SPDX-License-Identifier: Apache-2.0
import Testing
import Wire

@testable import Router

@Suite struct LatePacketTests {
    private func packet(_ octets: [UInt8]) -> PacketBuffer {
        var buffer = PacketBuffer(capacity: 100)
        buffer.replace(with: octets.span)
        return buffer
    }

    private func taken(_ late: inout LatePackets, at milliseconds: Int) -> UInt8? {
        var buffer = PacketBuffer(capacity: 100)
        guard late.next(into: &buffer, at: .zero + .milliseconds(milliseconds)) else { return nil }
        return buffer.bytes[0]
    }

    @Test func `packets come in their order, when it is time`() {
        var late = LatePackets(LateRoom(32 << 20))
        #expect(late.nextDeadline == .distantFuture)
        for number in 1...3 as ClosedRange<UInt8> {
            let packet = packet([number])
            let isTaken = late.take(packet, until: .zero + .milliseconds(Int(number) * 100))
            #expect(isTaken)
        }
        #expect(late.nextDeadline == .zero + .milliseconds(100))
        #expect(taken(&late, at: 99) == nil)
        #expect(taken(&late, at: 200) == 1)
        #expect(taken(&late, at: 200) == 2)
        #expect(taken(&late, at: 200) == nil)
        #expect(late.nextDeadline == .zero + .milliseconds(300))
        #expect(taken(&late, at: 300) == 3)
        #expect(late.nextDeadline == .distantFuture)
    }

    @Test func `what has no room is not taken`() {
        var late = LatePackets(LateRoom(32 << 20))
        var large = PacketBuffer()
        large.resize(to: 65_000)
        var count = 0
        while count < 2000, late.take(large, until: .zero) { count += 1 }
        #expect(count == (32 << 20) / 65_000)
        var buffer = PacketBuffer()
        let isDue = late.next(into: &buffer, at: .zero)
        #expect(isDue && buffer.count == 65_000)
        let isTaken = late.take(large, until: .zero)
        #expect(isTaken)
    }

    @Test func `a link that is never idle makes nothing grow`() {
        var late = LatePackets(LateRoom(32 << 20))
        for number in 0..<10_000 {
            let packet = packet([UInt8(number % 251)])
            let isTaken = late.take(packet, until: .zero + .milliseconds(number))
            #expect(isTaken)
            // Ten wait at any time.
            if number >= 10 { #expect(taken(&late, at: number) == UInt8((number - 10) % 251)) }
        }
        #expect(late.packets.count <= 22)
    }

    @Test func `what is due before those ahead of it waits for them`() {
        var late = LatePackets(LateRoom(32 << 20))
        let first = packet([1])
        let second = packet([2])
        let areTaken = late.take(first, until: .zero + .milliseconds(20)) && late.take(second, until: .zero)
        #expect(areTaken && late.nextDeadline == .zero + .milliseconds(20))
        #expect(taken(&late, at: 20) == 1)
        #expect(taken(&late, at: 20) == 2)
    }
}
