// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// One served address, over both transports; optionally only for what arrives at one interface.
final class DNSPort {
    /// Queries are shorter, and replies are kept shorter: longer ones use TCP.
    static let maximumDatagramLength = 4096
    /// Connections that may wait until the thread's next turn.
    private static let backlog: Int32 = 1024
    /// Pause until the kernel may have room for another connection.
    private static let pauseWithoutRoom = Duration.seconds(1)

    let address: SocketAddress
    private let datagrams: DatagramSocket
    private let listener: StreamListener
    private let interests: InterestList
    private let token: UInt64
    /// Shared by the ports of a thread, and used by one at a time.
    private let batches: DNSBatches
    /// At most as many as there are pending queries.
    private var lateReplies: [(reply: [UInt8], peer: SocketAddress, local: SocketAddress?)] = []
    /// When to accept again, if there was no room for another connection.
    private var acceptsAgain: Instant?
    /// The turns of the client whose link this port belongs to.
    let turns: ClientTurns

    /// Attempts to get a port from the kernel that is free for connections, too.
    private static let attempts = 16

    /// - Parameters:
    ///   - address: with the port 0 the kernel chooses one that is free for both transports.
    ///   - interface: `nil` for all.
    ///   - advance: CPU time of the server's thread that the client at that interface may use beyond its share.
    ///   - token: the datagrams' token; the next one is for the connections.
    static func open(
        _ address: SocketAddress, interface: Int?, advance: Duration, _ batches: DNSBatches, _ interests: InterestList,
        token: UInt64
    ) throws(SystemError) -> DNSPort {
        var attempt = 1
        while true {
            do throws(SystemError) {
                return try DNSPort(address, interface: interface, advance: advance, batches, interests, token: token)
            } catch {
                guard address.port == 0, error.errno == .EADDRINUSE, attempt < attempts else { throw error }
                attempt += 1
            }
        }
    }

    private init(
        _ address: SocketAddress, interface: Int?, advance: Duration, _ batches: DNSBatches, _ interests: InterestList,
        token: UInt64
    ) throws(SystemError) {
        datagrams = try DatagramSocket(bindingTo: address, interface: interface)
        self.batches = batches
        var address = address
        // Both transports have the same port, chosen by us or by the kernel.
        address.port = datagrams.localAddress.port
        self.address = address
        listener = try StreamListener(bindingTo: address, backlog: Self.backlog, interface: interface)
        self.interests = interests
        self.token = token
        turns = ClientTurns(advance: interface == nil ? nil : advance)
        try interests.add(datagrams.descriptor, .readable, token: token)
        try interests.add(listener.descriptor, .readable, token: token + 1)
    }

    /// When `resume` is to be called.
    var nextDeadline: Instant? { .earlier(acceptsAgain, turns.rest) }

    /// Resumes parts whose pause is over.
    /// - Returns: whether a rest has ended, and so for the client's connections, too.
    func resume(_ now: Instant) -> Bool {
        if let instant = acceptsAgain, instant <= now {
            acceptsAgain = nil
            watch(listener.descriptor, .readable, token: token + 1)
        }
        guard turns.resume(now) else { return false }
        watch(datagrams.descriptor, .readable, token: token)
        return true
    }

    private func watch(_ descriptor: Int32, _ readiness: Epoll.Readiness, token: UInt64) {
        // Modifying the interest in a descriptor fails only if it is not registered.
        try? interests.modify(descriptor, readiness, token: token)
    }

    // MARK: - Datagrams

    /// The number of queries in the next batch; `nil` if none waits.
    func receive() -> Int? {
        // An error (a port unreachable that came back) concerns some earlier reply; the next receive continues.
        guard case .received(let count) = datagrams.receive(into: &batches.queries) else { return nil }
        batches.replies.removeAll()
        return count
    }

    /// Puts a reply into the batch of replies.
    /// - Parameter local: the address to which the query was sent: a client accepts no reply from another (RFC 2181 §4.1).
    func append(_ reply: [UInt8], to peer: SocketAddress, from local: SocketAddress?) {
        _ = batches.replies.append(reply.span, to: peer, from: local)
    }

    func sendReplies() { datagrams.send(batches.replies) }

    /// Runs a turn for datagrams, unless their client rests.
    func takeTurn(_ turn: () -> Void) {
        if turns.rest == nil { turns.take(turn) }
        if turns.rest != nil { watch(datagrams.descriptor, [], token: token) }
    }

    /// Keeps a reply that did not come with its batch. It is sent with others, when `sendLateReplies` is called.
    func appendLate(_ reply: [UInt8], to peer: SocketAddress, from local: SocketAddress?) {
        lateReplies.append((reply, peer, local))
    }

    /// To be called when no other replies are being collected.
    func sendLateReplies() {
        guard !lateReplies.isEmpty else { return }
        batches.replies.removeAll()
        for (reply, peer, local) in lateReplies {
            if batches.replies.isFull {
                sendReplies()
                batches.replies.removeAll()
            }
            append(reply, to: peer, from: local)
        }
        sendReplies()
        lateReplies.removeAll(keepingCapacity: true)
    }

    // MARK: - Connections

    /// Accepts the connections that wait.
    func accept(_ take: (consuming StreamSocket, SocketAddress) -> Void) {
        while true {
            switch listener.accept() {
            case .connection(let socket, let peer):
                if let peer { take(socket, peer) }
            case .wouldBlock:
                return
            case .error(let reason):
                // A connection that was aborted is no reason to pause; a lack of descriptors is.
                if reason == .ECONNABORTED { continue }
                acceptsAgain = MonotonicClock.now() + Self.pauseWithoutRoom
                return watch(listener.descriptor, [], token: token + 1)
            }
        }
    }
}

/// The buffers for reading and writing, shared by all ports of one thread.
final class DNSBatches {
    /// The latest batch.
    fileprivate(set) var queries = DatagramBatch(datagramCapacity: DNSPort.maximumDatagramLength)
    fileprivate var replies = DatagramBatch(datagramCapacity: DNSPort.maximumDatagramLength)
}
