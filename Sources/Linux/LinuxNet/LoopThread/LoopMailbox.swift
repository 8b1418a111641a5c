// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What other threads want of a loop thread.
///
/// The loop looks at a flag once a round, and takes the lock only where something was posted: a round that packets have begun
/// takes none.
final class LoopMailbox<State: ~Copyable>: Sendable {
    typealias WorkItem = @Sendable (inout State) -> Void

    /// What was in it.
    struct Mail: ~Copyable {
        var items: [(number: UInt64, perform: WorkItem)] = []
        /// Who waits until a round that begins after this one has ended.
        var settling: [Reply<Void>] = []
        var isStopping = false
    }

    private struct Contents {
        var isStarted = false
        /// The loop has looked into it for the last time.
        var isClosed = false
        var isStopping = false
        var items: [(number: UInt64, perform: WorkItem)] = []
        var nextNumber: UInt64 = 0
        var settling: [Reply<Void>] = []
    }

    /// Work items that wait at most. A loop that takes none is stuck, and does not get more.
    static var limit: Int { 1024 }

    /// Rung when there is something in it.
    let wakeUp: EventSignal
    private let flag = Atomic(false)
    private let contents = Mutex(Contents())

    init() throws(SystemError) {
        wakeUp = try EventSignal()
    }

    // MARK: For other threads

    /// What became of an item.
    enum Receipt {
        case taken(UInt64)
        case closed
        case full
    }

    /// Has `item` done in the next round; before the start, in the first.
    /// - Parameter onlyWhileRunning: of no use to a loop that may never start.
    func post(onlyWhileRunning: Bool = false, _ item: @escaping WorkItem) -> Receipt {
        let receipt: Receipt = contents.withLock { contents in
            if contents.isClosed || onlyWhileRunning && !contents.isStarted { return .closed }
            if contents.items.count >= Self.limit { return .full }
            contents.nextNumber += 1
            contents.items.append((contents.nextNumber, item))
            return .taken(contents.nextNumber)
        }
        if case .taken = receipt { notify() }
        return receipt
    }

    /// Takes an item back that was not begun yet.
    func withdraw(_ number: UInt64) {
        contents.withLock { contents in contents.items.removeAll { $0.number == number } }
    }

    /// False where there will be no further round.
    func settle(_ reply: Reply<Void>) -> Bool {
        let isTaken = contents.withLock { contents in
            guard contents.isStarted, !contents.isClosed else { return false }
            contents.settling.append(reply)
            return true
        }
        if isTaken { notify() }
        return isTaken
    }

    func requestStop() {
        contents.withLock { $0.isStopping = true }
        notify()
    }

    /// There was no loop, and there will be none.
    func close() {
        contents.withLock { contents in
            contents.isClosed = true
            contents.items = []
        }
    }

    func open() { contents.withLock { $0.isStarted = true } }

    private func notify() {
        flag.store(true, ordering: .sequentiallyConsistent)
        wakeUp.wake()
    }

    // MARK: For the loop

    /// Whether there is something that was not taken yet.
    var hasMail: Bool { flag.load(ordering: .sequentiallyConsistent) }

    /// - Parameter isLast: there will be no other look.
    func take(isLast: Bool) -> Mail {
        let isThere = flag.exchange(false, ordering: .sequentiallyConsistent)
        var mail = Mail()
        guard isThere || isLast else { return mail }
        contents.withLock { contents in
            mail.items = contents.items
            mail.settling = contents.settling
            mail.isStopping = contents.isStopping
            contents.items = []
            contents.settling = []
            contents.isClosed = isLast
        }
        return mail
    }
}
