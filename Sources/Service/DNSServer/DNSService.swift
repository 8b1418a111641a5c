// SPDX-License-Identifier: Apache-2.0
package import DNS64
package import Evidence
package import LinuxNet
package import Wire

/// The DNS server of a simulated network: UDP and TCP, on one thread of its own.
///
/// Theory of operation. `init` binds the sockets in the network namespace of the calling thread, so any error with the addresses
/// shows at once. `start` hands them to the service's thread, which alone uses them from then on; `stop` waits for it, and
/// everything is closed when it returns. The log, the counters and the networks to be served are on a board, behind a lock, and
/// can be used from any thread at any time, even after the end.
package final class DNSService: Sendable {
    /// The addresses on which it listens; for port 0, the port that the kernel chose.
    package let addresses: [SocketAddress]

    private let board: DNSBoard
    private let loop: LoopThread<DNSLoop>

    /// - Parameters:
    ///   - interfaces: listens on each of these with queues of its own; on all interfaces, with one set of queues, if empty.
    ///   - validator: made for this configuration, if it wants validation.
    package init(
        _ configuration: ResolverConfiguration, listeningOn addresses: [SocketAddress], interfaces: [Int] = [],
        limits: ServiceLimits = ServiceLimits(), validator: Validator? = nil
    ) throws(SystemError) {
        board = DNSBoard(
            networks: configuration.networks, faults: configuration.faults, logCapacity: limits.loggedQueries)
        let interests = try InterestList()
        let state = try DNSLoop(
            configuration, addresses: addresses, interfaces: interfaces, limits: limits, validator: validator,
            board: board, interests)
        self.addresses = state.addresses
        loop = try LoopThread(name: "dns", state, on: interests)
    }

    /// Starts to serve. A service can be started once.
    package func start() throws(SystemError) { try loop.start() }

    /// Stops serving and closes everything; the log stays.
    package func stop() { _ = try? loop.stop() }

    /// The latest queries, oldest first, and how many earlier ones were forgotten.
    package var log: QueryLog { board.log }

    /// The number that the next query will have in the log.
    package var nextQuery: UInt64 { board.nextQuery }

    /// The queries from `number` on, `limit` of them at most.
    package func records(from number: UInt64, limit: Int = .max) -> QueryLog.Excerpt {
        board.records(from: number, limit: limit)
    }

    /// Waits until everything that has arrived at the sockets so far has been dealt with, and is in the log. To be called between
    /// `start` and `stop`.
    package func settle() { try? loop.settle() }

    /// Answered in the thread's next round.
    package func sign() -> PendingReply<Bool> { loop.pose { _ in true } }

    // MARK: - One client's queries

    /// Begins to keep a separate log for the client that has these addresses, until `leave`: it is bounded, and the queries of
    /// others do not fill it.
    /// - Returns: the client's number in this service.
    package func follow(_ addresses: [IPAddress], since start: Instant) -> UInt64 {
        let resolver = Endpoint(self.addresses[0])
        return board.follow(addresses, ClientQueries(since: start, resolver: resolver))
    }

    /// Adds addresses to a followed client.
    package func follow(_ addresses: [IPAddress], of client: UInt64) { board.follow(addresses, of: client) }

    /// The queries of this client so far; `nil` if it is not followed any more.
    package func queries(of client: UInt64) -> ClientQueries? { board.queries(of: client) }

    /// Removes a client that has left: its log, and its remaining connections.
    package func leave(_ client: UInt64) {
        let addresses = board.leave(client)
        loop.tell { $0.disconnect(addresses) }
    }

    // MARK: - The queries of many clients

    /// Begins to keep a log for each address that asks, for at most this many addresses.
    package func followMany(limit: Int) {
        board.followMany(QueriesByClient(limit: limit, resolver: Endpoint(addresses[0])))
    }

    /// The queries by address, and the number of addresses that were forgotten to make room.
    package var askers: (all: [Asker], forgotten: Int) { board.askers }

    // MARK: - In general

    /// The counters so far.
    package var counters: DNSCounters { board.counters }

    /// The clients' networks and their policies; a change applies from the next query on.
    package var networks: [ServedNetwork] {
        get { board.networks }
        set {
            board.networks = newValue
            loop.tell { $0.takeChanges() }
        }
    }

    /// Replaces the records that it knows by itself; applies from the next query on.
    package func know(_ store: RecordStore) {
        loop.tell { $0.know(store) }
    }

    /// Faults to inject; a change applies from the next query on. Faults that stay go on counting queries, new ones begin to.
    package var faults: [Fault] {
        get { board.faults }
        set { changeFaults { $0 = newValue } }
    }

    /// Changes the faults; calls are serialised.
    package func changeFaults(_ change: (inout [Fault]) -> Void) {
        board.changeFaults(change)
        loop.tell { $0.takeChanges() }
    }

    /// The faults in their order, and how often each fired.
    package var faultCounts: [FaultCount] { board.faultCounts }
}
