// SPDX-License-Identifier: Apache-2.0
internal import Wire

/// What the thread runs: the rounds.
final class Loop<State: LoopState & ~Copyable> {
    let mailbox: LoopMailbox<State>
    /// Given when the state can be taken.
    let hasEnded = Reply<Void>()
    private var epoll: Epoll?
    private var state: State?

    init(_ mailbox: LoopMailbox<State>, _ epoll: consuming Epoll, _ state: consuming sending State) {
        self.mailbox = mailbox
        self.epoll = consume epoll
        self.state = consume state
    }

    /// What a round owes to those who asked in the one before.
    private struct Debts {
        var settling: [Reply<Void>] = []
        var isLast = false
        /// Then the round does not wait for anything.
        var areThere: Bool { isLast || !settling.isEmpty }
    }

    func run() {
        guard var epoll = epoll.take(), var state = state.take() else { return }
        var debts = Debts()
        while true {
            // The last wake-up may have been sent for mail that came just after what was taken.
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

    /// To be called before the thread has begun or when it has ended.
    func takeState() -> sending State? {
        nonisolated(unsafe) let state = self.state.take()
        return unsafe state
    }
}

// Epoll and state are the thread's from its start until `hasEnded`; before and after, of the one who has taken the thread's
// handle.
extension Loop: @unchecked Sendable {}
