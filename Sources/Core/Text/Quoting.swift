// SPDX-License-Identifier: Apache-2.0
/// Untrusted text for a terminal or a log: characters that would control a terminal or reorder a line are shown and have no effect. Tabs
/// are kept.
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
