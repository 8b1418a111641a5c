// SPDX-License-Identifier: Apache-2.0
/// How a client ended.
package enum ExitOutcome: Codable, Hashable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// We ended it, because it did not end by itself within its time limit.
    case timedOut(after: Duration)

    package var isSuccess: Bool { self == .exited(status: 0) }
    /// Whether it ended by itself with a failure.
    package var isFailure: Bool {
        switch self {
        case .exited(let status): status != 0
        case .killed: true
        case .timedOut: false
        }
    }
}
