// SPDX-License-Identifier: Apache-2.0
/// An error that a program reported in its output, with places of its source: the stack of an exception, a failed assertion, a line of a log.
package struct PrintedError: Codable, Hashable, Sendable {
    /// Its message, one line without the place; empty if the place stands alone.
    package var message: String
    /// Innermost first; never empty.
    package var frames: [StackFrame]
    /// Whether it was told as the consequence of the error before it, or of a child's.
    package var isConsequence = false

    package init(message: String, frames: [StackFrame], isConsequence: Bool = false) {
        self.message = message
        self.frames = frames
        self.isConsequence = isConsequence
    }

    /// Whether it has a stack; otherwise it may be any line of a log.
    package var hasStack: Bool { frames.count > 1 }
}
