// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// What the preloaded library tells of an interpreter's stack: the path of a file that does not exist, which it opens before the call
/// that the stack belongs to.
///
///     /dev/ipv6check/frames/1⏎
///     for=⏎                         the next call of this thread; `for=last`: the one that it has made; or `for=HOST PORT`: a later
///                                   one to that far end, or, with `-` for the port, the look-up of that name
///     FILE⇥LINE⇥FUNCTION⏎           a frame, the innermost first
package struct AnnouncedFrames: Hashable, Sendable {
    package var call: Call
    package var frames: [StackFrame]

    /// What they belong to.
    package enum Call: Hashable, Sendable {
        /// Of this thread.
        case next, last
        case later(host: String, port: UInt16?)
    }

    private static let opening = "/dev/ipv6check/frames/1\n"

    /// `nil` if the path is one of the program's own.
    package init?(path: String) {
        guard path.hasPrefix(Self.opening) else { return nil }
        let lines = path.dropFirst(Self.opening.count).split(
            separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix("for=") else { return nil }
        let words = first.dropFirst(4).split(separator: " ")
        if words.isEmpty {
            call = .next
        } else if words == ["last"] {
            call = .last
        } else if words.count == 2, words[1] == "-" {
            call = .later(host: String(words[0]), port: nil)
        } else if words.count == 2, let port = UInt16(words[1]) {
            call = .later(host: String(words[0]), port: port)
        } else {
            return nil
        }
        frames = [StackFrame](announced: lines.count > 1 ? lines[1] : "")
    }
}
