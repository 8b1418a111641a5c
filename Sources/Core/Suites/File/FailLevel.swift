// SPDX-License-Identifier: Apache-2.0
import Diagnosis

/// The lightest finding that makes a case red which works.
package enum FailLevel: String, Hashable, Sendable, CaseIterable {
    /// None: with an error, the client does not work.
    case error
    case warning
    case note

    /// Whether findings of this weight are looked at. Notes tell of no fault, so that they are left alone where nobody asks for them.
    func regards(_ severity: Severity) -> Bool { severity != .note || self == .note }
}
