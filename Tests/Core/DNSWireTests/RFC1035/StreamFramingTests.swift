// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing

@Suite("RFC 7766 §8: messages on a stream")
struct StreamFramingTests {
    @Test(arguments: [1, 2, 3, 5, 100])
    func `messages come out whole, however the stream was cut`(size: Int) {
        let messages: [[UInt8]] = [[1, 2, 3], [], [4], Array(repeating: 5, count: 300)]
        var stream: [UInt8] = []
        for message in messages { StreamFraming.append(message, to: &stream) }

        var framing = StreamFraming()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            framing.append(Array(stream[start..<min(start + size, stream.count)]).span)
            while let message = framing.nextMessage() { found.append(message) }
        }
        #expect(found == messages)
        #expect(framing.pending == 0)
    }

    @Test
    func `a message that is not whole stays`() {
        var framing = StreamFraming()
        framing.append([0, 3, 1, 2].span)
        #expect(framing.nextMessage() == nil)
        #expect(framing.pending == 4)
    }
}
