// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// One address that is served, over both transports; perhaps for what comes in at one interface.
final class DNSPort {
    /// Queries are shorter, and replies kept shorter: larger ones go over TCP.
    static let maximumDatagramLength = 4096
    /// Connections that wait until the thread has its next turn.
    private static let backlog: Int32 = 1024
    /// For the kernel to have room for another connection.
    private static let pauseWithoutRoom = Duration.seconds(1)

    let address: SocketAddress
    private let datagrams: DatagramSocket
    private let listener: StreamListener
    private let interests: InterestList
    private let token: UInt64
    /// Used by one port at a time.
    private let batches: DNSBatches
    /// As many as there are queries that wait, at most.
    private var lateReplies: [(reply: [UInt8], peer: SocketAddress, local: SocketAddress?)] = []
    /// While there is no room for another connection, when to look again.
    private var acceptsAgain: Instant?
    /// Of the client whose link this port belongs to.
    let turns: ClientTurns

    /// How often the kernel may choose a port for datagrams that somebody has for connections.
    private static let attempts = 16

    /// - Parameters:
    ///   - address: with the port 0 the kernel chooses one that is free for both transports.
    ///   - interface: `nil` is all of them.
    ///   - advance: what the client at that interface may take of the server's thread beyond its share.
    ///   - token: the datagrams' token; the next one is the connections'.
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

    /// Goes on with what has paused for long enough.
    /// - Returns: whether a rest has ended, the connections' as well.
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
        // Changing what a descriptor is watched for fails only where it is not watched.
        try? interests.modify(descriptor, readiness, token: token)
    }

    // MARK: - Datagrams

    /// The number of the queries in the next batch; `nil` if none waits.
    func receive() -> Int? {
        // An error (a port unreachable that came back) concerns some earlier reply; the next receive goes on.
        guard case .received(let count) = datagrams.receive(into: &batches.queries) else { return nil }
        batches.replies.removeAll()
        return count
    }

    /// Puts a reply into the batch of replies.
    /// - Parameter local: the address that was asked, or the client would not take it (RFC 2181 §4.1).
    func append(_ reply: [UInt8], to peer: SocketAddress, from local: SocketAddress?) {
        _ = batches.replies.append(reply.span, to: peer, from: local)
    }

    func sendReplies() { datagrams.send(batches.replies) }

    /// The datagrams' turn, if their client has one.
    func takeTurn(_ turn: () -> Void) {
        if turns.rest == nil { turns.take(turn) }
        if turns.rest != nil { watch(datagrams.descriptor, [], token: token) }
    }

    /// A reply that did not come with its batch. It goes with others, when `sendLateReplies` is called.
    func appendLate(_ reply: [UInt8], to peer: SocketAddress, from local: SocketAddress?) {
        lateReplies.append((reply, peer, local))
    }

    /// To be called where no other replies are being collected.
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

    /// Takes the connections that wait.
    func accept(_ take: (consuming StreamSocket, SocketAddress) -> Void) {
        while true {
            switch listener.accept() {
            case .connection(let socket, let peer):
                if let peer { take(socket, peer) }
            case .wouldBlock:
                return
            case .error(let reason):
                // A connection that ended on the way is no reason to wait; to be out of descriptors is.
                if reason == .ECONNABORTED { continue }
                acceptsAgain = MonotonicClock.now() + Self.pauseWithoutRoom
                return watch(listener.descriptor, [], token: token + 1)
            }
        }
    }
}

/// What is read and written at a time, for all ports of one thread.
final class DNSBatches {
    /// The latest.
    fileprivate(set) var queries = DatagramBatch(datagramCapacity: DNSPort.maximumDatagramLength)
    fileprivate var replies = DatagramBatch(datagramCapacity: DNSPort.maximumDatagramLength)
}
