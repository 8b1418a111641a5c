import LinuxNet
import Synchronization

/// What other threads want of a packet path's thread: to look at its state between two packets, or to end.
final class PathMailbox: Sendable {
    typealias Errand = @Sendable (PathLoop) -> Void

    private struct State {
        var errands: [Errand] = []
        var isStopping = false
        /// The thread has looked into the box for the last time.
        var isClosed = false
    }

    /// Rung when there is something in the box.
    let bell: EventSignal
    private let state = Mutex(State())

    init() throws(SystemError) {
        bell = try EventSignal()
    }

    // MARK: For other threads

    func requestStop() {
        state.withLock { $0.isStopping = true }
        bell.ring()
    }

    /// Runs `errand` on the packet-path thread. False if that has ended.
    func send(_ errand: @escaping Errand) -> Bool {
        let isTaken = state.withLock { state in
            if !state.isClosed { state.errands.append(errand) }
            return !state.isClosed
        }
        bell.ring()
        return isTaken
    }

    // MARK: For the path's thread

    /// Does the work items; true when it is time to end.
    func empty(for loop: PathLoop) -> Bool {
        bell.hear()
        let (errands, isStopping) = state.withLock { state in
            state.isClosed = state.isStopping
            defer { state.errands = [] }
            return (state.errands, state.isStopping)
        }
        for errand in errands { errand(loop) }
        return isStopping
    }
}
