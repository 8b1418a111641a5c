import DNS64
import LinuxNet
import Wire

// TCP: connections come, ask as often as they like, and go (RFC 7766).

extension DNSEventLoop {
    private static let pauseWithoutRoom = Duration.seconds(1)

    // MARK: Accepting

    func accept(_ index: Int) {
        let port = ports[index]
        while true {
            switch port.listener.accept() {
            case .connection(let socket, let peer):
                guard let peer else { continue }
                let client = Endpoint(peer)
                // Beyond the limits the connection is closed at once, which a client takes for a resolver that is busy.
                guard connections.count < limits.connections, count(of: client) < limits.connectionsPerClient
                else {
                    counters.connectionsRefused += 1
                    continue
                }
                counters.connectionsAccepted += 1
                let connection = DNSConnection(
                    socket, client: client, deadline: MonotonicClock.now() + limits.idleTime)
                guard (try? epoll.add(connection.socket.descriptor, .readable, token: nextConnection)) != nil
                else { continue }
                connections[nextConnection] = connection
                nextConnection += 1
            case .wouldBlock:
                return
            case .error(let reason):
                // A connection that ended on the way is no reason to wait; to be out of descriptors is.
                if reason == .ECONNABORTED { continue }
                port.acceptsAgain = MonotonicClock.now() + Self.pauseWithoutRoom
                watch(port, index, [])
                return
            }
        }
    }

    private func count(of client: Endpoint) -> Int {
        connections.values.count { $0.client.address == client.address }
    }

    func resumeAccepting(_ port: DNSPort, _ index: Int, _ now: Instant) {
        guard let instant = port.acceptsAgain, instant <= now else { return }
        port.acceptsAgain = nil
        watch(port, index, .readable)
    }

    private func watch(_ port: DNSPort, _ index: Int, _ readiness: Epoll.Readiness) {
        // Changing what a descriptor is watched for fails only where it is not watched.
        try? epoll.modify(
            port.listener.descriptor, readiness, token: Token.firstPort + 2 * UInt64(index) + 1)
    }

    // MARK: Connections

    func handleConnection(_ number: UInt64, _ readiness: Epoll.Readiness) {
        guard let connection = connections[number] else { return }
        guard connection.write(), takesQueries(connection) ? connection.read(through: &buffer) : true else {
            connections[number] = nil
            return
        }
        let now = MonotonicClock.now()
        // A client that does not take replies is not answered further: what was read stays until there is room.
        while takesQueries(connection), let query = connection.nextQuery() {
            connection.deadline = now + limits.idleTime
            connection.unanswered += 1
            let path = ReplyPath.connection(number)
            switch answer(query.span, from: connection.client, over: .tcp, at: now, path: path) {
            case .reply(let reply): connection.append(reply)
            case .silence: connection.unanswered -= 1
            case .later: break
            }
            if takesQueries(connection) { continue }
            publishRecords()
            if !connection.write() { break }
        }
        publishRecords()
        // What the peer hung up on cannot be written any more.
        guard connection.write(), !connection.isDone, !readiness.contains(.hangUp) else {
            connections[number] = nil
            return
        }
        watch(connection, number)
    }

    private func takesQueries(_ connection: DNSConnection) -> Bool { connection.unread < limits.unreadOctets }

    /// A reply that did not come at once; it is written when the connection has its turn.
    func replyLate(_ message: [UInt8], _ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.append(message)
        watch(connection, number)
    }

    /// A reply that will not come; it may have been the last thing to wait for.
    func giveUp(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        connection.unanswered -= 1
        if connection.isDone { connections[number] = nil }
    }

    /// Watches for what the connection needs next.
    private func watch(_ connection: DNSConnection, _ number: UInt64) {
        var interest: Epoll.Readiness = []
        if !connection.isFinished, takesQueries(connection) { interest.insert(.readable) }
        if connection.unread > 0 { interest.insert(.writable) }
        guard interest != connection.interest else { return }
        connection.interest = interest
        // Changing what a descriptor is watched for fails only where it is not watched.
        try? epoll.modify(connection.socket.descriptor, interest, token: number)
    }

    func closeIdleConnections(_ now: Instant) {
        guard !connections.isEmpty else { return }
        let all = connections.count
        connections = connections.filter { now < $0.value.deadline }
        counters.connectionsTimedOut += UInt64(all - connections.count)
    }
}
