// SPDX-License-Identifier: Apache-2.0
/// Why text says no conditions, in a sentence for whoever wrote it.
package struct ConditionError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
