// SPDX-License-Identifier: Apache-2.0
/// The first message of a TLS client (RFC 8446 §4.1.2), as far as it identifies the server and the protocols offered:
///
///     record     type (1) = 22 | version (2) | length (2) | fragment                        RFC 8446 §5.1
///     message    type (1) = 1 | length (3)                                                   §4
///     hello      version (2) | random (32) | session <1> | suites <2> | compression <1> | extensions <2>
///     extension  type (2) | data <2>                                                         §4.2
///
/// <n>: after its length, a number of n octets. A message may span several records, and a record several segments.
package struct ClientHello: Codable, Hashable, Sendable {
    /// The server's name (SNI, RFC 6066 §3) as the client wrote it; `nil` if there is none. If the real one is encrypted (ECH), that of the
    /// server in front.
    package var serverName: String?
    /// The protocols offered (ALPN, RFC 7301 §3.1), in order of preference.
    package var applicationProtocols: [String] = []

    package init() {}

    /// The result of reading the first octets of a connection.
    package enum Reading: Hashable, Sendable {
        case other
        /// The beginning of one, with the fields known so far.
        case part(ClientHello)
        case whole(ClientHello)

        package var hello: ClientHello? {
            switch self {
            case .other: nil
            case .part(let hello), .whole(let hello): hello
            }
        }
    }

    /// The maximum number of protocols reported: real clients offer two or three.
    private static let protocolLimit = 16

    /// Whether octets begin like a handshake record, however few of them there are.
    package static func mayBegin(_ octets: Span<UInt8>) -> Bool {
        (octets.isEmpty || octets[0] == Record.handshake) && (octets.count < 2 || octets[1] == Record.majorVersion)
    }

    /// Reads arbitrary octets in one pass.
    package static func read(_ octets: Span<UInt8>) -> Reading {
        guard mayBegin(octets), let message = message(octets) else { return .other }
        if let type = message.first, type != Message.clientHello { return .other }
        guard let end = end(of: message) else { return .part(ClientHello()) }
        var reader = OctetReader(message[Message.header..<min(end, message.count)])
        var hello = ClientHello()
        let isRead = hello.read(&reader)
        if message.count < end { return .part(hello) }
        return isRead ? .whole(hello) : .other
    }

    private enum Record {
        static let handshake: UInt8 = 22
        /// For every version from SSL 3.0 to TLS 1.3 (RFC 8446 §5.1: 0x0301 or 0x0303).
        static let majorVersion: UInt8 = 3
        static let length = 3
        static let header = 5
    }

    private enum Message {
        static let clientHello: UInt8 = 1
        static let header = 4
        /// legacy_version and random.
        static let fixed = 2 + 32
    }

    private enum ExtensionType {
        static let serverName = 0
        static let applicationProtocols = 16
    }

    /// The first message of the records, as far as it has arrived; `nil` if something else precedes its end.
    private static func message(_ octets: Span<UInt8>) -> [UInt8]? {
        var message: [UInt8] = []
        var position = 0
        while octets.count - position >= Record.header {
            let start = position + Record.header
            let length = Int(octets.uint16(at: position + Record.length))
            // RFC 8446 §5.1: "Implementations MUST NOT send zero-length fragments of Handshake types".
            guard mayBegin(octets.extracting(position..<start)), length > 0 else { return nil }
            position = start + length
            for index in start..<min(position, octets.count) { message.append(octets[index]) }
            if let end = end(of: message), message.count >= end { break }
        }
        return message
    }

    /// The end of a message, from its header; `nil` if the header is incomplete.
    private static func end(of message: [UInt8]) -> Int? {
        guard message.count >= Message.header else { return nil }
        return message[1..<Message.header].reduce(0) { $0 << 8 | Int($1) } + Message.header
    }

    /// - Returns: whether it was complete and valid.
    private mutating func read(_ reader: inout OctetReader) -> Bool {
        guard reader.octets(Message.fixed) != nil, reader.vector(1) != nil, reader.vector(2) != nil,
            reader.vector(1) != nil
        else { return false }
        // Before TLS 1.3 there may be no extensions at all (RFC 5246 §7.4.1.2).
        if reader.isAtEnd { return true }
        guard let count = reader.number(2) else { return false }
        let isCut = reader.count < count
        var extensions = OctetReader(reader.octets(min(count, reader.count)) ?? [])
        while !extensions.isAtEnd {
            guard let type = extensions.number(2), let data = extensions.vector(2) else { return false }
            switch type {
            case ExtensionType.serverName: serverName = Self.serverName(data)
            case ExtensionType.applicationProtocols: applicationProtocols = Self.protocols(data)
            default: break
            }
        }
        return !isCut
    }

    /// A list of names; only one type was ever defined: host_name, 0.
    private static func serverName(_ data: ArraySlice<UInt8>) -> String? {
        var reader = OctetReader(data)
        guard let list = reader.vector(2) else { return nil }
        var names = OctetReader(list)
        guard names.number(1) == 0, let name = names.vector(2) else { return nil }
        return text(name)
    }

    private static func protocols(_ data: ArraySlice<UInt8>) -> [String] {
        var reader = OctetReader(data)
        guard let list = reader.vector(2) else { return [] }
        var names = OctetReader(list)
        var found: [String] = []
        while found.count < protocolLimit, let name = names.vector(1) { found.append(text(name)) }
        return found
    }

    /// Untrusted octets with the unprintable ones replaced; a name has at most 255 octets (RFC 1035 §2.3.4), and so has a protocol's.
    private static func text(_ octets: ArraySlice<UInt8>) -> String {
        String(
            decoding: octets.prefix(255).map { (0x21...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

/// Reads numbers and octets one after the other, as far as they are present.
private struct OctetReader {
    private var rest: ArraySlice<UInt8>

    init(_ octets: ArraySlice<UInt8>) {
        rest = octets
    }

    var isAtEnd: Bool { rest.isEmpty }
    var count: Int { rest.count }

    mutating func octets(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// - Parameter count: 1 or 2 octets.
    mutating func number(_ count: Int) -> Int? {
        octets(count).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// The octets after their length.
    mutating func vector(_ lengthOctets: Int) -> ArraySlice<UInt8>? {
        guard let count = number(lengthOctets) else { return nil }
        return octets(count)
    }
}
