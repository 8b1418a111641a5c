// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import LinuxNet
import Topology
import Wire

/// The clients' TCP connections: clients connect, ask any number of queries, and close (RFC 7766).
///
/// Each connection has a number, which is its token and is never reused: an event for a connection that an earlier event of the
/// same round closed is ignored.
struct Connections {
    static let firstNumber: UInt64 = 1 << 32

    /// Counts of the connections by outcome.
    struct Counts: Hashable {
        var accepted: UInt64 = 0
        /// Closed at once, because the limit was reached, or later to make room for another client.
        var refused: UInt64 = 0
        /// Closed because no whole query arrived in time.
        var timedOut: UInt64 = 0
    }

    private(set) var counts = Counts()
    private let limits: ServiceLimits
    private let interests: InterestList
    private let board: DNSBoard
    private var connections: [UInt64: DNSConnection] = [:]
    private var shares: ClientShares<ServedClient>
    private var nextNumber = Self.firstNumber

    init(_ limits: ServiceLimits, _ interests: InterestList, _ board: DNSBoard) {
        self.limits = limits
        self.interests = interests
        self.board = board
        shares = ClientShares(limit: limits.connections)
    }

    subscript(number: UInt64) -> DNSConnection? { connections[number] }

    /// The earliest deadline of the connections.
    var nextDeadline: Instant? { connections.values.lazy.map(\.deadline).min() }

    // MARK: - Coming and going

    mutating func accept(at port: DNSPort) {
        port.accept { socket, peer in add(socket, of: Endpoint(peer), port.turns) }
    }

    private mutating func add(_ socket: consuming StreamSocket, of client: Endpoint, _ turns: ClientTurns) {
        let now = MonotonicClock.now()
        let owner = ServedClient(client.address)
        // Beyond the limits the connection is closed at once, which a client takes for a busy resolver.
        guard shares.count(of: owner) < limits.connectionsPerClient else { return refuse(client, at: now) }
        let connection = DNSConnection(socket, client: client, turns: turns, deadline: now + limits.idleTime)
        guard (try? interests.add(connection.socket.descriptor, .readable, token: nextNumber)) != nil else { return }
        switch shares.take(nextNumber, for: owner) {
        case .admitted: break
        case .replacing(let other):
            if let taken = connections.removeValue(forKey: other) {
                counts.refused += 1
                board.refuse(.connectionTaken, taken.client.address, at: now)
            }
        case .refused: return refuse(client, at: now)
        }
        counts.accepted += 1
        connections[nextNumber] = connection
        nextNumber += 1
    }

    private mutating func refuse(_ client: Endpoint, at now: Instant) {
        counts.refused += 1
        board.refuse(.connectionRefused, client.address, at: now)
    }

    mutating func close(_ number: UInt64) {
        connections[number] = nil
        shares.release(number)
    }

    mutating func close(allOf owner: ServedClient) {
        for number in shares.numbers(of: owner) { close(number) }
    }

    mutating func closeIdle(_ now: Instant) {
        guard !connections.isEmpty else { return }
        for (number, connection) in connections where connection.deadline <= now {
            close(number)
            counts.timedOut += 1
        }
    }

    // MARK: - Asking and answering

    /// Whether more queries are taken. While a client does not read its replies, its queries stay queued.
    func takesQueries(_ connection: DNSConnection) -> Bool { connection.unread < limits.unreadOctets }

    /// Whether the socket is read: not while the client rests after more than its share, either.
    func reads(_ connection: DNSConnection) -> Bool { takesQueries(connection) && connection.turns.rest == nil }

    /// The next whole query, which from now on counts as unanswered.
    func nextQuery(_ connection: DNSConnection, _ now: Instant) -> [UInt8]? {
        guard takesQueries(connection), let query = connection.nextQuery() else { return nil }
        connection.deadline = now + limits.idleTime
        connection.unanswered += 1
        return query
    }

    /// Appends a reply that did not come at once; it is written when the connection has its turn.
    func replyLate(_ message: [UInt8], _ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.append(message)
        watch(connection, number)
    }

    /// Accounts for a query that gets no reply; the connection is closed if it was the last one to wait for.
    mutating func giveUp(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.unanswered -= 1
        if connection.isDone { close(number) }
    }

    /// Reads the connections of a client again, after its rest.
    func resume(_ turns: ClientTurns) {
        for (number, connection) in connections where connection.turns === turns { watch(connection, number) }
    }

    /// Registers the connection for the events that it needs next.
    func watch(_ connection: DNSConnection, _ number: UInt64) {
        var interest: Epoll.Readiness = []
        if !connection.isFinished, reads(connection) { interest.insert(.readable) }
        if connection.unread > 0 { interest.insert(.writable) }
        guard interest != connection.interest else { return }
        connection.interest = interest
        // Modifying the interest in a descriptor fails only if it is not registered.
        try? interests.modify(connection.socket.descriptor, interest, token: number)
    }
}
