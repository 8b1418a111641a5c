// SPDX-License-Identifier: Apache-2.0
extension String {
    /// Padded with spaces on the right to `width` characters; unchanged if it is longer.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
