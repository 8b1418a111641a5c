// SPDX-License-Identifier: Apache-2.0
import TestPackets
import Testing
import Wire

@Suite struct PacketBufferTests {
    static func buffer(_ bytes: [UInt8]) -> PacketBuffer {
        var buffer = PacketBuffer(capacity: 100)
        buffer.replace(with: bytes.span)
        return buffer
    }

    @Test func `the start moves into the headroom and back`() {
        var buffer = Self.buffer([1, 2, 3, 4])
        buffer.moveStart(by: 2)
        #expect(buffer.octets == [3, 4])
        buffer.moveStart(by: -2 - PacketBuffer.headroom)
        #expect(buffer.count == PacketBuffer.headroom + 4)
        buffer.moveStart(by: PacketBuffer.headroom)
        #expect(buffer.octets == [1, 2, 3, 4])
    }

    @Test func `appended bytes stand behind the packet`() {
        var buffer = Self.buffer([1, 2])
        buffer.append([3, 4, 5].span)
        buffer.append([UInt8]().span)
        #expect(buffer.octets == [1, 2, 3, 4, 5])
        #expect(buffer.availableTailroom == 95)
    }

    @Test func `more than the capacity is not taken`() {
        var buffer = PacketBuffer(capacity: 2)
        let taken = buffer.replace(with: [1, 2, 3].span)
        #expect(taken == 2)
        #expect(buffer.octets == [1, 2])
    }

    @Test(arguments: [(0, 7), (7, 0), (3, 5), (5, 3), (4, 4)])
    func `bytes move to places that overlap their own`(from: Int, to: Int) {
        let bytes = (0..<16).map { UInt8($0) }
        var buffer = Self.buffer(bytes)
        var span = buffer.mutableBytes
        span.move(from..<from + 8, to: to)
        var expected = bytes
        expected.replaceSubrange(to..<to + 8, with: bytes[from..<from + 8])
        #expect(buffer.octets == expected)
    }

    /// An IPv4 header without options, and what follows it.
    private static func packet(_ payload: [UInt8], start: UInt16, offset: UInt16) -> PacketBuffer {
        var buffer = buffer([0x45] + [UInt8](repeating: 9, count: 19) + payload)
        buffer.offload.hasPartialChecksum = true
        buffer.offload.checksumStart = start
        buffer.offload.checksumOffset = offset
        return buffer
    }

    @Test func `a partial checksum is completed`() {
        // The pseudo-header's sum in the field, the rest for us.
        var packet = Self.packet([9, 9, 0x12, 0x34, 0x00, 0x10, 0xff], start: 22, offset: 2)
        let isComplete = packet.completeChecksum()
        #expect(isComplete)
        // ~(0x1234 + 0x0010 + 0xff00) = ~0x1145
        #expect(packet.octets.dropFirst(20) == [9, 9, 0x12, 0x34, 0xee, 0xba, 0xff])
        #expect(!packet.offload.hasPartialChecksum)
    }

    @Test(arguments: [(20, 6), (26, 0), (65_535, 65_535)] as [(UInt16, UInt16)])
    func `a partial checksum outside the packet is refused`(start: UInt16, offset: UInt16) {
        var packet = Self.packet([1, 2, 3, 4, 5, 6, 7], start: start, offset: offset)
        let isComplete = packet.completeChecksum()
        #expect(!isComplete)
    }

    @Test func `a partial checksum at the packet's end is completed`() {
        var packet = Self.packet([1, 2, 3, 4, 5, 6, 7], start: 24, offset: 1)
        let isComplete = packet.completeChecksum()
        #expect(isComplete)
    }

    /// The last is no IP packet.
    @Test(arguments: [(0x45, 20), (0x46, 24), (0x60, 40), (0x00, 60)] as [(UInt8, Int)])
    func `a partial checksum within the IP header is refused`(first: UInt8, headerLength: Int) {
        for start in 0..<headerLength {
            let octets = [first] + [UInt8](repeating: 1, count: 63)
            var packet = Self.buffer(octets)
            packet.offload.hasPartialChecksum = true
            packet.offload.checksumStart = UInt16(start)
            let isComplete = packet.completeChecksum()
            #expect(!isComplete && packet.octets == octets, "from \(start) on")
        }
    }
}
