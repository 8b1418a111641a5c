// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// The messages of SOCKS version 4, and of its extension 4A, in which a name follows the user's identifier and the address is 0.0.0.x:
///
///      0    1    2         4        8
///     +----+----+---------+--------+--------+---+--------+---+
///     | VN | CD | DSTPORT | DSTIP  | USERID | 0 | name   | 0 |
///     +----+----+---------+--------+--------+---+--------+---+
///
/// An answer has a result in place of CD, and ends after DSTIP.
enum SOCKS4 {
    static let version: UInt8 = 4

    private static let connect: UInt8 = 1
    private static let granted: UInt8 = 90
    private static let rejected: UInt8 = 91
    /// The maximum length of the user's identifier, and of a name.
    fileprivate static let longestText = 255

    static func request(in octets: ArraySlice<UInt8>) -> ProxyMessage {
        var rest = octets
        guard let start = rest.take(8) else { return .incomplete }
        let port = start.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
        let bits = start.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
        guard rest.takeText() != nil else { return obstacle(in: rest) }
        var host = "\(IPv4Address(bits: bits))"
        if bits != 0, bits < 256 {
            guard let name = rest.takeText() else { return obstacle(in: rest) }
            host = String(decoding: name, as: UTF8.self)
        }
        var wanted = ProxiedRequest(.socks4, host: host, port: port)
        guard start[start.startIndex + 1] == connect else {
            wanted.result = .notOffered
            return .refusal(answer(.notOffered), wanted)
        }
        return .request(ProxyRequest(wanted), length: octets.count - rest.count)
    }

    /// Why there is no text: its end has not arrived, or it would be too long.
    private static func obstacle(in rest: ArraySlice<UInt8>) -> ProxyMessage {
        rest.count > longestText ? .refusal(answer(.notOffered), nil) : .incomplete
    }

    static func answer(_ result: ProxiedRequest.Result) -> [UInt8] {
        [0, result == .connected ? granted : rejected, 0, 0, 0, 0, 0, 0]
    }
}

extension ArraySlice<UInt8> {
    /// Takes the octets before a zero, and removes the zero; `nil` if there is none within `SOCKS4.longestText`.
    fileprivate mutating func takeText() -> ArraySlice<UInt8>? {
        guard let end = prefix(SOCKS4.longestText + 1).firstIndex(of: 0) else { return nil }
        defer { self = self[(end + 1)...] }
        return self[..<end]
    }
}
