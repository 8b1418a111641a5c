// SPDX-License-Identifier: Apache-2.0
/// Blocks this thread until an asynchronous function has returned. Not to be called from a task.
package func blocking<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () async throws(Failure) -> Value
) throws(Failure) -> Value {
    let reply = Reply<Result<Value, Failure>>()
    Task.detached {
        do throws(Failure) {
            reply.give(.success(try await body()))
        } catch {
            reply.give(.failure(error))
        }
    }
    return try reply.wait().get()
}

/// The same with a limit; `nil` if it took longer. The function then continues, and its result is discarded.
package func blocking<Value: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async -> Value
) -> Value? {
    let reply = Reply<Value>()
    Task.detached { reply.give(await body()) }
    return reply.wait(atMost: limit)
}

/// Runs blocking code in a thread of its own, so that it does not occupy a thread that tasks share.
package func aside<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        do throws(SystemError) {
            try WorkerThread.start(name: "aside") { continuation.resume(returning: body()) }.detach()
        } catch {
            continuation.resume(returning: body())
        }
    }
}
