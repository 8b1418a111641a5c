// SPDX-License-Identifier: Apache-2.0
/// Why a loop thread did not do what another thread asked of it.
package enum LoopFailure: Error, Hashable, Sendable {
    /// It was not started, or has ended.
    case notRunning(String)
    /// It has taken nothing for so long that its mailbox is full.
    case overloaded(String)
    /// It was busy with something else for all of that time.
    case timedOut(String, after: Duration)
}

extension LoopFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notRunning(let name): "the thread \(name) does not run"
        case .overloaded(let name): "the thread \(name) is overloaded"
        case .timedOut(let name, let limit): "the thread \(name) did not answer within \(limit)"
        }
    }
}
