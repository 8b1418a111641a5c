// SPDX-License-Identifier: Apache-2.0

/// A text for the log of a GitHub job without commands to GitHub's runner, be it from a client's output, from a name or from a message.
///
/// The runner reads the log line by line. It treats as a command a line that begins, white space apart, with `::`, and `##[` anywhere
/// (ActionCommand.cs of actions/runner). A blank breaks either mark visibly; the runner's comparison might ignore characters of no width.
package func withoutWorkflowCommands(_ text: String) -> String {
    var result = ""
    var isAtStart = true
    // Scalars, as a character may hide them: in "\r\n" and in letters with marks.
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
        result.unicodeScalars.append(scalar)
        let isMark = isAtStart && scalar == ":" && scalars.first == ":"
        let isOldMark = scalar == "#" && scalars.starts(with: "#[".unicodeScalars)
        if isMark {
            result.append(" ")
        } else if isOldMark, let second = scalars.popFirst() {
            result.unicodeScalars.append(second)
            result.append(" ")
        }
        isAtStart = scalar == "\n" || scalar == "\r" || isAtStart && scalar.properties.isWhitespace
    }
    return result
}
