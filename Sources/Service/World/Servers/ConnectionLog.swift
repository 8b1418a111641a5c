// SPDX-License-Identifier: Apache-2.0
package import Evidence
import Synchronization
package import Topology
package import Wire

/// A log of the clients' connections over TLS and HTTP, as the servers of a world saw them, and of the clients' questions to
/// the world's own resolvers. Thread-safe.
///
/// A client has its own log from `begin` to `end`, with its first connections, the first requests of each, and its first
/// different questions. Later ones are only counted, so a client can neither grow the log nor push out another client's entries.
package final class ConnectionLog: Sendable {
    enum Limits {
        /// Connections of a client.
        static let connections = 1024
        /// Requests of a client, over all its connections, and over one of them.
        static let exchanges = 4096
        static let exchangesOfConnection = 64
        /// Octets of each text that comes from a client.
        static let text = 256
        /// Different questions of a client to resolvers of the world, and addresses of an answer.
        static let queries = 1024
        static let addresses = 16
    }

    /// A connection of a client in the log.
    struct Entry: Sendable {
        fileprivate let client: ServedClient
        /// The number of the client's stay, as an earlier client may have had the same place.
        fileprivate let stay: UInt64
        fileprivate let index: Int
        fileprivate let start: Instant
    }

    /// The log of one client.
    package struct Seen: Sendable {
        package fileprivate(set) var connections: [ServedConnection] = []
        /// Further connections, which are only counted.
        package fileprivate(set) var omittedConnections = 0
        package fileprivate(set) var queries: [ServedQuery] = []
        /// Further questions, which are only counted.
        package fileprivate(set) var omittedQueries = 0
    }

    private struct Stay {
        let number: UInt64
        let start: Instant
        var seen = Seen()
        var exchanges = 0
        /// Indices of the connections that neither side has ended yet.
        var standing: Set<Int> = []
        /// The index in `seen.queries` of each question, whatever its time and count.
        var places: [ServedQuery: Int] = [:]
    }

    private struct State {
        var stays: [ServedClient: Stay] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Instant

    init(now: @escaping @Sendable () -> Instant) {
        self.now = now
    }

    package func begin(_ client: ServedClient, at start: Instant) {
        state.withLock { state in
            state.lastNumber += 1
            state.stays[client] = Stay(number: state.lastNumber, start: start)
        }
    }

    package func end(_ client: ServedClient) -> Seen {
        state.withLock { $0.stays.removeValue(forKey: client)?.seen ?? Seen() }
    }

    /// The client's log so far.
    func seen(of client: ServedClient) -> Seen {
        state.withLock { $0.stays[client]?.seen ?? Seen() }
    }

    /// Whether the client has connections that neither side has ended.
    func hasStanding(_ client: ServedClient) -> Bool {
        state.withLock { $0.stays[client]?.standing.isEmpty == false }
    }

    /// - Returns: `nil` if this client has no log, or there is no room.
    func open(_ peer: IPAddress, _ service: ServiceEnd) -> Entry? {
        let (client, now) = (ServedClient(peer), now())
        return state.withLock { state in
            guard var stay = state.stays[client] else { return nil }
            defer { state.stays[client] = stay }
            guard stay.seen.connections.count < Limits.connections else {
                stay.seen.omittedConnections += 1
                return nil
            }
            let index = stay.seen.connections.count
            stay.seen.connections.append(
                ServedConnection(time: max(.zero, now - stay.start), address: service.address, port: service.port))
            stay.standing.insert(index)
            return Entry(client: client, stay: stay.number, index: index, start: now)
        }
    }

    /// - Parameter body: gets the connection's age.
    func change(_ entry: Entry, _ body: (inout ServedConnection, _ age: Duration) -> Void) {
        let age = age(entry)
        state.withLock { state in
            guard state.stays[entry.client]?.number == entry.stay else { return }
            body(&state.stays[entry.client]!.seen.connections[entry.index], age)
        }
    }

    /// - Returns: the index among the connection's exchanges; `nil` if there is no room.
    func add(_ exchange: HTTPExchange, to entry: Entry) -> Int? {
        var exchange = exchange
        exchange.time = age(entry)
        return state.withLock { state -> Int? in
            guard var stay = state.stays[entry.client], stay.number == entry.stay else { return nil }
            defer { state.stays[entry.client] = stay }
            let count = stay.seen.connections[entry.index].exchanges.count
            guard stay.exchanges < Limits.exchanges, count < Limits.exchangesOfConnection else {
                stay.seen.connections[entry.index].omittedExchanges += 1
                return nil
            }
            stay.exchanges += 1
            stay.seen.connections[entry.index].exchanges.append(exchange)
            return count
        }
    }

    private func age(_ entry: Entry) -> Duration { max(.zero, now() - entry.start) }

    func close(_ entry: Entry, byClient: Bool) {
        state.withLock { state in
            guard state.stays[entry.client]?.number == entry.stay else { return }
            if state.stays[entry.client]!.standing.remove(entry.index) != nil, byClient {
                state.stays[entry.client]!.seen.connections[entry.index].wasEndedByClient = true
            }
        }
    }

    /// - Parameter query: with a count of 1, and without its time.
    func add(_ query: ServedQuery, of peer: IPAddress) {
        let (client, now) = (ServedClient(peer), now())
        state.withLock { state in
            guard var stay = state.stays.removeValue(forKey: client) else { return }
            if let place = stay.places[query] {
                stay.seen.queries[place].count += 1
            } else if stay.seen.queries.count < Limits.queries {
                stay.places[query] = stay.seen.queries.count
                var first = query
                first.time = max(.zero, now - stay.start)
                stay.seen.queries.append(first)
            } else {
                stay.seen.omittedQueries += 1
            }
            state.stays[client] = stay
        }
    }
}
