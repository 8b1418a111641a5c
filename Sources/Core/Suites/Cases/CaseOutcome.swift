// SPDX-License-Identifier: Apache-2.0
/// The outcome of a case.
package enum CaseOutcome: String, Codable, Hashable, Sendable, CaseIterable {
    case pass
    /// It fails here, confirmed, and not on dual-stack.
    case fail
    /// Its timeout ended it here, and it is as expected on dual-stack.
    case timeout
    /// It works, with a finding that is neither known nor in the baseline.
    case newDependency = "new-dependency"
    /// It fails for accepted reasons only.
    case known
    /// A known failure that does not occur.
    case fixed
    /// A known failure whose time is over.
    case expired
    /// It failed, and was as expected the second time.
    case flaky
    /// It fails on dual-stack, too, so no IPv6 problem is shown.
    case broken
    /// It could not be run, or the simulator hindered it.
    case error
    /// It passes, but leaves processes running.
    case leak
    /// It is not to be run.
    case skip
    /// The suite ended before the case did.
    case cancelled

    /// Whether it fails the suite.
    package var isRed: Bool {
        switch self {
        case .fail, .timeout, .newDependency, .fixed, .expired, .broken, .error, .cancelled: true
        case .pass, .known, .flaky, .leak, .skip: false
        }
    }

    /// Whether it shows the client's dependencies: only then is it used for the baseline.
    package var isConclusive: Bool {
        switch self {
        case .pass, .fail, .timeout, .newDependency, .known, .fixed, .expired, .leak: true
        case .flaky, .broken, .error, .skip, .cancelled: false
        }
    }
}
