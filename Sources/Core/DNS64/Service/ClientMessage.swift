// SPDX-License-Identifier: Apache-2.0
import DNSWire

/// A message from a client: a query to look up, or the reason to refuse it.
enum ClientMessage {
    case query(Message, Question)
    /// `message` contains as much as could be read: at least the header.
    case refused(RefusedQuery, message: Message?)

    init(_ bytes: Span<UInt8>) {
        guard let header = try? MessageHeader(bytes) else {
            self = .refused(.noHeader, message: nil)
            return
        }
        if header.flags.contains(.response) {
            self = .refused(.isResponse, message: nil)
            return
        }
        let read = try? Message(bytes)
        let message = read ?? Message(id: header.id, flags: header.flags)
        // RFC 1035 §4.1.1: an opcode that is not supported. Its message may have another layout, and so be unreadable.
        guard header.flags.opcode == .query else {
            self = .refused(.unknownOpcode, message: message)
            return
        }
        guard read != nil else {
            self = .refused(.malformed, message: message)
            return
        }
        // RFC 9619 §4: QDCOUNT above one is a format error; and without a question there is nothing to look up.
        guard message.questions.count == 1, let question = message.questions.first else {
            self = .refused(.questionCount, message: message)
            return
        }
        if let edns = message.edns, edns.version != 0 {
            self = .refused(.ednsVersion, message: message)
        } else if question.type.isMeta, question.type != .any {
            self = .refused(.metaType, message: message)
        } else {
            self = .query(message, question)
        }
    }
}
