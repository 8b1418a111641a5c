// SPDX-License-Identifier: Apache-2.0

/// A text for the log of a GitHub job, in which nothing commands GitHub's runner: not the output of a client, nor a name or a message of it.
///
/// The runner reads the log line by line. It takes for a command a line that begins, white space apart, with `::`, and `##[` wherever it stands
/// (ActionCommand.cs of actions/runner). A blank breaks either mark where a reader sees it; its comparison may overlook characters of no width.
package func withoutWorkflowCommands(_ text: String) -> String {
    var result = ""
    var isAtStart = true
    // In "\r\n" and letters with marks, characters hide scalars.
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
