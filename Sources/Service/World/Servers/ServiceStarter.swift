// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import HTTPServing
import LinuxNet
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Wire

/// Starts the servers of services: on one event loop, with one router for all HTTP and one certificate for each host of a
/// service. All of these are created on first use.
final class ServiceStarter: Sendable {
    /// One, as the machine's other cores are for the packet path and the client.
    private static let threads = 1

    private struct State {
        var group: MultiThreadedEventLoopGroup?
        var application: HTTPApplication?
        var certificates: [World.Service: ServerCertificates] = [:]
        var servers: [Task<Void, Never>] = []
        /// The sockets that accept connections; the servers own them.
        var listeners: [Int32] = []
    }

    private let state = Mutex(State())
    private let world: World
    private let authority: CertificateAuthority
    private let log: ConnectionLog
    private let connections: ServedConnections
    private let programNumbers: [World.Service: Int]
    private let programThread: ProgramThread
    /// `nil` if no service needs one.
    private let resolver: PublicResolver?

    /// - Parameter programNumbers: as `ProgramHost` counts them.
    init(
        world: World, authority: CertificateAuthority, log: ConnectionLog, connections: ServedConnections,
        programNumbers: [World.Service: Int], programThread: ProgramThread, resolver: PublicResolver?
    ) {
        self.world = world
        self.authority = authority
        self.log = log
        self.connections = connections
        self.programNumbers = programNumbers
        self.programThread = programThread
        self.resolver = resolver
    }

    /// Takes a listener's socket and starts a server for it. On return the server runs, and has accepted the clients that were
    /// waiting. Blocks, so it must not be called from a task.
    func serve(_ listener: ServiceListener) throws {
        guard let socket = listener.take() else { return }
        let number = socket.number
        let group = group
        switch listener.service.kind {
        case .http, .metadata:
            try accept(connection(listener, ServedNames(listener.service, in: world)), listener, socket, group)
        case .https:
            let names = ServedNames(listener.service, in: world)
            let connection = TLSConnection(
                base: connection(listener, names),
                certificates: try certificates(of: listener.service, ["h2", "http/1.1"]))
            try accept(connection, listener, socket, group)
        case .dot: try startDNSOverTLS(listener, socket, group)
        case .proxy: try startProxy(listener, socket, group)
        case .tcpEcho: try startTCPEcho(listener, socket, group)
        case .udpEcho: try startUDPEcho(socket, group)
        case .program: try startPrograms(listener, socket, group)
        }
        if listener.service.kind.transport == .tcp { state.withLock { $0.listeners.append(number) } }
        awaitRounds(
            of: group, whileInputAt: [number], until: MonotonicClock.now() + Self.acceptanceLimit,
            each: Self.roundLimit)
    }

    /// Maximum time to accept waiting clients: they may come faster than they are accepted, or no descriptor may be free.
    private static let acceptanceLimit = Duration.milliseconds(500)
    /// Maximum time of a round of the loop, which waits for nothing but a processor.
    private static let roundLimit = Duration.seconds(5)

    /// Waits until all running servers have accepted the clients that were waiting. Blocks, so it must not be called from a task.
    func acceptAll(until deadline: Instant) {
        let (group, listeners) = state.withLock { ($0.group, $0.listeners) }
        guard let group else { return }
        let limit = max(.zero, deadline - MonotonicClock.now())
        awaitRounds(of: group, whileInputAt: listeners, until: deadline, each: limit)
    }

    /// - Parameter limit: for each round of the loop: a loop that is shut down meanwhile runs no more rounds and reports nothing.
    private func awaitRounds(
        of group: MultiThreadedEventLoopGroup, whileInputAt sockets: [Int32], until deadline: Instant,
        each limit: Duration
    ) {
        func round() {
            let reply = Reply<Void>()
            group.any().execute { reply.give(()) }
            _ = reply.wait(atMost: limit)
        }
        // A round may end before the loop polls a socket, however many rounds are awaited.
        while waitForInput(sockets, until: .zero), MonotonicClock.now() < deadline { round() }
        // The first round handles the input that was read, the second the tasks that this submitted.
        for _ in 0..<2 { round() }
    }

    /// Ends all servers and their connections.
    func stop() async {
        let (servers, group) = state.withLock { state in
            defer { state = State() }
            return (state.servers, state.group)
        }
        for server in servers { server.cancel() }
        for server in servers { await server.value }
        // Fails only if the group was shut down before.
        try? await group?.shutdownGracefully()
    }

    /// Whether there is anything to stop.
    var hasBegun: Bool { state.withLock { $0.group != nil } }

    private var group: MultiThreadedEventLoopGroup {
        state.withLock { state in
            let group = state.group ?? MultiThreadedEventLoopGroup(numberOfThreads: Self.threads)
            state.group = group
            return group
        }
    }

    private func keep(_ server: Task<Void, Never>) { state.withLock { $0.servers.append(server) } }

