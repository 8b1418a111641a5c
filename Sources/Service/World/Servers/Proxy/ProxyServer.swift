// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import DNS64
import Evidence
import Glibc
import LinuxNet
import NIOCore
import NIOPosix
import Wire

/// A proxy of the world: opens the clients' connections to hosts.
struct ProxyServer: Sendable {
    let service: ServiceEnd
    let reach: ProxyReach
    let connections: ServedConnections
    let log: ConnectionLog

    /// Maximum time until a client's request is complete, whatever it sends.
    var patience = TimeAmount.seconds(60)
    /// Maximum time for a host to accept a connection.
    private static let hostPatience = TimeAmount.seconds(10)

    /// Starts to serve at a listener's socket. Blocks until it serves, so it must not be called from a task.
    func serve(_ listener: ServiceListener, _ socket: consuming Descriptor, _ group: MultiThreadedEventLoopGroup) throws
    {
        let number = socket.release()
        _ = try ServerBootstrap(group: group)
            .boundedTCPServer(at: listener, number, connections)
            .childChannelInitializer { client in
                client.eventLoop.makeCompletedFuture {
                    let connection = ConnectionRecorder(service, log: log)
                    try client.pipeline.syncOperations.addHandlers([connection, ProxyConnection(self, connection)])
                }
            }
            .withBoundSocket(number).wait()
    }

    /// A connection to a host, or why there is none.
    enum Attempt {
        case connected(any Channel)
        case failed(ProxiedRequest.Result)
    }

    /// Connects to the host that a client wants, on the client's event loop, trying its addresses in order. The connection takes a
    /// slot among those of the client.
    func connect(_ client: any Channel, to wanted: ProxiedRequest) -> EventLoopFuture<Attempt> {
        let loop = client.eventLoop
        guard let peer = client.remoteAddress.flatMap(IPAddress.init(socketAddress:)) else {
            return loop.makeSucceededFuture(.failed(.noRoom))
        }
        switch reach.addresses(of: wanted.host) {
        case .failure(let obstacle): return loop.makeSucceededFuture(.failed(obstacle.result))
        case .success(let addresses):
            // A proxy may be the client of another proxy, or of itself: the connection still counts as the first client's.
            let origin = client.remoteEnd.flatMap(connections.proxied.client) ?? peer
            guard let number = connections.admit(origin, to: service, close: { client.close(promise: nil) }) else {
                return loop.makeSucceededFuture(.failed(.noRoom))
            }
            let attempt = connect(to: addresses[...], port: wanted.port, for: origin, on: loop)
            attempt.whenComplete { [connections] attempt in
                guard case .success(.connected(let host)) = attempt else { return connections.release(number) }
                host.closeFuture.whenComplete { _ in connections.release(number) }
            }
            return attempt
        }
    }

    private func connect(
        to addresses: ArraySlice<IPAddress>, port: UInt16, for origin: IPAddress, on loop: any EventLoop
    ) -> EventLoopFuture<Attempt> {
        guard let address = addresses.first, let source = reach.source(to: address) else {
            return loop.makeSucceededFuture(.failed(.unroutable))
        }
        return attempt(address, port, from: source, for: origin, on: loop).flatMap { attempt in
            if case .failed = attempt, addresses.count > 1 {
                return connect(to: addresses.dropFirst(), port: port, for: origin, on: loop)
            }
            return loop.makeSucceededFuture(attempt)
        }
    }

    private func attempt(
        _ address: IPAddress, _ port: UInt16, from source: IPAddress, for origin: IPAddress, on loop: any EventLoop
    ) -> EventLoopFuture<Attempt> {
        do {
            return try ClientBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                .boundedConnection
                .connectTimeout(Self.hostPatience)
                .channelInitializer { [proxied = connections.proxied] host in
                    host.eventLoop.makeCompletedFuture {
                        try host.pipeline.syncOperations.addHandler(ProxiedClient(origin, among: proxied))
                    }
                }
                .bind(to: NIOCore.SocketAddress(source, port: 0))
                .connect(to: NIOCore.SocketAddress(address, port: port))
                .map { .connected($0) }
                .flatMapErrorThrowing { .failed(Self.result($0)) }
        } catch {
            return loop.makeSucceededFuture(.failed(.unroutable))
        }
    }

    private static func result(_ error: any Error) -> ProxiedRequest.Result {
        switch error {
        case let error as IOError:
            switch error.errnoCode {
            case ECONNREFUSED: return .refused
            case ETIMEDOUT: return .timedOut
            case EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL: return .noRoom
            default: return .unroutable
            }
        default:
            if case .connectTimeout? = error as? ChannelError { return .timedOut }
            return .unroutable
        }
    }
}

extension Channel {
    var remoteEnd: Endpoint? { remoteAddress.flatMap(Endpoint.init) }
}
