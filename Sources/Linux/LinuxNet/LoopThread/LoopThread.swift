// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import Wire

/// A thread that waits for descriptors, for time and for other threads, and alone touches its state while it runs.
///
/// Theory of operation. A state enters its descriptors into an interest list when it is made, so whatever is wrong with them
/// shows at once; it keeps the list if they are to change later. `start` hands the state to a thread. Others reach it
/// through `tell`, `ask`, `pose` and `settle`, and get it back from `stop`:
///
///     let interests = try InterestList()
///     let loop = try LoopThread(name: "dns", try Server(interests), on: interests)
///
///     made ──start──► running ──stop──► ended
///       └───────────────stop────────────►
///
/// A work item or a question is dealt with at the beginning of a round, before any descriptor: what is sent after `tell`
/// has returned finds it done. After `stop` was asked for there is one more round, so what had come before is dealt with
/// too. Nothing waits without a limit: a question that is not answered in time is taken back, and a loop that does not end in
/// time is left to itself, with its state. A loop thread that is destroyed is stopped.
package final class LoopThread<State: LoopState & ~Copyable>: Sendable {
    /// The token of the loop's own descriptor; a state has none like it.
    package static var ownToken: UInt64 { .max }

    package let name: String
    private let loop: Loop<State>
    private let thread = Mutex<Phase>(.made)

    private enum Phase: ~Copyable {
        case made
        case running(WorkerThread)
        case ended

        var isMade: Bool {
            switch self {
            case .made: true
            case .running: false
            case .ended: false
            }
        }
    }

    /// - Parameters:
    ///   - name: at most 15 octets are kept; shown by `ps -L` and `top -H`.
    ///   - interests: what the state has entered its descriptors into.
    package init(
        name: String, _ state: consuming sending State, on interests: InterestList
    ) throws(SystemError) {
        self.name = name
        let mailbox = try LoopMailbox<State>()
        try interests.add(mailbox.wakeUp.descriptor, .readable, token: Self.ownToken)
        loop = Loop(mailbox, Epoll(interests), state)
    }

    deinit {
        _ = try? stop()
    }

    /// Starts the thread, which inherits the blocked signals of the caller. A loop is started once.
    package func start() throws(SystemError) {
        try thread.withLock { phase throws(SystemError) in
            precondition(phase.isMade, "\(name) is started twice")
            // The thread holds the loop, and not this object: that would keep it from ever going.
            let worker = try WorkerThread.start(name: name) { [loop] in loop.run() }
            phase = .running(worker)
            loop.mailbox.open()
        }
    }

    // MARK: - For other threads

    /// Has something done at the beginning of the next round, and does not wait for it; before the start, in the first round.
    /// - Returns: false where the loop has ended, or has taken nothing for so long that its mailbox is full.
    @discardableResult
    package func tell(_ item: @escaping @Sendable (inout State) -> Void) -> Bool {
        if case .taken = loop.mailbox.post(item) { true } else { false }
    }

    /// Has a question answered at the beginning of the next round, and waits for the answer.
    /// - Parameter limit: what a loop that deals with its rounds needs is far less, on a machine under load too.
    package func ask<Answer: Sendable>(
        within limit: Duration = .seconds(5), _ question: @escaping @Sendable (inout State) -> Answer
    ) throws(LoopFailure) -> Answer {
        let question = pose(question)
        if let answer = try question.answer(until: MonotonicClock.now() + limit) { return answer }
        question.withdraw()
        throw .timedOut(name, after: limit)
    }

    /// Has a question answered at the beginning of the next round, and does not wait for that.
    package func pose<Answer: Sendable>(
        _ question: @escaping @Sendable (inout State) -> Answer
    ) -> PendingReply<Answer> {
        let reply = Reply<Answer>()
        switch loop.mailbox.post(onlyWhileRunning: true, { reply.give(question(&$0)) }) {
        case .taken(let number): return PendingReply(reply) { [loop] in loop.mailbox.withdraw(number) }
        case .closed: return PendingReply(failed: .notRunning(name))
        case .full: return PendingReply(failed: .overloaded(name))
        }
    }

    /// Waits until what has come to the descriptors so far has been dealt with.
    package func settle(within limit: Duration = .seconds(5)) throws(LoopFailure) {
        guard try settling().answer(until: MonotonicClock.now() + limit) != nil else {
            throw .timedOut(name, after: limit)
        }
    }

    /// Answered when what has come to the descriptors so far has been dealt with.
    package func settling() -> PendingReply<Void> {
        let reply = Reply<Void>()
        return loop.mailbox.settle(reply) ? PendingReply(reply) : PendingReply(failed: .notRunning(name))
    }

    // MARK: - The end

    /// Has the loop end, and does not wait for that; `stop` is called later.
    package func requestStop() { loop.mailbox.requestStop() }

    /// Has the loop end, waits for that, and returns its state, once.
    /// - Parameter limit: after this time the thread is left to itself, and its state goes when it ends.
    package func stop(within limit: Duration = .seconds(30)) throws(LoopFailure) -> sending State {
        let phase = thread.withLock { phase in
            let last = consume phase
            phase = .ended
            return last
        }
        switch consume phase {
        case .ended:
            throw .notRunning(name)
        case .made:
            loop.mailbox.close()
        case .running(let thread):
            loop.mailbox.requestStop()
            // A work item that holds the last reference to this object cannot wait for the round that it is part of.
            let limit = thread.isCurrent ? .zero : limit
            guard loop.hasEnded.wait(atMost: limit) != nil else {
                thread.detach()
                throw .timedOut(name, after: limit)
            }
            thread.join()
        }
        guard let state = loop.takeState() else { throw .notRunning(name) }
        return state
    }
}
