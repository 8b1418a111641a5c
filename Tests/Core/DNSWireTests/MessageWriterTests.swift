// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Testing
import Wire

@Suite struct MessageWriterTests {
    /// A cache keeps messages: what one of them takes must not depend on those before it.
    @Test func `a message has no more room than it needs, however many were written and kept`() throws {
        var writer = MessageWriter()
        var long = Message(id: 0, questions: [try Self.question(0)])
        long.answer = try (0..<100).map {
            ResourceRecord(name: try DomainName("shop.test"), ttl: 60, data: .a(IPv4Address(bits: $0)))
        }
        writer.write(long)
        var kept: [[UInt8]] = []
        for number in 1...2000 {
            writer.write(Message(id: UInt16(number), questions: [try Self.question(number)]))
            kept.append(writer.bytes)
            // So that the allocator has gaps of all sizes to give.
            if number % 3 == 0 { kept.remove(at: number / 3) }
        }
        for message in kept { #expect(message.capacity < message.count + 64) }
    }

    private static func question(_ number: Int) throws -> Question {
        Question(name: try DomainName("n\(number).flood.test"), type: .aaaa)
    }
}
