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

    /// Whether it tells of an error, or that something is left out. Other lines that are printed on one network alone may be results.
    package var isOfError: Bool {
        let line = text.lowercased()
        return Self.wordsOfErrors.contains(where: line.contains)
    }

    /// In lower case.
    private static let wordsOfErrors = [
        "error", "exception", "invalid", "illegal", "malformed", "fail", "cannot", "can't", "could not", "couldn't",
        "unable", "refuse", "denied", "not an", "not a ", "bad ", "unknown", "unsupported", "unexpected", "degraded",
        "disabled",
        "unavailable", "offline", "dropped", "skipp", "too many", "too long", "warning", "panic", "fatal",
    ]
}
