// SPDX-License-Identifier: Apache-2.0
/// The reason that a loop thread did not serve another thread's request.
package enum LoopFailure: Error, Hashable, Sendable {
    /// The thread was not started, or has ended.
    case notRunning(String)
    /// The thread has not emptied its mailbox for so long that it is full.
    case overloaded(String)
    /// The thread was busy for all of that time.
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