    /// The service's certificates, the same at every interface.
    private func certificates(of service: World.Service, _ applicationProtocols: [String]) throws -> ServerCertificates
    {
        try state.withLock { state in
            if let known = state.certificates[service] { return known }
            let made = try ServerCertificates(
                service, ServedNames(service, in: world), by: authority, applicationProtocols: applicationProtocols)
            state.certificates[service] = made
            return made
        }
    }

    // MARK: HTTP

    private func connection(_ listener: ServiceListener, _ names: ServedNames) -> NegotiatedHTTPConnection {
        let (service, end, web) = (listener.service, listener.end, listener.service.web)
        let application = state.withLock { state in
            let application = state.application ?? HTTPApplication()
            state.application = application
            return application
        }
        return NegotiatedHTTPConnection(
            server: "ipv6check",
            respond: application.responder(
                for: service, names,
                resolver.flatMap { web.tellsAddresses ? HTTPDNS(resolver: $0, service: end) : nil },
                resolver.flatMap { web.answersDNS ? DNSOverHTTPS(resolver: $0, service: end) : nil })
        ) { [log] in
            let connection = ConnectionRecorder(end, log: log)
            return NegotiatedHTTPConnection.Observers(connection: connection, version: connection.note) {
                ExchangeRecorder(of: connection) { names.isUnknown($0, to: service) }
            }
        }
    }

    private func accept(
        _ connection: some ServerConnection, _ listener: ServiceListener, _ socket: consuming Descriptor,
        _ group: MultiThreadedEventLoopGroup
    ) throws {
        let number = socket.release()
        let listener = try blocking { [connections] in
            try await HTTPListener(connection: connection) { prepare in
                try await ServerBootstrap(group: group).boundedTCPServer(at: listener, number, connections).bind(
                    number, childChannelInitializer: prepare)
            }
        }
        keep(Task { await listener.run() })
    }

    // MARK: Programs

    /// Serves TLS in front of programs.
    private func startPrograms(
        _ listener: ServiceListener, _ socket: consuming Descriptor, _ group: MultiThreadedEventLoopGroup
    ) throws {
        let certificates = try certificates(of: listener.service, [])
        let program = programNumbers[listener.service]!
        let number = socket.release()
        _ = try ServerBootstrap(group: group).boundedTCPServer(at: listener, number, connections)
            .childChannelInitializer { [programThread, log] client in
                client.callProgram(program, listener.end, programThread, certificates, log)
            }
            .withBoundSocket(number).wait()
    }

    // MARK: DNS

    private func startDNSOverTLS(
        _ listener: ServiceListener, _ socket: consuming Descriptor, _ group: MultiThreadedEventLoopGroup
    ) throws {
        guard let resolver else { return }
        let certificates = try certificates(of: listener.service, [DNSOverTLS.applicationProtocol])
        let number = socket.release()
        _ = try ServerBootstrap(group: group).boundedTCPServer(at: listener, number, connections)
            // So a client that does not take its replies has at most one read waiting.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [log] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.readServerName(choosingFrom: certificates)
                    let connection = ConnectionRecorder(listener.end, log: log)
                    try channel.pipeline.syncOperations.addHandlers(
                        [connection, DNSOverTLS(resolver, at: listener.end, connection)])
                }
            }
            .withBoundSocket(number).wait()
    }

    // MARK: Proxy

    private func startProxy(
        _ listener: ServiceListener, _ socket: consuming Descriptor, _ group: MultiThreadedEventLoopGroup
    ) throws {
        guard let resolver else { return }
        let reach = ProxyReach(listener.service, in: world, resolver)
        try ProxyServer(service: listener.end, reach: reach, connections: connections, log: log).serve(
            listener, socket, group)
    }

    // MARK: Echo

    private func startTCPEcho(
        _ listener: ServiceListener, _ socket: consuming Descriptor, _ group: MultiThreadedEventLoopGroup
    ) throws {
        let number = socket.release()
        _ = try ServerBootstrap(group: group).boundedTCPServer(at: listener, number, connections)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(TCPEcho()) }
            }
            .withBoundSocket(number).wait()
    }

    private func startUDPEcho(_ socket: consuming sending Descriptor, _ group: MultiThreadedEventLoopGroup) throws {
        let echo = try UDPEcho(socket, group: group)
        keep(Task { await echo.run() })
    }
}

extension Channel {
    /// Serves TLS in front of a program, which is started after the handshake.
    fileprivate func callProgram(
        _ number: Int, _ service: ServiceEnd, _ thread: ProgramThread, _ certificates: ServerCertificates,
        _ log: ConnectionLog
    ) -> EventLoopFuture<Void> {
        do {
            let pair = try StreamPair()
            let its = SharedDescriptor(try pair.second.duplicate())
            let own = try pair.first.duplicate().release()
            return ClientBootstrap(group: eventLoop)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .withConnectedSocket(own)
                .flatMapThrowing { program in
                    try self.readServerName(choosingFrom: certificates)
                    try self.pipeline.syncOperations.addHandlers([
                        ConnectionRecorder(service, isOpaque: true, log: log),
                        ProgramCall(number, service, thread, its),
                    ])
                    try Splice.join(self, program)
                }
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }
}
