import DNS64
import Synchronization

/// What the server's thread and the others can look at, at any time: the log and the counters, which that thread writes, and
/// whom and how it is to serve, which the others do.
final class DNSBoard: Sendable {
    private struct State {
        var log: QueryLog
        var counters = DNSCounters()
        var networks: [ClientNetwork]
        var faults: [Fault]
        var faultCounts: [FaultCount] = []
    }

    private let state: Mutex<State>

    init(networks: [ClientNetwork], faults: [Fault], logCapacity: Int) {
        state = Mutex(State(log: QueryLog(capacity: logCapacity), networks: networks, faults: faults))
    }

    var log: QueryLog { state.withLock { $0.log } }
    var nextQuery: UInt64 { state.withLock { $0.log.next } }
    var counters: DNSCounters { state.withLock { $0.counters } }
    var faultCounts: [FaultCount] { state.withLock { $0.faultCounts } }

    func records(from number: UInt64, limit: Int) -> QueryLog.Excerpt {
        state.withLock { $0.log.records(from: number, limit: limit) }
    }

    var networks: [ClientNetwork] {
        get { state.withLock { $0.networks } }
        set { state.withLock { $0.networks = newValue } }
    }

    var faults: [Fault] { state.withLock { $0.faults } }

    func changeFaults(_ change: (inout [Fault]) -> Void) {
        state.withLock { change(&$0.faults) }
    }

    func post(_ records: [QueryRecord], _ counters: DNSCounters, _ faultCounts: [FaultCount]) {
        state.withLock {
            for record in records { $0.log.append(record) }
            $0.counters = counters
            $0.faultCounts = faultCounts
        }
    }
}
