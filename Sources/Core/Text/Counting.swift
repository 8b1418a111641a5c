// SPDX-License-Identifier: Apache-2.0
/// `1 case`, `2 cases`, `0 entries`.
/// - Parameter many: the plural, if it is not `one` with an s.
package func counted(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(plural(count, one, many))"
}

/// The form of a word that goes with a count: `case` with 1, and else `cases`.
package func plural(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? one : many ?? one + "s"
}
