// SPDX-License-Identifier: Apache-2.0
internal import Wire

/// The offsets of fields in a message's octets, for changing them in place.
public enum MessageLayout {
    /// The offsets of the TTLs of all records, in order; the OPT record has none (RFC 6891 §6.1.3).
    public static func ttlOffsets(in bytes: Span<UInt8>) throws(MessageError) -> [Int] {
        let header = try MessageHeader(bytes)
        var reader = RecordReader(bytes, at: MessageHeader.length)
        for _ in 0..<header.questionCount {
            _ = try reader.takeName()
            try reader.skip(4)
        }
        var offsets: [Int] = []
        let count = Int(header.answerCount) + Int(header.authorityCount) + Int(header.additionalCount)
        for _ in 0..<count {
            _ = try reader.takeName()
            let type = RecordType(rawValue: try reader.takeInteger16())
            try reader.skip(2)
            if type != .opt { offsets.append(reader.offset) }
            try reader.skip(4)
            try reader.skip(Int(try reader.takeInteger16()))
        }
        return offsets
    }

    /// The TTL that starts at one of those offsets.
    public static func ttl(in bytes: Span<UInt8>, at offset: Int) -> UInt32 { bytes.uint32(at: offset) }

    /// Decrements a TTL by so many seconds, but not below zero.
    public static func countDown(_ bytes: inout MutableSpan<UInt8>, ttlAt offset: Int, by seconds: UInt32) {
        let left = bytes.uint32(at: offset)
        bytes.setUInt32(left - min(left, seconds), at: offset)
    }
}
