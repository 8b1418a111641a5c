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

    @Test func `a partial checksum is completed`() {
        // The pseudo-header's sum in the field, the rest for us.
        var buffer = Self.buffer([9, 9, 0x12, 0x34, 0x00, 0x10, 0xff])
        buffer.offload.hasPartialChecksum = true
        buffer.offload.checksumStart = 2
        buffer.offload.checksumOffset = 2
        let isComplete = buffer.completeChecksum()
        #expect(isComplete)
        // ~(0x1234 + 0x0010 + 0xff00) = ~0x1145
        #expect(buffer.octets == [9, 9, 0x12, 0x34, 0xee, 0xba, 0xff])
        #expect(!buffer.offload.hasPartialChecksum)
    }

    @Test func `a partial checksum outside the packet is refused`() {
        for (start, offset) in [(0, 6), (6, 0), (65_535, 65_535), (4, 1)] as [(UInt16, UInt16)] {
            var buffer = Self.buffer([1, 2, 3, 4, 5, 6, 7])
            buffer.offload.hasPartialChecksum = true
            buffer.offload.checksumStart = start
            buffer.offload.checksumOffset = offset
            let isComplete = buffer.completeChecksum()
            #expect(isComplete == (start == 4))
        }
    }
}
