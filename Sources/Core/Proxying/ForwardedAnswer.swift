// SPDX-License-Identifier: Apache-2.0
/// Adds the proxy's name to the heads of the answer to a forwarded request (RFC 9110 §7.6.3), while they pass: to the final one, and to the
/// interim ones (1xx) before it. Anything other than an answer of HTTP/1 passes unchanged.
package struct ForwardedAnswer: Sendable {
    private enum State {
        case statusLine
        /// In an interim head, after its status line.
        case fields
        case through
    }

    /// A longer line is not HTTP.
    private static let longestLine = 8192

    private var state = State.statusLine
    private var line: [UInt8] = []

    package init() {}

    /// Whether all further octets pass unchanged.
    package var isThrough: Bool { state == .through }

    /// - Returns: the octets to send on; the others wait for the end of their line.
    package mutating func receive(_ octets: some Sequence<UInt8>) -> [UInt8] {
        var passed: [UInt8] = []
        for octet in octets {
            if state == .through {
                passed.append(octet)
                continue
            }
            line.append(octet)
            if octet == UInt8(ascii: "\n") {
                passed += endLine()
            } else if line.count == Self.longestLine {
                state = .through
                passed += takeRest()
            }
        }
        return passed
    }

    /// The octets that were waiting, at the end of the connection.
    package mutating func takeRest() -> [UInt8] {
        defer { line = [] }
        return line
    }

    private mutating func endLine() -> [UInt8] {
        let ended = takeRest()
        if state == .fields {
            if ended.allSatisfy({ $0 == 0x0d || $0 == 0x0a }) { state = .statusLine }
            return ended
        }
        let text = String(decoding: ended, as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), let status = Int(text.dropFirst("HTTP/1.1 ".count).prefix(3)) else {
            state = .through
            return ended
        }
        // Another protocol begins after 101 (RFC 9110 §15.2.2).
        state = (100..<200).contains(status) && status != 101 ? .fields : .through
        return ended + Array("\(RequestHead.via)\r\n".utf8)
    }
}
