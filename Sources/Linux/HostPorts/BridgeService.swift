// SPDX-License-Identifier: Apache-2.0
internal import Evidence
internal import LinuxNet
internal import Wire

/// The bridge process's work: it accepts connections, connects to the machine's ports, forwards octets, and counts.
struct BridgeService: ~Copyable {
    private let channel: UnixSocket
    private let ports: [HostPort]
    private var epoll: Epoll
    private let pipes = PipePool()
    private var listeners: [UInt64: PortListener] = [:]
    /// By the token of the client's socket.
    private var connections: [UInt64: BridgedConnection] = [:]
    private var uses: [HostPortUse]
    private var areListenersWatched = true
    /// When delivery is given up, whatever the machine accepts; `nil` while the client runs.
    private var drainEnd: Instant?
    /// Even tokens are for listeners and clients' sockets; token + 1 is for the machine's socket.
    private var nextToken: UInt64 = 2

    /// Maximum time for delivering the octets that a client has left.
    static let drainLimit = Duration.seconds(2)
    private static let channelToken: UInt64 = 0

    /// A connection has two sockets, and two pipes with two ends each if neither side accepts data.
    private static let mostConnections = max(1, (DescriptorLimit.current - 256) / 6)

    private final class PortListener {
        let socket: StreamListener
        let index: Int

        init(_ socket: consuming StreamListener, _ index: Int) {
            self.socket = socket
            self.index = index
        }
    }

    init(_ channel: consuming UnixSocket, _ ports: [HostPort]) throws(SystemError) {
        let epoll = try Epoll()
        try epoll.add(channel.descriptor, .readable, token: Self.channelToken)
        self.epoll = epoll
        self.channel = channel
        self.ports = ports
        uses = ports.map { HostPortUse($0) }
    }

    /// Runs until the runner closes the channel.
    mutating func run() {
        while true {
            let count = epoll.wait(until: drainEnd)
            for index in 0..<count {
                let event = epoll[index]
                if event.token == Self.channelToken {
                    guard hear() else { return }
                } else if let listener = listeners[event.token] {
                    accept(at: listener)
                } else {
                    advance(event.token & ~1)
                }
            }
            finishIfDelivered()
            watchListeners()
        }
    }

    /// - Returns: false if the runner is gone.
    private mutating func hear() -> Bool {
        do throws(SystemError) {
            switch try channel.receive(upTo: 16, waiting: false) {
            case .wouldBlock: return true
            case .closed: return false
            case .message(let octets, let descriptor?):
                guard case .serve(let index) = BridgeMessage(octets), ports.indices.contains(Int(index)) else {
                    return false
                }
                let listener = PortListener(try StreamListener(adopting: descriptor), Int(index))
                try epoll.add(listener.socket.descriptor, .readable, token: nextToken)
                listeners[nextToken] = listener
                nextToken += 2
                return true
            case .message(let octets, nil):
                guard case .finish = BridgeMessage(octets) else { return false }
                drainEnd = MonotonicClock.now() + Self.drainLimit
                // The client has ended, so no connections come after those that are waiting now.
                for listener in listeners.values { accept(at: listener) }
                return true
            }
        } catch {
            return false
        }
    }

    private mutating func accept(at listener: PortListener) {
        while connections.count < Self.mostConnections {
            switch listener.socket.accept() {
            case .connection(let socket, peer: _):
                uses[listener.index].connections += 1
                let token = nextToken
                nextToken += 2
                connections[token] = BridgedConnection(
                    socket, index: listener.index, to: ports[listener.index].host, token: token)
                advance(token)
            case .wouldBlock: return
            // The client has already closed the connection, or there are no resources for it now.
            case .error: return
            }
        }
    }

    private mutating func advance(_ token: UInt64) {
        guard let connection = connections[token] else { return }
        switch connection.advance(epoll.interests, pipes) {
        case .goesOn: return
        case .ended: break
        case .refused:
            uses[connection.index].refused += 1
            connection.abort()
        case .failed: connection.abort()
        }
        connections[token] = nil
    }

    /// If there is no room for another connection, new ones wait in the kernel's queue.
    private mutating func watchListeners() {
        let haveRoom = connections.count < Self.mostConnections
        if haveRoom == areListenersWatched { return }
        for (token, listener) in listeners {
            try? epoll.modify(listener.socket.descriptor, haveRoom ? .readable : [], token: token)
        }
        areListenersWatched = haveRoom
    }

    /// Answers the runner when the machine has received all that the client had sent, or the time is up.
    private mutating func finishIfDelivered() {
        guard let drainEnd, drainEnd <= MonotonicClock.now() || connections.values.allSatisfy(\.isDelivered) else {
            return
        }
        self.drainEnd = nil
        for connection in connections.values { connection.abort() }
        connections = [:]
        listeners = [:]
        try? channel.send(BridgeMessage.octets(of: uses).span)
        uses = ports.map { HostPortUse($0) }
    }
}
