// SPDX-License-Identifier: Apache-2.0
internal import Wire

/// The code that the thread runs, in rounds.
final class Loop<State: LoopState & ~Copyable> {
    let mailbox: LoopMailbox<State>
    /// Answered when the state can be taken.
    let hasEnded = Reply<Void>()
    private var epoll: Epoll?
    private var state: State?

    init(_ mailbox: LoopMailbox<State>, _ epoll: consuming Epoll, _ state: consuming sending State) {
        self.mailbox = mailbox
        self.epoll = consume epoll
        self.state = consume state
    }

    /// Requests from the previous round that this one completes.
    private struct Debts {
        var settling: [Reply<Void>] = []
        var isLast = false
        /// If so, the round does not wait for anything.
        var areThere: Bool { isLast || !settling.isEmpty }
    }

    func run() {
        guard var epoll = epoll.take(), var state = state.take() else { return }
        var debts = Debts()
        while true {
            // The last wake-up may have been for mail that was posted just after the mailbox was emptied.
            let isUrgent = debts.areThere || mailbox.hasMail
            let count = epoll.wait(until: isUrgent ? .zero : state.nextDeadline)
            state.begin(at: MonotonicClock.now())
            let mail = mailbox.take(isLast: debts.isLast)
            for item in mail.items { item.perform(&state) }
            for index in 0..<count {
                let event = epoll[index]
                if event.token == LoopThread<State>.ownToken { mailbox.wakeUp.clear() } else { state.handle(event) }
            }
            state.advance()
            for reply in debts.settling { reply.give(()) }
            if debts.isLast {
                for reply in mail.settling { reply.give(()) }
                break
            }
            debts = Debts(settling: mail.settling, isLast: mail.isStopping)
        }
        state.finish()
        self.state = consume state
        hasEnded.give(())
    }

    /// To be called before the thread has started or after it has ended.
    func takeState() -> sending State? {
        nonisolated(unsafe) let state = self.state.take()
        return unsafe state
    }
}

// Epoll and state belong to the thread from its start until `hasEnded`; before and after, to the thread that has taken the handle.
extension Loop: @unchecked Sendable {}
