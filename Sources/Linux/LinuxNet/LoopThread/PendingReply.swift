// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A question that a loop thread was asked, and may not have answered yet. Who asks several threads waits for all of them
/// together, until one deadline.
package struct PendingReply<Answer: Sendable>: Sendable {
    private let reply: Reply<Answer>
    private let failure: LoopFailure?
    private let takeBack: @Sendable () -> Void

    /// One that `reply` answers.
    /// - Parameter takeBack: has it not be answered, where that has not begun.
    package init(_ reply: Reply<Answer>, takeBack: @escaping @Sendable () -> Void = {}) {
        self.reply = reply
        failure = nil
        self.takeBack = takeBack
    }

    /// One that nobody could be asked.
    package init(failed failure: LoopFailure) {
        reply = Reply()
        self.failure = failure
        takeBack = {}
    }

    /// Waits for the answer; to be called until that is there, which is given once. `nil` if it has not come by then.
    package func answer(until deadline: Instant) throws(LoopFailure) -> Answer? {
        if let failure { throw failure }
        return reply.wait(atMost: max(.zero, deadline - MonotonicClock.now()))
    }

    /// The same for a task, whose thread is not to wait: another one does. The question is taken back where there is no answer in that time.
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

    /// Takes it back: a loop that is stuck does not collect the questions of those who have gone.
    package func withdraw() { takeBack() }
}
