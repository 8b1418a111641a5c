// SPDX-License-Identifier: Apache-2.0
/// How a case ends.
package enum CaseOutcome: String, Codable, Hashable, Sendable, CaseIterable {
    case pass
    /// It fails here, confirmed, and not on dual-stack.
    case fail
    /// It was ended by its timeout here, and is as expected on dual-stack.
    case timeout
    /// It works, with a finding that is neither known nor in the baseline.
    case newDependency = "new-dependency"
    /// It fails, and for accepted reasons alone.
    case known
    /// A known failure that does not occur.
    case fixed
    /// A known failure whose time is over.
    case expired
    /// It failed, and was as expected the second time.
    case flaky
    /// It fails on dual-stack too: no IPv6 problem is shown.
    case broken
    /// It could not be run, or the simulator stood in its way.
    case error
    /// It passes, and processes outlive it.
    case leak
    /// It is not to be run.
    case skip
    /// The suite ended before it did.
    case cancelled

    /// Whether the gate closes.
    package var isRed: Bool {
        switch self {
        case .fail, .timeout, .newDependency, .fixed, .expired, .broken, .error, .cancelled: true
        case .pass, .known, .flaky, .leak, .skip: false
        }
    }

    /// Whether it says what the client depends on: only then is anything concluded for the baseline.
    package var isConclusive: Bool {
        switch self {
        case .pass, .fail, .timeout, .newDependency, .known, .fixed, .expired, .leak: true
        case .flaky, .broken, .error, .skip, .cancelled: false
        }
    }
}
