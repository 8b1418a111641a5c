// SPDX-License-Identifier: Apache-2.0
internal import Evidence
internal import LinuxNet
internal import Wire

/// What the process does that leads to ports of the machine: it accepts, connects, moves octets, and counts.
struct BridgeService: ~Copyable {
    private let channel: UnixSocket
    private let ports: [HostPort]
    private var epoll: Epoll
    private let pipes = PipePool()
    private var doors: [UInt64: Door] = [:]
    /// By the token of the client's end.
    private var connections: [UInt64: BridgedConnection] = [:]
    private var uses: [HostPortUse]
    private var areDoorsWatched = true
    /// When an end comes, whatever the machine takes; `nil` while the client runs.
    private var drainEnd: Instant?
    /// Even ones are of doors and clients' ends; the next one is of the machine's end.
    private var nextToken: UInt64 = 2

    /// How long what a client has left may take to be handed on.
    static let drainLimit = Duration.seconds(2)
    private static let channelToken: UInt64 = 0

    /// A connection has two sockets, and two pipes of two ends where neither end takes what comes.
    private static let mostConnections = max(1, (DescriptorLimit.current - 256) / 6)

    private final class Door {
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

    /// Until the runner hangs up.
    mutating func run() {
        while true {
            let count = epoll.wait(until: drainEnd)
            for index in 0..<count {
                let event = epoll[index]
                if event.token == Self.channelToken {
                    guard hear() else { return }
                } else if let door = doors[event.token] {
                    accept(at: door)
                } else {
                    advance(event.token & ~1)
                }
            }
            finishIfDelivered()
            watchDoors()
        }
    }

    /// - Returns: false where the runner has gone.
    private mutating func hear() -> Bool {
        do throws(SystemError) {
            switch try channel.receive(upTo: 16, waiting: false) {
            case .wouldBlock: return true
            case .closed: return false
            case .message(let octets, let descriptor?):
                guard case .serve(let index) = BridgeMessage(octets), ports.indices.contains(Int(index)) else {
                    return false
                }
                let door = Door(try StreamListener(adopting: descriptor), Int(index))
                try epoll.add(door.socket.descriptor, .readable, token: nextToken)
                doors[nextToken] = door
                nextToken += 2
                return true
            case .message(let octets, nil):
                guard case .finish = BridgeMessage(octets) else { return false }
                drainEnd = MonotonicClock.now() + Self.drainLimit
                // The client has ended, so what is at the doors is all that there will be.
                for door in doors.values { accept(at: door) }
                return true
            }
        } catch {
            return false
        }
    }

    private mutating func accept(at door: Door) {
        while connections.count < Self.mostConnections {
            switch door.socket.accept() {
            case .connection(let socket, peer: _):
                uses[door.index].connections += 1
                let token = nextToken
                nextToken += 2
                connections[token] = BridgedConnection(
                    socket, index: door.index, to: ports[door.index].host, token: token)
                advance(token)
            case .wouldBlock: return
            // One that has gone already, or no room now.
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

    /// Where there is no room for another connection, those that come wait.
    private mutating func watchDoors() {
        let haveRoom = connections.count < Self.mostConnections
        if haveRoom == areDoorsWatched { return }
        for (token, door) in doors {
            try? epoll.modify(door.socket.descriptor, haveRoom ? .readable : [], token: token)
        }
        areDoorsWatched = haveRoom
    }

    /// Answers the runner when what the client had sent is with the machine, or takes too long.
    private mutating func finishIfDelivered() {
        guard let drainEnd, drainEnd <= MonotonicClock.now() || connections.values.allSatisfy(\.isDelivered) else {
            return
        }
        self.drainEnd = nil
        for connection in connections.values { connection.abort() }
        connections = [:]
        doors = [:]
        try? channel.send(BridgeMessage.octets(of: uses).span)
        uses = ports.map { HostPortUse($0) }
    }
}
