// SPDX-License-Identifier: Apache-2.0
/// Why a text is no valid conditions, in a sentence for its author.
package struct ConditionError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
