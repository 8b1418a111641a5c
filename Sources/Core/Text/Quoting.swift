// SPDX-License-Identifier: Apache-2.0
/// Text of a stranger's for a terminal or a log: what would control a terminal or reorder a line shows, and does nothing. A tab is
/// what it is.
package func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text }
    return String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control where scalar == "\t": scalar
                case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
                default: scalar
                }
            }))
}

/// The same, short enough to be quoted in a message of one line.
package func excerpt(_ text: some StringProtocol) -> String {
    let limit = 80
    let start = printable(String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))))
    return text.unicodeScalars.count > limit ? start + "…" : start
}
