// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import Wire

/// A UDP socket that is connected to a forwarder. It carries one question at a time.
final class UpstreamSocket {
    let socket: DatagramSocket
    let server: SocketAddress
    let token: UInt64
    /// When it is closed, unless a question is under way.
    let expires: Instant
    /// Questions that it may still carry.
    fileprivate(set) var uses: Int
    /// The current exchange.
    fileprivate(set) var exchange: UInt64?
    /// Whether the server has answered the current exchange.
    var isAnswered = false

    fileprivate init(
        _ socket: consuming DatagramSocket, to server: SocketAddress, token: UInt64, expires: Instant, uses: Int
    ) {
        self.socket = socket
        self.server = server
        self.token = token
        self.expires = expires
        self.uses = uses
    }
}

/// The UDP sockets to forwarders: those with a question under way, and idle ones.
///
/// Theory of operation. Opening, watching and closing a socket takes as long as three questions with their answers. So a socket
/// whose question was answered is kept for another one. A forger still has to guess as much as before (RFC 5452 §9.2):
///
/// * The port, which the kernel draws for each socket from its range (28,000 ports). A question gets one of at least `choice` sockets
///   at random, and a new one until there are so many; so a client that asks now and then has a new port for each question.
/// * The identifier and the case of the letters, which are drawn for each question. A socket has one question at a time, so
///   one identifier is valid on it, and none while it is idle.
///
/// A port that a forger has found out is of little use: the socket is closed after a random number of questions, after `lifetime`,
/// at the first question that is not answered, and when anything arrives without a question.
///
/// For each server `choice` sockets may be idle, and an equal part of `spare` more: 256 with one server, 1216 with 16, the maximum.
/// If no socket can be opened, idle ones are the fallback: one of the server's own is used again, however few there are, or else
/// the sockets of the other servers are closed to free their descriptors.
struct UpstreamSockets: ~Copyable {
    /// Sockets by their tokens.
    private var open: [UInt64: UpstreamSocket] = [:]
    private var idle: [SocketAddress: [UpstreamSocket]] = [:]
    private var random = SystemRandomness()
    private let maximumIdle: Int
    private let connect: Connect
    /// The next time to check for idle sockets that have expired.
    private(set) var nextDeadline: Instant?

    /// Idle sockets per server before one of them is used again.
    private static let choice = 64
    /// Idle sockets beyond that, for all servers together.
    private static let spare = 192
    private static let lifetime = Duration.seconds(10)
    private static let uses = 16...48

    typealias Connect = @Sendable (SocketAddress) throws(SystemError) -> DatagramSocket

    /// - Parameter servers: the number of servers that are asked.
    init(
        servers: Int,
        connect: @escaping Connect = { server throws(SystemError) in try DatagramSocket(connectingTo: server) }
    ) {
        maximumIdle = Self.choice + Self.spare / max(1, servers)
        self.connect = connect
    }

    subscript(token: UInt64) -> UpstreamSocket? { open[token] }

    // MARK: - Asking

    /// Sends a question. A new socket has to be watched, for `token`.
    mutating func ask(
        _ message: Span<UInt8>, for exchange: UInt64, to server: SocketAddress, token: UInt64, at now: Instant
    ) throws(SystemError) -> (socket: UpstreamSocket, isNew: Bool) {
        while true {
            let (socket, isNew) = try take(for: exchange, to: server, token: token, at: now)
            do throws(SystemError) {
                try socket.socket.send(message)
                return (socket, isNew)
            } catch {
                discard(socket)
                // The error of an idle socket may be an old one: its server was away meanwhile, or the host has lost the socket's
                // own address. So the next one is tried, until a new one fails.
                if isNew { throw error }
            }
        }
    }

    private mutating func take(
        for exchange: UInt64, to server: SocketAddress, token: UInt64, at now: Instant
    ) throws(SystemError) -> (socket: UpstreamSocket, isNew: Bool) {
        if let socket = takeIdle(for: exchange, to: server, ofAtLeast: Self.choice, at: now) { return (socket, false) }
        do throws(SystemError) {
            return (try open(for: exchange, to: server, token: token, at: now), true)
        } catch {
            guard Self.shortages.contains(error.errno), !idle.isEmpty else { throw error }
            if let socket = takeIdle(for: exchange, to: server, ofAtLeast: 1, at: now) { return (socket, false) }
            closeIdle()
            return (try open(for: exchange, to: server, token: token, at: now), true)
        }
    }

    /// Shortages that end when sockets are closed. EAGAIN means that no port is left.
    private static let shortages: [Errno] = [.EMFILE, .ENFILE, .ENOBUFS, .ENOMEM, .EAGAIN]

    private mutating func open(
        for exchange: UInt64, to server: SocketAddress, token: UInt64, at now: Instant
    ) throws(SystemError) -> UpstreamSocket {
        let socket = UpstreamSocket(
            try connect(server), to: server, token: token, expires: now + Self.lifetime,
            uses: Int.random(in: Self.uses, using: &random))
        socket.exchange = exchange
        open[token] = socket
        return socket
    }

    /// A random one of the server's idle sockets, if there are at least `minimum`. Expired ones are closed on the way.
    private mutating func takeIdle(
        for exchange: UInt64, to server: SocketAddress, ofAtLeast minimum: Int, at now: Instant
    ) -> UpstreamSocket? {
        while let count = idle[server]?.count, count >= minimum {
            let chosen = Int.random(in: 0..<count, using: &random)
            idle[server]?.swapAt(chosen, count - 1)
            guard let socket = idle[server]?.popLast() else { return nil }
            if count == 1 { idle[server] = nil }
            if now < socket.expires {
                socket.exchange = exchange
                return socket
            }
            open[socket.token] = nil
        }
        return nil
    }

    // MARK: - Idle sockets

    /// Takes back a socket whose question is over.
    mutating func giveBack(_ socket: UpstreamSocket, at now: Instant) {
        let wasAnswered = socket.isAnswered
        socket.isAnswered = false
        socket.exchange = nil
        socket.uses -= 1
        guard wasAnswered, socket.uses > 0, now < socket.expires,
            idle[socket.server, default: []].count < maximumIdle
        else {
            open[socket.token] = nil
            return
        }
        idle[socket.server, default: []].append(socket)
        nextDeadline = min(nextDeadline ?? socket.expires, socket.expires)
    }

    /// Closes a socket that has failed, or received something without a question.
    mutating func discard(_ socket: UpstreamSocket) {
        open[socket.token] = nil
        guard let place = idle[socket.server]?.firstIndex(where: { $0 === socket }) else { return }
        idle[socket.server]?.remove(at: place)
    }

    private mutating func closeIdle() {
        for socket in idle.values.joined() { open[socket.token] = nil }
        idle = [:]
        nextDeadline = nil
    }

    /// Closes idle sockets that have expired.
    mutating func closeExpired(_ now: Instant) {
        guard let deadline = nextDeadline, deadline <= now else { return }
        nextDeadline = nil
        for (server, sockets) in idle {
            let (expired, kept) = (sockets.filter { $0.expires <= now }, sockets.filter { $0.expires > now })
            for socket in expired { open[socket.token] = nil }
            idle[server] = kept.isEmpty ? nil : kept
            for socket in kept { nextDeadline = min(nextDeadline ?? socket.expires, socket.expires) }
        }
    }
}
