// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import Wire

/// A thread that waits for descriptors, for time and for other threads, and is the only one to access its state while it runs.
///
/// Theory of operation. A state adds its descriptors to an interest list when it is made, so a problem with them is reported at
/// once; it keeps the list if they are to change later. `start` hands the state to a thread. Other threads reach it
/// through `tell`, `ask`, `pose` and `settle`, and get it back from `stop`:
///
///     let interests = try InterestList()
///     let loop = try LoopThread(name: "dns", try Server(interests), on: interests)
///
///     made ──start──► running ──stop──► ended
///       └───────────────stop────────────►
///
/// A work item or a question is handled at the beginning of a round, before any descriptor: packets that are sent after `tell`
/// has returned are handled after it. After `stop` was called there is one more round, so earlier requests are handled too. Every
/// wait has a limit: a question that is not answered in time is withdrawn, and a loop that does not end in time is abandoned, with its
/// state. A loop thread that is destroyed is stopped.
package final class LoopThread<State: LoopState & ~Copyable>: Sendable {
    /// The token of the loop's own descriptor; the state must not use it.
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
    ///   - interests: the list that the state has added its descriptors to.
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

    /// Starts the thread, which inherits the caller's signal mask. A loop is started only once.
    package func start() throws(SystemError) {
        try thread.withLock { phase throws(SystemError) in
            precondition(phase.isMade, "\(name) is started twice")
            // The thread retains the loop and not this object, which could otherwise never be deallocated.
            let worker = try WorkerThread.start(name: name) { [loop] in loop.run() }
            phase = .running(worker)
            loop.mailbox.open()
        }
    }

    // MARK: - For other threads

    /// Runs an item at the beginning of the next round without waiting for it; if the loop has not started, in the first round.
    /// - Returns: false if the loop has ended, or has not emptied its mailbox for so long that it is full.
    @discardableResult
    package func tell(_ item: @escaping @Sendable (inout State) -> Void) -> Bool {
        if case .taken = loop.mailbox.post(item) { true } else { false }
    }

    /// Asks a question that is answered at the beginning of the next round, and waits for the answer.
    /// - Parameter limit: far longer than a healthy loop needs, even on a machine under load.
    package func ask<Answer: Sendable>(
        within limit: Duration = .seconds(5), _ question: @escaping @Sendable (inout State) -> Answer
    ) throws(LoopFailure) -> Answer {
        let question = pose(question)
        if let answer = try question.answer(until: MonotonicClock.now() + limit) { return answer }
        question.withdraw()
        throw .timedOut(name, after: limit)
    }

    /// Asks a question that is answered at the beginning of the next round, without waiting.
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

    /// Waits until everything that has arrived at the descriptors so far has been handled.
    package func settle(within limit: Duration = .seconds(5)) throws(LoopFailure) {
        guard try settling().answer(until: MonotonicClock.now() + limit) != nil else {
            throw .timedOut(name, after: limit)
        }
    }

    /// Answered when everything that has arrived at the descriptors so far has been handled.
    package func settling() -> PendingReply<Void> {
        let reply = Reply<Void>()
        return loop.mailbox.settle(reply) ? PendingReply(reply) : PendingReply(failed: .notRunning(name))
    }

    // MARK: - The end

    /// Asks the loop to end without waiting for it; `stop` is called later.
    package func requestStop() { loop.mailbox.requestStop() }

    /// Ends the loop, waits for its end, and returns its state, once.
    /// - Parameter limit: after this time the thread is abandoned, and its state is released when it ends.
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
            // A work item that holds the last reference to this object cannot wait for the round in which it runs.
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
