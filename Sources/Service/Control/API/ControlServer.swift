// SPDX-License-Identifier: Apache-2.0
import HTTPServing
import HTTPTypes
package import LinuxNet
import NIOCore
import NIOPosix

/// The control API of a daemon on a Unix socket.
package final class ControlServer: Sendable {
    /// Limits for clients of the API.
    package struct Limits: Sendable {
        /// At one time, of which a user has a share; further connections get an error.
        package var connections = 64
        /// Connections that follow the events, and the events that may be queued for each of them.
        package var subscribers = 16
        package var waitingEvents = 1024
        /// Timeout for a client to send a request, or to read the response.
        package var timeout = Duration.seconds(30)
        /// The same for a connection's first request.
        package var firstRequestTimeout = Duration.seconds(10)
        /// Idle interval before a stream of events sends a keep-alive.
        package var heartbeat = Duration.seconds(10)

        package init() {}
    }

    private let group: MultiThreadedEventLoopGroup
    private let hub: EventHub
    private let work: [Task<Void, Never>]

    /// Octets that wait to be sent on one connection before its source has to pause.
    private static let pendingWrites = 64 * 1024...256 * 1024

    /// Serves `daemon` to every client that connects to `listener`, from when this returns.
    /// - Parameters:
    ///   - owner: the daemon's user.
    ///   - tell: called for each connection that is refused, with the reason.
    package static func start(
        at listener: borrowing UnixListener, for daemon: some Controllable, ownedBy owner: UInt32,
        limits: Limits = Limits(),
        tellRefusal tell: @escaping @Sendable (UnixPeer, String) -> Void = { _, _ in }
    ) async throws -> ControlServer {
        let hub = EventHub(capacity: limits.waitingEvents, limit: limits.subscribers, ownedBy: owner)
        let api = ControlAPI(daemon, events: hub)
        // If a later step fails, the thread is left to the end of the process: ending it would kill a confined process (see `stop`) before
        // the process has reported the reason.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let timeout = TimeAmount(limits.timeout)
        let firstRequestTimeout = TimeAmount(min(limits.firstRequestTimeout, limits.timeout))
        let heartbeat = TimeAmount(limits.heartbeat)
        let gate = PeerGate(limits.connections, ownedBy: owner, tell: tell)
        let turns = RequestTurns(owner: owner)
        let connection = HTTPConnection(server: "nat64sim") { request, channel in
            do {
                let user = try gate.user(of: channel)
                return try await turns.answer(user, on: channel.eventLoop, ifWanted: { channel.isActive }) {
                    try await api.respond(to: request, context: ControlContext(user: user))
                }
            } catch let refusal as PeerGate.Refusal {
                // There may be room a moment later.
                return refusal.problem.response([.retryAfter: "1"])
            }
        } observers: {
            [ConnectionTimeout(timeout, first: firstRequestTimeout)]
        }
        let events = try await daemon.events()
        let socket = try listener.duplicate().release()
        let http = try await HTTPListener(connection: connection) { prepare in
            try await ServerBootstrap(group: group)
                .boundedConnections(pendingWrites: pendingWrites)
                .bind(socket) { channel in gate.admit(channel).flatMap { prepare(channel) } }
        }
        return ControlServer(
            group: group, hub: hub,
            work: [
                Task { await http.run() },
                Task { for await event in events { hub.publish(event) } },
                Task { await hub.beat(every: heartbeat, on: group.any()) },
            ])
    }

    private init(group: MultiThreadedEventLoopGroup, hub: EventHub, work: [Task<Void, Never>]) {
        self.group = group
        self.hub = hub
        self.work = work
    }

    /// Ends all connections. The socket is owned by the listener, and closed with it.
    package func finish() async {
        hub.finish()
        for task in work { task.cancel() }
        for task in work { await task.value }
    }

    /// Like `finish`, and ends the threads. Not for a confined process: NIO has Dispatch do that, which opens files.
    package func stop() async {
        await finish()
        // Fails only if the group was shut down before.
        try? await group.shutdownGracefully()
    }
}

extension EventHub {
    /// Publishes heartbeats until the task is cancelled.
    fileprivate func beat(every interval: TimeAmount, on loop: any EventLoop) async {
        while (try? await loop.pause(for: interval)) != nil { publish(.heartbeat()) }
    }
}
