// SPDX-License-Identifier: Apache-2.0
extension String {
    /// With blanks behind it, so that the next column begins at the same place in each line.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
