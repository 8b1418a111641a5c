// SPDX-License-Identifier: Apache-2.0
/// Why a packet file cannot be read or written.
package struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { "\(path): \(reason)" }
}
