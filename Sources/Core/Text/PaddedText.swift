// SPDX-License-Identifier: Apache-2.0
extension String {
    /// Padded with blanks, so that the next column begins at the same position in each line.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
