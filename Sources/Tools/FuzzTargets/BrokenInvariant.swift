// SPDX-License-Identifier: Apache-2.0
/// An invariant that the input has broken.
package struct BrokenInvariant: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws if the invariant does not hold.
func require(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenInvariant) {
    if !holds { throw BrokenInvariant(description()) }
}
