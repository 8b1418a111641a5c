import Foundation

/// Runs what blocks for seconds on a thread of its own. The tasks of all tests share one thread for each processor, and servers under test
/// would not answer in time.
package func inThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: body)) }.start()
    }
}
