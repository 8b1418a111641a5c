// SPDX-License-Identifier: Apache-2.0
package import Evidence

/// An interpreter's stack, as announced by the preloaded library: it opens a file that does not exist, whose path contains the frames,
/// before the call that the stack belongs to.
///
///     /dev/ipv6check/frames/1⏎
///     for=⏎                         the next call of this thread; `for=last`: its last call; or `for=HOST PORT`: a later call to that
///                                   remote address, or, with `-` for the port, the look-up of that name
///     FILE⇥LINE⇥FUNCTION⏎           a frame, the innermost first
package struct AnnouncedFrames: Hashable, Sendable {
    package var call: Call
    package var frames: [StackFrame]

    /// The call that the frames belong to.
    package enum Call: Hashable, Sendable {
        /// A call of this thread.
        case next, last
        case later(host: String, port: UInt16?)
    }

    private static let opening = "/dev/ipv6check/frames/1\n"

    /// `nil` if the path is not an announcement.
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
