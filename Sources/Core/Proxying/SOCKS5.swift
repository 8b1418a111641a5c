// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// The messages of SOCKS version 5.
///
/// RFC 1928 §3, the authentication methods that a client offers:
///
///      0     1          2
///     +-----+----------+----------+
///     | VER | NMETHODS | METHODS  |
///     +-----+----------+----------+
///
/// §4, its request; an answer (§6) has REP in place of CMD:
///
///      0     1     2     3      4
///     +-----+-----+-----+------+----------+----------+
///     | VER | CMD | RSV | ATYP | DST.ADDR | DST.PORT |
///     +-----+-----+-----+------+----------+----------+
enum SOCKS5 {
    static let version: UInt8 = 5
    static let noAuthentication: UInt8 = 0
    /// "NO ACCEPTABLE METHODS"
    static let noMethod: UInt8 = 0xff

    private static let connect: UInt8 = 1
    /// The type of an address.
    private enum Kind {
        static let ipv4: UInt8 = 1
        static let name: UInt8 = 3
        static let ipv6: UInt8 = 4
    }

    /// RFC 1928 §6
    enum Reply {
        static let succeeded: UInt8 = 0
        static let failed: UInt8 = 1
        static let networkUnreachable: UInt8 = 3
        static let hostUnreachable: UInt8 = 4
        static let refused: UInt8 = 5
        static let unknownCommand: UInt8 = 7
        static let unknownAddressKind: UInt8 = 8
    }

    /// `nil` if it is still incomplete.
    static func greeting(in octets: ArraySlice<UInt8>) -> (offersNoAuthentication: Bool, length: Int)? {
        guard octets.count > 1 else { return nil }
        let methods = octets.dropFirst(2)
        let count = Int(octets[octets.startIndex + 1])
        guard methods.count >= count else { return nil }
        return (methods.prefix(count).contains(noAuthentication), 2 + count)
    }

    static func request(in octets: ArraySlice<UInt8>) -> ProxyMessage {
        guard octets.first == nil || octets.first == version else { return .refusal(answer(Reply.failed), nil) }
        guard octets.count > 4 else { return .incomplete }
        let start = octets.startIndex
        let (command, kind) = (octets[start + 1], octets[start + 3])
        var rest = octets.dropFirst(4)
        let host: String
        switch kind {
        case Kind.ipv4:
            guard let address = rest.take(4) else { return .incomplete }
            host = "\(IPv4Address(bits: address.reduce(0) { $0 << 8 | UInt32($1) }))"
        case Kind.ipv6:
            guard let address = rest.take(16) else { return .incomplete }
            host = "\(IPv6Address(bits: address.reduce(0) { $0 << 8 | UInt128($1) }))"
        case Kind.name:
            guard let length = rest.take(1)?.first, let name = rest.take(Int(length)) else { return .incomplete }
            host = String(decoding: name, as: UTF8.self)
        default: return .refusal(answer(Reply.unknownAddressKind), nil)
        }
        guard let port = rest.take(2) else { return .incomplete }
        var wanted = ProxiedRequest(.socks5, host: host, port: port.reduce(0) { $0 << 8 | UInt16($1) })
        guard command == connect else {
            wanted.result = .notOffered
            return .refusal(answer(Reply.unknownCommand), wanted)
        }
        return .request(ProxyRequest(wanted), length: octets.count - rest.count)
    }

    /// - Parameter end: the proxy's own end of the connection; 0.0.0.0, port 0 if there is none.
    static func answer(
        _ reply: UInt8, from end: (address: IPAddress, port: UInt16) = (.ipv4(IPv4Address(bits: 0)), 0)
    ) -> [UInt8] {
        let kind = end.address.ipv4 == nil ? Kind.ipv6 : Kind.ipv4
        return [version, reply, 0, kind] + end.address.octets + [UInt8(end.port >> 8), UInt8(end.port & 0xff)]
    }
}

extension ArraySlice<UInt8> {
    /// `nil` if there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard self.count >= count else { return nil }
        defer { self = dropFirst(count) }
        return prefix(count)
    }
}
