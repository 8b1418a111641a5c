// SPDX-License-Identifier: Apache-2.0
/// Messages on a stream, each after its length (RFC 1035 §4.2.2, RFC 7766 §8).
///
///     +---------+---------------+---------+------
///     | length  | message       | length  | …
///     +---------+---------------+---------+------
///
/// Octets are appended as they arrive, and whole messages are taken. If every message is taken before more is appended, at most one message
/// and one arrival are kept.
public struct StreamFraming: Sendable {
    private var octets: [UInt8] = []
    /// The number of octets already taken.
    private var start = 0

    public static let lengthOctets = 2
    public static let maximumMessageLength = Int(UInt16.max)

    public init() {}

    /// Octets of a message that is still incomplete.
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

    /// Appends a message with its length to a stream to be sent.
    public static func append(_ message: [UInt8], to stream: inout [UInt8]) {
        precondition(message.count <= maximumMessageLength)
        stream.append(UInt8(message.count >> 8))
        stream.append(UInt8(message.count & 0xff))
        stream.append(contentsOf: message)
    }
}
