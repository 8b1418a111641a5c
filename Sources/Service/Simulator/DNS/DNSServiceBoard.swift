import Dispatch
import DNS64
import LinuxNet
import Synchronization

/// What the service's thread and the others tell each other.
final class DNSServiceBoard: Sendable {
    private struct State {
        var log: QueryLog
        var counters = DNSCounters()
        var networks: [ClientNetwork]
        var faults: [Fault]
        var faultCounts: [FaultCount] = []
        /// Grows with every change to the two above.
        var version = 0
        var isStopping = false
        /// Who waits for a round of the service's thread that begins from now on, and who for the one that has begun.
        var waitingForNext: [DispatchSemaphore] = []
        var waitingForThis: [DispatchSemaphore] = []
        /// There will be no further round.
        var isClosed = false
    }

    /// Rung when there is something to read here.
    let bell: EventSignal
    private let state: Mutex<State>

    init(networks: [ClientNetwork], faults: [Fault], logCapacity: Int) throws(SystemError) {
        bell = try EventSignal()
        state = Mutex(State(log: QueryLog(capacity: logCapacity), networks: networks, faults: faults))
    }

    // MARK: For every thread

    var log: QueryLog { state.withLock { $0.log } }
    var nextQuery: UInt64 { state.withLock { $0.log.next } }
    var faultCounts: [FaultCount] { state.withLock { $0.faultCounts } }

    func records(from number: UInt64, limit: Int) -> QueryLog.Excerpt {
        state.withLock { $0.log.records(from: number, limit: limit) }
    }

    var counters: DNSCounters { state.withLock { $0.counters } }

    var networks: [ClientNetwork] {
        get { state.withLock { $0.networks } }
        set {
            state.withLock {
                $0.networks = newValue
                $0.version += 1
            }
            bell.ring()
        }
    }

    var faults: [Fault] { state.withLock { $0.faults } }

    func changeFaults(_ change: (inout [Fault]) -> Void) {
        state.withLock {
            change(&$0.faults)
            $0.version += 1
        }
        bell.ring()
    }

    func requestStop() {
        state.withLock { $0.isStopping = true }
        bell.ring()
    }

    /// Waits until the service's thread has dealt with all that has come to its sockets, or has ended.
    /// - Parameter timeout: how long it may take, which on a machine under load is a while.
    func waitForRound(timeout: DispatchTimeInterval) {
        let isOver = DispatchSemaphore(value: 0)
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waitingForNext.append(isOver) }
            return state.isClosed
        }
        if isClosed { return }
        bell.ring()
        _ = isOver.wait(timeout: .now() + timeout)
    }

    // MARK: For the service's thread

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Whether a caller waits for the round that begins, which then must not wait for events.
    func beginRound() -> Bool {
        state.withLock { state in
            state.waitingForThis = state.waitingForNext
            state.waitingForNext = []
            return !state.waitingForThis.isEmpty
        }
    }

    func endRound(isLast: Bool) {
        let waiting = state.withLock { state in
            defer { state.waitingForThis = [] }
            state.isClosed = isLast
            return state.waitingForThis + (isLast ? state.waitingForNext : [])
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// What was changed since `version`, `nil` if nothing was.
    func changes(since version: inout Int) -> (networks: [ClientNetwork], faults: [Fault])? {
        state.withLock { state in
            defer { version = state.version }
            return version == state.version ? nil : (state.networks, state.faults)
        }
    }

    func post(_ records: [QueryRecord], _ counters: DNSCounters, _ faultCounts: [FaultCount]) {
        state.withLock {
            for record in records { $0.log.append(record) }
            $0.counters = counters
            $0.faultCounts = faultCounts
        }
    }
}
