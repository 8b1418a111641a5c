import DNS64
import LinuxNet
import Synchronization

/// What the service's thread and the others tell each other.
final class DNSServiceBoard: Sendable {
    private struct State {
        var log: QueryLog
        var refusals: [RefusedQuery: UInt64] = [:]
        var strays: UInt64 = 0
        var networks: [ClientNetwork]
        var faults: [Fault]
        /// Grows with every change to the two above.
        var version = 0
        var isStopping = false
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
    var refusals: [RefusedQuery: UInt64] { state.withLock { $0.refusals } }
    var strays: UInt64 { state.withLock { $0.strays } }

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

    var faults: [Fault] {
        get { state.withLock { $0.faults } }
        set {
            state.withLock {
                $0.faults = newValue
                $0.version += 1
            }
            bell.ring()
        }
    }

    func requestStop() {
        state.withLock { $0.isStopping = true }
        bell.ring()
    }

    // MARK: For the service's thread

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// What was changed since `version`, nil where nothing was.
    func changes(since version: inout Int) -> (networks: [ClientNetwork], faults: [Fault])? {
        state.withLock { state in
            defer { version = state.version }
            return version == state.version ? nil : (state.networks, state.faults)
        }
    }

    func post(_ records: [QueryRecord], refusals: [RefusedQuery: UInt64], strays: UInt64) {
        state.withLock {
            for record in records { $0.log.append(record) }
            $0.refusals = refusals
            $0.strays = strays
        }
    }
}
