// SPDX-License-Identifier: Apache-2.0
/// A line of a program's output.
package struct PrintedLine: Codable, Hashable, Sendable {
    package var text: String
    /// The line of a source that has its words; `nil` if none has, or if several have.
    package var place: StackFrame?

    package init(text: String, place: StackFrame? = nil) {
        self.text = text
        self.place = place
    }
}
