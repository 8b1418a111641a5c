// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import Synchronization
import Wire

/// State that the server's thread shares with other threads, readable at any time: the logs and counters, which the server's
/// thread writes, and the networks and faults to serve, which the others write.
///
/// Beside the log of all queries, which is for observers of the server, each followed client has a log of its own, from which
/// the queries of others push nothing out.
final class DNSBoard: Sendable {
    private struct State {
        var log: QueryLog
        var counters = DNSCounters()
        var networks: [ServedNetwork]
        var faults: [Fault]
        var faultCounts: [FaultCount] = []
        var clients: [UInt64: ClientQueries] = [:]
        var followed: [IPAddress: UInt64] = [:]
        var lastClient: UInt64 = 0
        /// `nil` if clients are followed one by one.
        var askers: QueriesByClient?

        mutating func give(_ addresses: [IPAddress], to client: UInt64) {
            for address in addresses {
                // The client that had the address before has left.
                if let earlier = followed.updateValue(client, forKey: address), earlier != client {
                    clients[earlier] = nil
                }
            }
        }
    }

    private let state: Mutex<State>

    init(networks: [ServedNetwork], faults: [Fault], logCapacity: Int) {
        state = Mutex(State(log: QueryLog(capacity: logCapacity), networks: networks, faults: faults))
    }

    var log: QueryLog { state.withLock { $0.log } }
    var nextQuery: UInt64 { state.withLock { $0.log.next } }
    var counters: DNSCounters { state.withLock { $0.counters } }
    var faultCounts: [FaultCount] { state.withLock { $0.faultCounts } }

    func records(from number: UInt64, limit: Int) -> QueryLog.Excerpt {
        state.withLock { $0.log.records(from: number, limit: limit) }
    }

    var networks: [ServedNetwork] {
        get { state.withLock { $0.networks } }
        set { state.withLock { $0.networks = newValue } }
    }

    var faults: [Fault] { state.withLock { $0.faults } }

    func changeFaults(_ change: (inout [Fault]) -> Void) {
        state.withLock { change(&$0.faults) }
    }

    // MARK: - Clients

    func follow(_ addresses: [IPAddress], _ queries: ClientQueries) -> UInt64 {
        state.withLock { state in
            state.lastClient += 1
            state.clients[state.lastClient] = queries
            state.give(addresses, to: state.lastClient)
            return state.lastClient
        }
    }

    func follow(_ addresses: [IPAddress], of client: UInt64) {
        state.withLock { if $0.clients[client] != nil { $0.give(addresses, to: client) } }
    }

    func followMany(_ askers: QueriesByClient) { state.withLock { $0.askers = askers } }

    var askers: (all: [Asker], forgotten: Int) {
        let askers = state.withLock { $0.askers }
        return (askers?.all ?? [], askers?.forgotten ?? 0)
    }

    func queries(of client: UInt64) -> ClientQueries? { state.withLock { $0.clients[client] } }

    /// - Returns: the addresses that still belonged to the client.
    func leave(_ client: UInt64) -> [IPAddress] {
        state.withLock { state in
            state.clients[client] = nil
            let addresses = state.followed.filter { $0.value == client }.map(\.key)
            for address in addresses { state.followed[address] = nil }
            return addresses
        }
    }

    // MARK: - The server's thread

    func post(_ records: [QueryRecord], _ counters: DNSCounters, _ faultCounts: [FaultCount]) {
        state.withLock { state in
            for record in records {
                state.log.append(record)
                state.askers?.take(record)
                // A server that runs on its own follows no client.
                guard !state.followed.isEmpty else { continue }
                if let client = state.followed[record.client.address] { state.clients[client]?.take(record) }
            }
            state.counters = counters
            state.faultCounts = faultCounts
        }
    }

    func refuse(_ reason: WorldRefusal.Reason, _ client: IPAddress, at now: Instant) {
        state.withLock { state in
            if let number = state.followed[client] { state.clients[number]?.refuse(reason, .tcp, at: now) }
        }
    }
}
