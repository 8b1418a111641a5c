// SPDX-License-Identifier: Apache-2.0
import Capture
import NAT64

/// The reason why a translation ended early, in a line.
package struct TranslatorError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }

    init(path: String, reason: String) {
        description = "\(path): \(reason)"
    }

    init(_ error: CaptureError) {
        description = "\(error)"
    }

    init(_ error: ConfigurationError) {
        description = "\(error)"
    }
}
