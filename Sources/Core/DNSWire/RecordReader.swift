// SPDX-License-Identifier: Apache-2.0
import Wire

/// Reads the parts of a message, one after the other. Never traps, whatever the octets, and takes at most a time given by the message's
/// length: every step moves forwards, pointers only go backwards, and their number is limited.
struct RecordReader: ~Escapable {
    let bytes: Span<UInt8>
    private(set) var offset: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, at offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    var available: Int { bytes.count - offset }

    func require(_ count: Int) throws(MessageError) {
        guard count <= available else { throw .truncated(needed: count, available: available) }
    }

    mutating func takeInteger8() throws(MessageError) -> UInt8 {
        try require(1)
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func takeInteger16() throws(MessageError) -> UInt16 {
        try require(2)
        defer { offset += 2 }
        return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
    }

    mutating func takeInteger32() throws(MessageError) -> UInt32 {
        try require(4)
        return UInt32(try takeInteger16()) << 16 | UInt32(try takeInteger16())
    }

    mutating func take(_ count: Int) throws(MessageError) -> [UInt8] {
        try require(count)
        var octets: [UInt8] = []
        octets.reserveCapacity(count)
        for index in offset..<(offset + count) { octets.append(bytes[index]) }
        offset += count
        return octets
    }

    mutating func skip(_ count: Int) throws(MessageError) {
        try require(count)
        offset += count
    }

    /// Takes a name, which may end in a pointer to an earlier one (RFC 1035 §4.1.4).
    mutating func takeName() throws(MessageError) -> DomainName {
        var wire: [UInt8] = []
        wire.reserveCapacity(32)
        let start = offset
        var cursor = offset
        // The start of the current run of labels: a pointer must lead to before it, so that no octet is visited twice.
        var runStart = offset
        var pointers = 0
        var end: Int?

        while true {
            guard cursor < bytes.count else { throw .truncated(needed: 1, available: 0) }
            let length = Int(bytes[cursor])
            switch length >> 6 {
            case 0b00:
                guard cursor + length < bytes.count else {
                    throw .truncated(needed: length + 1, available: bytes.count - cursor)
                }
                guard wire.count + length + 1 <= DomainName.maximumNameLength else { throw .nameTooLong(at: start) }
                for index in cursor...(cursor + length) { wire.append(bytes[index]) }
                cursor += length + 1
                if length == 0 {
                    offset = end ?? cursor
                    return DomainName(validWire: wire)
                }
            case 0b11:
                guard cursor + 1 < bytes.count else { throw .truncated(needed: 2, available: 1) }
                let target = (length & 0x3f) << 8 | Int(bytes[cursor + 1])
                guard target < runStart else { throw .forwardPointer(at: cursor, target: target) }
                pointers += 1
                guard pointers < DomainName.maximumNameLength / 2 else { throw .tooManyPointers(at: start) }
                end = end ?? cursor + 2
                cursor = target
                runStart = target
            default:
                throw .reservedLabel(at: cursor)
            }
        }
    }
}

// MARK: - Records

extension RecordReader {
    mutating func takeRecord() throws(MessageError) -> ResourceRecord {
        let name = try takeName()
        let type = RecordType(rawValue: try takeInteger16())
        let recordClass = RecordClass(rawValue: try takeInteger16())
        let ttl = try takeInteger32()
        let length = Int(try takeInteger16())
        let data = try takeData(type: type, recordClass: recordClass, length: length)
        // RFC 2181 §8: a TTL with its most significant bit set is to be treated as zero.
        return ResourceRecord(
            name: name, recordClass: recordClass, ttl: ttl > ResourceRecord.maximumTTL ? 0 : ttl, data: data)
    }

    mutating func takeData(
        type: RecordType, recordClass: RecordClass, length: Int
    ) throws(MessageError) -> RecordData {
        try require(length)
        let end = offset + length
        let data = try takeFields(type: type, recordClass: recordClass, end: end)
        guard offset == end else { throw .badRecordData(type: type, length: length) }
        return data
    }

    private mutating func takeFields(
        type: RecordType, recordClass: RecordClass, end: Int
    ) throws(MessageError) -> RecordData {
        // The layouts of A and AAAA apply to class IN (RFC 1035 §3.4).
        switch type {
        case .a where recordClass == .internet:
            return .a(.init(bits: try takeInteger32()))
        case .aaaa where recordClass == .internet:
            let high = UInt64(try takeInteger32()) << 32 | UInt64(try takeInteger32())
            let low = UInt64(try takeInteger32()) << 32 | UInt64(try takeInteger32())
            return .aaaa(.init(bits: UInt128(high) << 64 | UInt128(low)))
        case .ns: return .ns(try takeName())
        case .cname: return .cname(try takeName())
        case .dname: return .dname(try takeName())
        case .ptr: return .ptr(try takeName())
        case .mx: return .mx(preference: try takeInteger16(), exchange: try takeName())
        case .soa:
            return .soa(
                StartOfAuthority(
                    primary: try takeName(), mailbox: try takeName(), serial: try takeInteger32(),
                    refresh: try takeInteger32(), retry: try takeInteger32(), expire: try takeInteger32(),
                    minimum: try takeInteger32()))
        case _ where type.mayBeCompressed:
            return .other(type, try takeUncompressed(type.fields ?? [], end: end))
        default:
            return .other(type, try take(end - offset))
        }
    }

    /// Types in which old software compressed names, so that a reader must expand them (RFC 3597 §4).
    private mutating func takeUncompressed(_ fields: [RecordField], end: Int) throws(MessageError) -> [UInt8] {
        var octets: [UInt8] = []
        for field in fields {
            switch field {
            case .name: octets += try takeName().wire
            case .integer16: octets += try take(2)
            case .string:
                try require(1)
                octets += try take(1 + Int(bytes[offset]))
            default: octets += try take(max(0, end - offset))
            }
        }
        return octets
    }
}
