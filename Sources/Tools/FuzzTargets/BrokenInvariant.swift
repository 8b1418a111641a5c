// SPDX-License-Identifier: Apache-2.0
/// Something that must hold whatever the input does not.
package struct BrokenInvariant: Error, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws unless it holds.
func require(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenInvariant) {
    if !holds { throw BrokenInvariant(description()) }
}
