// SPDX-License-Identifier: Apache-2.0
import DNS64

/// Publishes the state of the server's thread to others: the queries' records, the counters, and how often each fault fired.
///
/// The record of a query is on the board before its reply is sent: a client that has its reply finds the query in the log.
struct Publishing {
    private let board: DNSBoard
    private var records: [QueryRecord] = []
    private var counters = DNSCounters()
    private var published = DNSCounters()
    /// Whether the faults have changed since they were last published.
    private var areFaultsNew = true

    init(_ board: DNSBoard) {
        self.board = board
    }

    mutating func keep(_ record: QueryRecord) {
        records.append(record)
        counters.count(record)
    }

    /// Whether replies have to wait for `publish`.
    var hasRecords: Bool { !records.isEmpty }

    mutating func faultsHaveChanged() { areFaultsNew = true }

    mutating func publish(_ resolver: Resolver, _ connections: Connections.Counts) {
        counters.refusals = resolver.refusals
        counters.strays = resolver.strays
        counters.take(connections)
        // Some refusals leave no record, nor do connections.
        guard !records.isEmpty || counters != published || areFaultsNew else { return }
        published = counters
        areFaultsNew = false
        board.post(records, counters, resolver.faultCounts)
        records.removeAll(keepingCapacity: true)
    }
}
