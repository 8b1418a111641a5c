// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// A message that can be parsed survives being written and parsed again, within the limit of its octets; its records survive the
/// presentation format.
func fuzzMessage(_ input: [UInt8]) throws(BrokenInvariant) {
    var choices = Choices(input)
    let limit = Int(choices.number16())
    let octets = choices.rest()
    try checkFraming(octets)
    guard let message = try? Message(octets.span) else { return }
    try require((try? MessageHeader(octets.span)) != nil, "a message without a header")

    let whole = message.encoded()
    guard let again = try? Message(whole.span) else { throw BrokenInvariant("written, and not readable: \(whole)") }
    // Only a message that no longer fits without compression may differ.
    try require(again == message || again.flags.contains(.truncated), "written as \(again), read as \(message)")

    var writer = MessageWriter()
    let isWhole = writer.write(message, limit: limit)
    guard let cut = try? Message(writer.bytes.span) else { throw BrokenInvariant("cut, and not readable") }
    try require(cut.id == message.id && cut.questions == message.questions, "another question")
    try require(isWhole || cut.answer.isEmpty && cut.flags.contains(.truncated), "half an answer")
    if isWhole && (!message.answer.isEmpty || !message.authority.isEmpty) {
        try require(writer.bytes.count <= limit, "\(writer.bytes.count) octets of \(limit)")
    }

    for record in message.answer + message.authority + message.additional { try checkPresentation(record) }
}

/// A record that is written in presentation format is parsed as the same record.
func checkPresentation(_ record: ResourceRecord) throws(BrokenInvariant) {
    // Meta-types and the class ANY are never in a zone, and a TTL that is too large is read as zero (RFC 2181 §8).
    guard !record.type.isMeta, record.recordClass != .any, record.ttl <= ResourceRecord.maximumTTL else { return }
    let text = record.description
    let again: ResourceRecord
    do { again = try ResourceRecord(presentation: text, defaultTTL: 1) } catch {
        throw BrokenInvariant("\(text): \(error)")
    }
    try require(again == record, "\(text) is read as \(again)")
}

/// A stream yields the same messages, however it is cut.
private func checkFraming(_ octets: [UInt8]) throws(BrokenInvariant) {
    func messages(inPiecesOf size: Int) -> [[UInt8]] {
        var framing = StreamFraming()
        var messages: [[UInt8]] = []
        for start in stride(from: 0, to: octets.count, by: size) {
            framing.append(Array(octets[start..<min(start + size, octets.count)]).span)
            while let message = framing.nextMessage() { messages.append(message) }
        }
        return messages
    }
    try require(messages(inPiecesOf: max(1, octets.count)) == messages(inPiecesOf: 7), "framing depends on the pieces")
}
