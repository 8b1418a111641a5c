// SPDX-License-Identifier: Apache-2.0
/// The question of a query (RFC 1035 §4.1.2).
public struct Question: Codable, Hashable, Sendable {
    public var name: DomainName
    public var type: RecordType
    public var recordClass: RecordClass

    public init(name: DomainName, type: RecordType, recordClass: RecordClass = .internet) {
        self.name = name
        self.type = type
        self.recordClass = recordClass
    }
}

extension Question: CustomStringConvertible {
    public var description: String { "\(name) \(recordClass) \(type)" }
}

/// A message; its OPT record is separate from the additional section, and its response code is composed from header and OPT.
public struct Message: Hashable, Sendable {
    public var id: UInt16
    public var flags: MessageFlags
    public var responseCode: ResponseCode
    public var questions: [Question]
    public var answer: [ResourceRecord] = []
    public var authority: [ResourceRecord] = []
    public var additional: [ResourceRecord] = []
    public var edns: EDNS?

    public init(
        id: UInt16, flags: MessageFlags = [], responseCode: ResponseCode = .noError, questions: [Question] = [],
        edns: EDNS? = nil
    ) {
        self.id = id
        self.flags = flags
        self.responseCode = responseCode
        self.questions = questions
        self.edns = edns
    }
}

// MARK: - Reading

extension Message {
    /// Reads a message. Octets after its last record are ignored.
    public init(_ bytes: Span<UInt8>) throws(MessageError) {
        let header = try MessageHeader(bytes)
        self.init(id: header.id, flags: header.flags)
        flags.lowResponseCode = 0
        var code = header.flags.lowResponseCode
        var reader = RecordReader(bytes, at: MessageHeader.length)

        for _ in 0..<header.questionCount {
            questions.append(
                Question(
                    name: try reader.takeName(), type: RecordType(rawValue: try reader.takeInteger16()),
                    recordClass: RecordClass(rawValue: try reader.takeInteger16())))
        }
        for _ in 0..<header.answerCount { answer.append(try reader.takeRecord()) }
        for _ in 0..<header.authorityCount { authority.append(try reader.takeRecord()) }
        for _ in 0..<header.additionalCount {
            guard let opt = try reader.takeOPT() else {
                additional.append(try reader.takeRecord())
                continue
            }
            // RFC 6891 §6.1.1: with more than one, FORMERR.
            guard edns == nil else { throw .misplacedOPT }
            edns = opt.edns
            code |= opt.extendedCode << 4
        }
        guard !(answer + authority).contains(where: { $0.type == .opt }) else { throw .misplacedOPT }
        responseCode = ResponseCode(rawValue: code)
    }
}

extension RecordReader {
    /// Takes the next record if it is an OPT, and nothing otherwise.
    fileprivate mutating func takeOPT() throws(MessageError) -> (edns: EDNS, extendedCode: UInt16)? {
        var ahead = self
        let name = try ahead.takeName()
        guard RecordType(rawValue: try ahead.takeInteger16()) == .opt else { return nil }
        // RFC 6891 §6.1.2: the name must be the root.
        guard name.isRoot else { throw .misplacedOPT }
        let size = try ahead.takeInteger16()
        let fields = try ahead.takeInteger32()
        let length = Int(try ahead.takeInteger16())
        try ahead.require(length)
        let end = ahead.offset + length

        var edns = EDNS(
            udpPayloadSize: size, version: UInt8(truncatingIfNeeded: fields >> 16),
            dnssecOK: fields & EDNS.dnssecOKBit != 0)
        while ahead.offset < end {
            let code = try ahead.takeInteger16()
            edns.options.append(EDNSOption(code: code, data: try ahead.take(Int(try ahead.takeInteger16()))))
        }
        guard ahead.offset == end else { throw .badRecordData(type: .opt, length: length) }
        self = ahead
        return (edns, UInt16(fields >> 24))
    }
}
