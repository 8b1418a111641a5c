// SPDX-License-Identifier: Apache-2.0
/// Messages on a stream, each behind its length (RFC 1035 §4.2.2, RFC 7766 §8).
///
///     +---------+---------------+---------+------
///     | length  | message       | length  | …
///     +---------+---------------+---------+------
///
/// Octets go in as they arrive, whole messages come out. Where every message is taken before more is appended, no more than
/// one message and one arrival are held.
public struct StreamFraming: Sendable {
    private var octets: [UInt8] = []
    /// What has been taken.
    private var start = 0

    public static let lengthOctets = 2
    public static let maximumMessageLength = Int(UInt16.max)

    public init() {}

    /// Octets of a message that is not whole yet.
    public var pending: Int { octets.count - start }

    public mutating func append(_ arrival: Span<UInt8>) {
        if start > 0 {
            octets.removeSubrange(..<start)
            start = 0
        }
        for index in arrival.indices { octets.append(arrival[index]) }
    }

    /// The next whole message, without its length.
    public mutating func nextMessage() -> [UInt8]? {
        guard pending >= Self.lengthOctets else { return nil }
        let body = start + Self.lengthOctets
        let end = body + (Int(octets[start]) << 8 | Int(octets[start + 1]))
        guard end <= octets.count else { return nil }
        start = end
        return Array(octets[body..<end])
    }

    /// Appends a message with its length to what is to be sent.
    public static func append(_ message: [UInt8], to stream: inout [UInt8]) {
        precondition(message.count <= maximumMessageLength)
        stream.append(UInt8(message.count >> 8))
        stream.append(UInt8(message.count & 0xff))
        stream.append(contentsOf: message)
    }
}
