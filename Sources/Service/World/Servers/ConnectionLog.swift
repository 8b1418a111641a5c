package import Evidence
import Synchronization
package import Topology
package import Wire

/// What the servers of a world saw of their clients' connections over TLS and HTTP. Any thread may call.
///
/// A client has a log of its own from `begin` to `end`, with the first connections and the first requests of each; what follows is
/// counted. So no client can make it grow, or push out what is another's.
package final class ConnectionLog: Sendable {
    enum Limits {
        /// Connections of a client.
        static let connections = 1024
        /// Requests of a client, over all its connections; and of one of these.
        static let exchanges = 4096
        static let exchangesOfConnection = 64
        /// Of each text that comes from a client, in octets.
        static let text = 256
    }

    /// A connection of a client that is there still.
    struct Entry: Sendable {
        fileprivate let client: ServedClient
        /// Which of the clients that were in that place.
        fileprivate let stay: UInt64
        fileprivate let index: Int
        fileprivate let start: Instant
    }

    private struct Stay {
        let number: UInt64
        let start: Instant
        var connections: [ServedConnection] = []
        var exchanges = 0
        /// Connections that nobody has ended yet.
        var standing: Set<Int> = []
        var omitted = 0
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

    /// - Returns: what was seen of the client, and how many connections more there were.
    package func end(_ client: ServedClient) -> (connections: [ServedConnection], omitted: Int) {
        state.withLock { state in
            state.stays.removeValue(forKey: client).map { ($0.connections, $0.omitted) } ?? ([], 0)
        }
    }

    /// What has been seen of the client so far.
    func connections(of client: ServedClient) -> [ServedConnection] {
        state.withLock { $0.stays[client]?.connections ?? [] }
    }

    /// Whether the client has connections that neither side has ended.
    package func hasStanding(_ client: ServedClient) -> Bool {
        state.withLock { $0.stays[client]?.standing.isEmpty == false }
    }

    /// - Returns: `nil` if nobody wants to know of this client, or there is no room.
    func open(_ peer: IPAddress, _ service: ServiceEnd) -> Entry? {
        let (client, now) = (ServedClient(peer), now())
        return state.withLock { state in
            guard var stay = state.stays[client] else { return nil }
            defer { state.stays[client] = stay }
            guard stay.connections.count < Limits.connections else {
                stay.omitted += 1
                return nil
            }
            let index = stay.connections.count
            stay.connections.append(
                ServedConnection(time: max(.zero, now - stay.start), address: service.address, port: service.port))
            stay.standing.insert(index)
            return Entry(client: client, stay: stay.number, index: index, start: now)
        }
    }

    /// - Parameter body: is told how long ago the connection came.
    func change(_ entry: Entry, _ body: (inout ServedConnection, _ age: Duration) -> Void) {
        let age = age(entry)
        state.withLock { state in
            guard state.stays[entry.client]?.number == entry.stay else { return }
            body(&state.stays[entry.client]!.connections[entry.index], age)
        }
    }

    /// - Returns: where among the connection's exchanges it is; `nil` if there is no room.
    func add(_ exchange: HTTPExchange, to entry: Entry) -> Int? {
        var exchange = exchange
        exchange.time = age(entry)
        return state.withLock { state -> Int? in
            guard var stay = state.stays[entry.client], stay.number == entry.stay else { return nil }
            defer { state.stays[entry.client] = stay }
            let count = stay.connections[entry.index].exchanges.count
            guard stay.exchanges < Limits.exchanges, count < Limits.exchangesOfConnection else {
                stay.connections[entry.index].omittedExchanges += 1
                return nil
            }
            stay.exchanges += 1
            stay.connections[entry.index].exchanges.append(exchange)
            return count
        }
    }

    private func age(_ entry: Entry) -> Duration { max(.zero, now() - entry.start) }

    func close(_ entry: Entry, byClient: Bool) {
        state.withLock { state in
            guard state.stays[entry.client]?.number == entry.stay else { return }
            if state.stays[entry.client]!.standing.remove(entry.index) != nil, byClient {
                state.stays[entry.client]!.connections[entry.index].wasEndedByClient = true
            }
        }
    }
}
