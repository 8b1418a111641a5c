// SPDX-License-Identifier: Apache-2.0
import DNS64
package import Evidence
import Topology
package import Wire

/// The queries of many clients, by their addresses.
struct QueriesByClient: Sendable {
    private struct Asked: ClientRecord {
        var queries: ClientQueries
        var size: Int { queries.questions.count }
    }

    private typealias Records = ClientRecords<IPAddress, Asked>

    private var records: Records
    private let resolver: Endpoint

    init(limit: Int, resolver: Endpoint) {
        self.resolver = resolver
        // Different questions and answers, see `ClientRecords.Room`.
        records = Records(limit: limit, room: Records.Room(each: 8, one: 512, all: 100_000))
    }

    mutating func take(_ record: QueryRecord) {
        // The sender is not a client of a served network.
        if record.refusal == .otherClient { return }
        let place = records.place(of: record.client.address, at: record.time) {
            Asked(queries: ClientQueries(since: record.time, resolver: resolver))
        }
        guard let place else { return }
        let most = records.limitOfOne
        // Names that do not resolve get a quarter of the room in addition, so that they do not push out those that do. Single queries are
        // not kept.
        records[place].queries.limits = ClientQueries.Limits(answered: most, others: most / 4, latest: 0)
        records[place].queries.take(record)
    }

    /// The number of clients whose queries were dropped to make room.
    var forgotten: Int { records.forgotten }

    var all: [Asker] {
        records.entries.map {
            Asker(address: $0.address, first: $0.first, last: $0.last, queries: $0.record.queries)
        }
    }
}

/// The queries of one of many clients.
package struct Asker: Sendable {
    package let address: IPAddress
    /// Times of the first and the last query.
    package let first: Instant
    package let last: Instant
    package let queries: ClientQueries
}
