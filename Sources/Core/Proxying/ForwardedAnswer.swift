// SPDX-License-Identifier: Apache-2.0
/// Has the proxy named in the heads of the answer to a request that it has forwarded (RFC 9110 §7.6.3), as they go by: of the final one,
/// and of the interim ones (1xx) before it. Anything but an answer of HTTP/1 goes by as it is.
package struct ForwardedAnswer: Sendable {
    private enum State {
        case statusLine
        /// In an interim head, behind its status line.
        case fields
        case through
    }

    /// A line that is longer is none of HTTP's.
    private static let longestLine = 8192

    private var state = State.statusLine
    private var line: [UInt8] = []

    package init() {}

    /// Whether all that follows goes by as it is.
    package var isThrough: Bool { state == .through }

    /// - Returns: what goes on; the rest waits for its line's end.
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

    /// Nothing more comes: what was waited with.
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
        // Behind 101 another protocol begins (RFC 9110 §15.2.2).
        state = (100..<200).contains(status) && status != 101 ? .fields : .through
        return ended + Array("\(RequestHead.via)\r\n".utf8)
    }
}
