// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing

/// Padding, by blocks (RFC 8467 §4.1).
@Suite struct RFC7830Tests {
    private func message(octets count: Int, edns: EDNS? = EDNS()) -> Message {
        var message = Message(
            id: 7, flags: .response, questions: [Question(name: try! DomainName("a.test"), type: .txt)], edns: edns)
        let record = ResourceRecord(name: .root, ttl: 1, data: .other(.txt, []))
        message.answer = [record]
        let empty = message.encoded().count
        message.answer[0].data = .other(.txt, Array(repeating: 1, count: count - empty))
        return message
    }

    @Test(arguments: [
        (100, 468), (463, 468), (464, 468), (465, 936), (468, 936), (65_000, 65_052), (65_052, 65_520),
        (65_520, 65_535), (65_531, 65_535),
    ]) func `a message is padded to the next block, or as long as messages are`(count: Int, padded: Int) throws {
        let message = message(octets: count)
        let octets = message.encoded(paddedToMultipleOf: 468)
        #expect(octets.count == padded)
        var read = try Message(octets.span)
        let option = try #require(read.edns?.options.first)
        // RFC 7830 §3: "The PADDING octets SHOULD be set to 0x00."
        #expect(option.code == 12 && option.data == Array(repeating: 0, count: padded - count - 4))
        #expect(read.isPadded && !message.isPadded)
        read.edns?.options = []
        #expect(read == message)
    }

    @Test(arguments: [65_532, 65_535]) func `one without room for the option stays as it is`(count: Int) {
        let message = message(octets: count)
        #expect(message.encoded(paddedToMultipleOf: 468) == message.encoded())
    }

    @Test func `one without EDNS stays as it is`() {
        let message = message(octets: 100, edns: nil)
        #expect(message.encoded(paddedToMultipleOf: 468) == message.encoded())
    }
}
