// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A question that a loop thread was asked and may not have answered yet. A caller that asks several threads can wait for all of them
/// together, until one deadline.
package struct PendingReply<Answer: Sendable>: Sendable {
    private let reply: Reply<Answer>
    private let failure: LoopFailure?
    private let takeBack: @Sendable () -> Void

    /// A question that `reply` answers.
    /// - Parameter takeBack: withdraws the question if its answering has not begun.
    package init(_ reply: Reply<Answer>, takeBack: @escaping @Sendable () -> Void = {}) {
        self.reply = reply
        failure = nil
        self.takeBack = takeBack
    }

    /// A question that could not be asked.
    package init(failed failure: LoopFailure) {
        reply = Reply()
        self.failure = failure
        takeBack = {}
    }

    /// Waits for the answer; `nil` if it has not come by then. May be repeated until the answer has been returned, once.
    package func answer(until deadline: Instant) throws(LoopFailure) -> Answer? {
        if let failure { throw failure }
        return reply.wait(atMost: max(.zero, deadline - MonotonicClock.now()))
    }

    /// The same for a task: another thread waits. The question is withdrawn if there is no answer within the limit.
    package func answer(within limit: Duration) async throws(LoopFailure) -> Answer? {
        let deadline = MonotonicClock.now() + limit
        let outcome: Result<Answer?, LoopFailure> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try WorkerThread.start(name: "question") {
                    continuation.resume(returning: Result { () throws(LoopFailure) in try answer(until: deadline) })
                }.detach()
            } catch {
                continuation.resume(returning: .failure(.overloaded("question")))
            }
        }
        if case .success(nil) = outcome { withdraw() }
        return try outcome.get()
    }

    /// Withdraws the question, so that abandoned ones do not accumulate in a loop that is stuck.
    package func withdraw() { takeBack() }
}
