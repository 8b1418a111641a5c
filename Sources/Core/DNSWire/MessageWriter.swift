// SPDX-License-Identifier: Apache-2.0
import Wire

/// Writes messages into one buffer, which it reuses, so that writing allocates nothing once the buffer is large enough.
///
/// Names are compressed if RFC 3597 §4 allows it: owners, and names in data of the types of RFC 1035. A pointer only refers to a name with
/// exactly the same letters, so that the case of every name is preserved.
public struct MessageWriter: Sendable {
    /// The message written last, as a separate array of exactly its size. The buffer itself is not shared: a caller that kept it would make
    /// the writer allocate another one of the same capacity, rounded up, and so a larger one for each message.
    public var bytes: [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(buffer.count)
        message.append(contentsOf: buffer)
        return message
    }
    private var buffer: [UInt8] = []
    /// The offsets of labels that later names may point to. Only a few, because a search visits all of them.
    private var targets: [UInt16] = []

    private static let maximumTargets = 64
    /// Pointers have 14 bits (RFC 1035 §4.1.4).
    private static let pointerRange = 0..<0x4000

    public init() {
        targets.reserveCapacity(Self.maximumTargets)
    }

    /// Replaces the contents with `message` in at most `limit` octets.
    ///
    /// An answer or authority section that does not fit empties all sections and sets TC, so that half an answer is not taken for a whole
    /// one; an additional section that does not fit is left out without TC (RFC 2181 §9). Question and OPT record stay in any case.
    ///
    /// Returns whether the message is complete, that is, the writer has not set TC.
    @discardableResult
    public mutating func write(_ message: Message, limit: Int = Int(UInt16.max)) -> Bool {
        buffer.removeAll(keepingCapacity: true)
        targets.removeAll(keepingCapacity: true)
        var flags = message.flags
        flags.lowResponseCode = message.responseCode.rawValue

        append(message.id)
        append(flags.rawValue)
        append(UInt16(truncatingIfNeeded: message.questions.count))
        for _ in 0..<3 { append(0 as UInt16) }
        for question in message.questions {
            append(question.name)
            append(question.type.rawValue)
            append(question.recordClass.rawValue)
        }
        let body = buffer.count
        let room = min(limit, Int(UInt16.max)) - (message.edns.map(Self.length) ?? 0)

        let isWhole =
            append(message.answer, countAt: 6, room: room) && append(message.authority, countAt: 8, room: room)
        if isWhole {
            let end = buffer.count
            if !append(message.additional, countAt: 10, room: room) {
                buffer.removeSubrange(end...)
                replace(at: 10, with: 0)
            }
        } else {
            buffer.removeSubrange(body...)
            for index in 6..<12 { buffer[index] = 0 }
            flags.insert(.truncated)
            replace(at: 2, with: flags.rawValue)
        }
        if let edns = message.edns {
            append(edns, extendedCode: message.responseCode.rawValue >> 4)
            replace(at: 10, with: (UInt16(buffer[10]) << 8 | UInt16(buffer[11])) &+ 1)
        }
        return isWhole
    }

    /// Replaces the contents with a record alone.
    mutating func write(_ record: ResourceRecord) {
        buffer.removeAll(keepingCapacity: true)
        targets.removeAll(keepingCapacity: true)
        append(record)
    }

    /// Whether all records fit.
    private mutating func append(_ records: [ResourceRecord], countAt offset: Int, room: Int) -> Bool {
        for record in records {
            append(record)
            if buffer.count > room { return false }
        }
        replace(at: offset, with: UInt16(truncatingIfNeeded: records.count))
        return true
    }

    private mutating func append(_ record: ResourceRecord) {
        append(record.name)
        append(record.type.rawValue)
        append(record.recordClass.rawValue)
        append(record.ttl)
        let lengthOffset = buffer.count
        append(0 as UInt16)
        append(record.data)
        replace(at: lengthOffset, with: UInt16(truncatingIfNeeded: buffer.count - lengthOffset - 2))
    }

    private mutating func append(_ data: RecordData) {
        switch data {
        case .a(let address): append(address.bits)
        case .aaaa(let address):
            append(UInt64(truncatingIfNeeded: address.bits >> 64))
            append(UInt64(truncatingIfNeeded: address.bits))
        case .ns(let name), .cname(let name), .ptr(let name): append(name)
        // RFC 6672 §2.5: the target of a DNAME must not be compressed.
        case .dname(let name): buffer.append(contentsOf: name.wire)
        case .mx(let preference, let exchange):
            append(preference)
            append(exchange)
        case .soa(let soa):
            append(soa.primary)
            append(soa.mailbox)
            for number in [soa.serial, soa.refresh, soa.retry, soa.expire, soa.minimum] { append(number) }
        case .other(_, let octets): buffer.append(contentsOf: octets)
        }
    }

    // MARK: OPT

    private static func length(of edns: EDNS) -> Int { edns.options.reduce(11) { $0 + 4 + $1.data.count } }

    private mutating func append(_ edns: EDNS, extendedCode: UInt16) {
        append(0 as UInt8)
        append(RecordType.opt.rawValue)
        append(edns.udpPayloadSize)
        append(UInt8(truncatingIfNeeded: extendedCode))
        append(edns.version)
        append(edns.dnssecOK ? UInt16(truncatingIfNeeded: EDNS.dnssecOKBit) : 0)
        append(UInt16(truncatingIfNeeded: Self.length(of: edns) - 11))
        for option in edns.options {
            append(option.code)
            append(UInt16(truncatingIfNeeded: option.data.count))
            buffer.append(contentsOf: option.data)
        }
    }

    // MARK: Names

    /// Appends a name, with a pointer for the longest ending that is already in the message.
    private mutating func append(_ name: DomainName) {
        let wire = name.wire
        // Labels of this name itself are no targets yet, as its end is not written.
        let known = targets.count
        var offset = 0
        while wire[offset] != 0 {
            if let target = targets[..<known].first(where: { isSuffix(of: wire, from: offset, writtenAt: Int($0)) }) {
                append(0xc000 | target)
                return
            }
            if targets.count < Self.maximumTargets, Self.pointerRange.contains(buffer.count) {
                targets.append(UInt16(buffer.count))
            }
            let end = offset + 1 + Int(wire[offset])
            buffer.append(contentsOf: wire[offset..<end])
            offset = end
        }
        buffer.append(0)
    }

    /// Whether the name written at `target` equals `wire` from `offset` on. This writer wrote it, so its pointers are valid.
    private func isSuffix(of wire: [UInt8], from offset: Int, writtenAt target: Int) -> Bool {
        var (left, right) = (offset, target)
        while true {
            while buffer[right] >= 0xc0 { right = Int(buffer[right] & 0x3f) << 8 | Int(buffer[right + 1]) }
            let length = Int(wire[left])
            for index in 0...length where wire[left + index] != buffer[right + index] { return false }
            if length == 0 { return true }
            left += length + 1
            right += length + 1
        }
    }

    // MARK: Numbers

    private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            buffer.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    private mutating func replace(at offset: Int, with number: UInt16) {
        buffer[offset] = UInt8(number >> 8)
        buffer[offset + 1] = UInt8(truncatingIfNeeded: number)
    }
}

extension Message {
    /// The message's octets, in at most `limit` of them (see `MessageWriter.write`).
    public func encoded(limit: Int = Int(UInt16.max)) -> [UInt8] {
        var writer = MessageWriter()
        writer.write(self, limit: limit)
        return writer.bytes
    }
}
