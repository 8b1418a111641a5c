// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Requests of other threads to a loop thread.
///
/// The loop checks a flag once a round, and takes the lock only if something was posted: a round that packets have started takes none.
final class LoopMailbox<State: ~Copyable>: Sendable {
    typealias WorkItem = @Sendable (inout State) -> Void

    /// The contents of the mailbox.
    struct Mail: ~Copyable {
        var items: [(number: UInt64, perform: WorkItem)] = []
        /// Requests that are answered after a round that begins after this one.
        var settling: [Reply<Void>] = []
        var isStopping = false
    }

    private struct Contents {
        var isStarted = false
        /// The loop has emptied the mailbox for the last time.
        var isClosed = false
        var isStopping = false
        var items: [(number: UInt64, perform: WorkItem)] = []
        var nextNumber: UInt64 = 0
        var settling: [Reply<Void>] = []
    }

    /// Maximum number of pending work items. A loop that takes none is stuck, and gets no more.
    static var limit: Int { 1024 }

    /// Signalled when the mailbox is no longer empty.
    let wakeUp: EventSignal
    private let flag = Atomic(false)
    private let contents = Mutex(Contents())

    init() throws(SystemError) {
        wakeUp = try EventSignal()
    }

    // MARK: For other threads

    /// The outcome of posting an item.
    enum Receipt {
        case taken(UInt64)
        case closed
        case full
    }

    /// Runs `item` in the next round; if the loop has not started, in the first.
    /// - Parameter onlyWhileRunning: refuses the item before the start, as the loop may never start.
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

    /// Removes an item that has not begun.
    func withdraw(_ number: UInt64) {
        contents.withLock { contents in contents.items.removeAll { $0.number == number } }
    }

    /// Returns false if there will be no further round.
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

    /// The loop was never started, and will not be.
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

    /// Whether there is mail that has not been taken.
    var hasMail: Bool { flag.load(ordering: .sequentiallyConsistent) }

    /// - Parameter isLast: whether this is the last call.
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
