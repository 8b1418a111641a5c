// SPDX-License-Identifier: Apache-2.0
import Diagnosis

/// The lowest severity of a finding that makes a passing case red.
package enum FailLevel: String, Hashable, Sendable, CaseIterable {
    /// No finding makes it red: a client with an error does not pass.
    case error
    case warning
    case note

    /// Whether findings of this severity count. Notes name no cause of a failure, so they count only if the user asked for them.
    func regards(_ severity: Severity) -> Bool { severity != .note || self == .note }
}
