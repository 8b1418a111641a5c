// SPDX-License-Identifier: Apache-2.0
/// Colours and the length of lines, for a person at a terminal.
package struct TerminalStyle: Sendable {
    package let isColoured: Bool
    /// Columns of the terminal; `nil` if lines are not wrapped: in files, and for programs that read them.
    package let width: Int?

    package init(isColoured: Bool, width: Int? = nil) {
        self.isColoured = isColoured
        self.width = width
    }

    package func good(_ text: String) -> String { wrap(text, "1;32") }
    package func warning(_ text: String) -> String { wrap(text, "1;33") }
    package func bad(_ text: String) -> String { wrap(text, "1;31") }
    package func strong(_ text: String) -> String { wrap(text, "1") }
    package func dim(_ text: String) -> String { wrap(text, "2") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
