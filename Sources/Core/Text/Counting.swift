// SPDX-License-Identifier: Apache-2.0
/// A number with its noun: `1 case`, `2 cases`, `0 entries`.
/// - Parameter many: the plural, if it is not `one` with an s.
package func counted(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(plural(count, one, many))"
}

/// The form of a noun for a count: `case` for 1, otherwise `cases`.
package func plural(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? one : many ?? one + "s"
}
