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
    /// The exchange that it carries now.
    fileprivate(set) var exchange: UInt64?
    /// Whether the server has answered that.
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

/// The UDP sockets to forwarders: those with a question under way, and those that wait for the next one.
///
/// Theory of operation. To open a socket, to have it watched and to close it takes as long as to ask and to be answered three times. So a
/// socket whose question was answered waits for another one. What a forger has to guess stays what it was (RFC 5452 §9.2):
///
/// * The port, which the kernel draws for each socket from its range (28,000 ports). A question gets one of at least `choice` sockets by
///   lot, and until there are so many a new one; so who asks now and then has a new port for each question.
/// * The identifier and the case of the letters, which are drawn for each question. A socket has one question at a time, so
///   one identifier is right there, and none while it waits.
///
/// A port that somebody has found out is good for little: after a number of questions that is drawn by lot, after `lifetime`, with the first
/// question that is not answered, and when anything comes though nothing was asked, the socket is closed.
struct UpstreamSockets: ~Copyable {
    /// Sockets by their tokens.
    private var open: [UInt64: UpstreamSocket] = [:]
    private var idle: [SocketAddress: [UpstreamSocket]] = [:]
    private var idleCount = 0
    private var random = SystemRandomness()
    /// When to look which of those that wait have expired.
    private(set) var nextDeadline: Instant?

    /// Sockets that wait for one server before one of them is used again.
    private static let choice = 64
    /// Sockets that wait, for all servers together.
    private static let maximumIdle = 256
    private static let lifetime = Duration.seconds(10)
    private static let uses = 16...48

    subscript(token: UInt64) -> UpstreamSocket? { open[token] }

    /// A socket for a question. A new one has to be watched, for `token`.
    mutating func take(
        for exchange: UInt64, to server: SocketAddress, token: UInt64, at now: Instant
    ) throws(SystemError) -> (socket: UpstreamSocket, isNew: Bool) {
        if let count = idle[server]?.count, count >= Self.choice {
            let chosen = Int.random(in: 0..<count, using: &random)
            idle[server]?.swapAt(chosen, count - 1)
            if let socket = idle[server]?.popLast() {
                idleCount -= 1
                socket.exchange = exchange
                return (socket, false)
            }
        }
        let socket = UpstreamSocket(
            try DatagramSocket(connectingTo: server), to: server, token: token, expires: now + Self.lifetime,
            uses: Int.random(in: Self.uses, using: &random))
        socket.exchange = exchange
        open[token] = socket
        return (socket, true)
    }

    /// Its question is over.
    mutating func giveBack(_ socket: UpstreamSocket, at now: Instant) {
        let wasAnswered = socket.isAnswered
        socket.isAnswered = false
        socket.exchange = nil
        socket.uses -= 1
        guard wasAnswered, socket.uses > 0, now < socket.expires, idleCount < Self.maximumIdle else {
            open[socket.token] = nil
            return
        }
        idleCount += 1
        idle[socket.server, default: []].append(socket)
        if nextDeadline == nil { nextDeadline = now + Self.lifetime }
    }

    /// Something has come, or has gone wrong, though nothing was asked.
    mutating func discard(_ socket: UpstreamSocket) {
        open[socket.token] = nil
        guard let place = idle[socket.server]?.firstIndex(where: { $0 === socket }) else { return }
        idle[socket.server]?.remove(at: place)
        idleCount -= 1
    }

    /// Closes those that wait and have expired.
    mutating func closeExpired(_ now: Instant) {
        guard let deadline = nextDeadline, deadline <= now else { return }
        nextDeadline = nil
        for (server, sockets) in idle {
            let (expired, kept) = (sockets.filter { $0.expires <= now }, sockets.filter { $0.expires > now })
            for socket in expired { open[socket.token] = nil }
            idleCount -= expired.count
            idle[server] = kept.isEmpty ? nil : kept
            for socket in kept { nextDeadline = min(nextDeadline ?? socket.expires, socket.expires) }
        }
    }
}
