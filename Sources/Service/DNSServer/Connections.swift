// SPDX-License-Identifier: Apache-2.0
import DNS64
import Evidence
import LinuxNet
import Topology
import Wire

/// The clients' TCP connections: they come, ask as often as they like, and go (RFC 7766).
///
/// Each has a number, which is its token and never used again: an event for a connection that an earlier event of the same
/// round closed finds nobody.
struct Connections {
    static let firstNumber: UInt64 = 1 << 32

    /// What became of those that came.
    struct Counts: Hashable {
        var accepted: UInt64 = 0
        /// Closed at once, because there were as many as are allowed, or later for another client's.
        var refused: UInt64 = 0
        /// Closed because no whole query came in time.
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

    /// When the first of them is to be closed.
    var nextDeadline: Instant? { connections.values.lazy.map(\.deadline).min() }

    // MARK: - Coming and going

    mutating func accept(at port: DNSPort) {
        port.accept { socket, peer in add(socket, of: Endpoint(peer), port.turns) }
    }

    private mutating func add(_ socket: consuming StreamSocket, of client: Endpoint, _ turns: ClientTurns) {
        let now = MonotonicClock.now()
        let owner = ServedClient(client.address)
        // Beyond the limits the connection is closed at once, which a client takes for a resolver that is busy.
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

    /// A client that does not take replies is not answered further: what was read stays until there is room.
    func takesQueries(_ connection: DNSConnection) -> Bool { connection.unread < limits.unreadOctets }

    /// Nor is more read of one that has had more than its share, while it rests.
    func reads(_ connection: DNSConnection) -> Bool { takesQueries(connection) && connection.turns.rest == nil }

    /// The next whole query, which the connection waits for from now on.
    func nextQuery(_ connection: DNSConnection, _ now: Instant) -> [UInt8]? {
        guard takesQueries(connection), let query = connection.nextQuery() else { return nil }
        connection.deadline = now + limits.idleTime
        connection.unanswered += 1
        return query
    }

    /// A reply that did not come at once; it is written when the connection has its turn.
    func replyLate(_ message: [UInt8], _ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.append(message)
        watch(connection, number)
    }

    /// A reply that will not come; it may have been the last thing to wait for.
    mutating func giveUp(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.unanswered -= 1
        if connection.isDone { close(number) }
    }

    /// What the connections of a client ask is read again.
    func resume(_ turns: ClientTurns) {
        for (number, connection) in connections where connection.turns === turns { watch(connection, number) }
    }

    /// Watches for what the connection needs next.
    func watch(_ connection: DNSConnection, _ number: UInt64) {
        var interest: Epoll.Readiness = []
        if !connection.isFinished, reads(connection) { interest.insert(.readable) }
        if connection.unread > 0 { interest.insert(.writable) }
        guard interest != connection.interest else { return }
        connection.interest = interest
        // Changing what a descriptor is watched for fails only where it is not watched.
        try? interests.modify(connection.socket.descriptor, interest, token: number)
    }
}
