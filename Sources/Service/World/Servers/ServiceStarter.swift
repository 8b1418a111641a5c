import ConfigurationText
import DNSWire
import HTTPServing
import HummingbirdCore
import LinuxNet
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Wire

/// Starts services one after the other on common event loops, with one router for all HTTP and one certificate for each host
/// of a service.
struct ServiceStarter {
    /// The machine's other cores are the packet path's and the client's.
    static let threads = 1

    let group = MultiThreadedEventLoopGroup(numberOfThreads: Self.threads)
    private(set) var servers: [Task<Void, Never>] = []
    private(set) var ports: [World.Service: UInt16] = [:]
    private var doors: [ProgramDoor] = []
    private var standing: [StandingProgram] = []
    /// Of each program, as `ProgramHost` counts them.
    private let programNumbers: [World.Service: Int]
    private let programThread = ProgramThread()

    private let world: World
    private let authority: CertificateAuthority
    private let log: ConnectionLog
    private let connections: ServedConnections
    private let programs: ProgramStarter
    /// `nil` is all of them.
    private let interfaces: [Int?]
    private let application = HTTPApplication()
    /// `nil` if no service asks for one.
    private let resolver: PublicResolver?
    private var certificates: [World.Service: ServerCertificates] = [:]
    /// Nothing of a server's own is worth a line on the user's terminal: the log has the requests.
    private let logger = Logger(label: "world") { _ in SwiftLogNoOpLogHandler() }

    init(
        world: World, authority: CertificateAuthority, log: ConnectionLog, connections: ServedConnections,
        programs: ProgramStarter, resolver: PublicResolver?, interfaces: [Int]
    ) {
        self.world = world
        self.authority = authority
        self.log = log
        self.connections = connections
        self.programs = programs
        let withPrograms = world.services.filter(\.kind.startsPrograms)
        programNumbers = Dictionary(uniqueKeysWithValues: withPrograms.enumerated().map { ($1, $0) })
        self.resolver = resolver
        self.interfaces = interfaces.isEmpty ? [nil] : interfaces
    }

    mutating func start(_ service: World.Service) async throws(ServiceStartError) {
        do {
            let address = try NIOCore.SocketAddress(service.address, port: service.port)
            // Of a port that the kernel chooses there is one.
            for interface in service.port == 0 ? [nil] : interfaces {
                ports[service] = try await start(
                    service, ServiceEnd(service, at: interface), at: address)
            }
        } catch let error as IOError {
            throw ServiceStartError(service: service, reason: Errno(error.errnoCode).description)
        } catch {
            throw ServiceStartError(service: service, reason: "\(error)")
        }
    }

    /// Starts a service where it listens. The port is the one that the kernel chose where the world says 0.
    private mutating func start(
        _ service: World.Service, _ end: ServiceEnd, at address: NIOCore.SocketAddress
    ) async throws -> UInt16? {
        switch service.kind {
        case .http:
            return try await accept(
                connection(to: service, end, ServedNames(service, in: world)), at: address, end)
        case .https:
            let names = ServedNames(service, in: world)
            let connection = TLSConnection(
                base: connection(to: service, end, names),
                certificates: try certificates(of: service, names, ["h2", "http/1.1"]))
            return try await accept(connection, at: address, end)
        case .dot: return try await startDNSOverTLS(service, at: address, end)
        case .tcpEcho: return try await startTCPEcho(at: address, end)
        case .udpEcho: return try await startUDPEcho(at: address, end)
        case .program(let program): return try await offer(program, service, end, at: address)
        }
    }

    // MARK: Programs

    private mutating func offer(
        _ program: ServedProgram, _ service: World.Service, _ end: ServiceEnd, at address: NIOCore.SocketAddress
    ) async throws -> UInt16? {
        let number = programNumbers[service]!
        switch program.manner {
        case .perConnection(tls: false), .perSocket:
            let door = try ProgramDoor(number, end, program.transport == .tcp ? .stream : .datagram)
            doors.append(door)
            return door.localAddress.port
        case .perConnection(tls: true):
            let certificates = try certificates(of: service, ServedNames(service, in: world), [])
            let channel = try await ServerBootstrap(group: group).boundedTCPServer(end, connections)
                .childChannelInitializer { [programThread, log] client in
                    client.callProgram(number, end, programThread, certificates, log)
                }
                .bind(to: address).get()
            return channel.localAddress?.port.flatMap(UInt16.init(exactly:))
        case .standing(let transport, let tls):
            // It listens once, wherever its clients come in.
            guard !standing.contains(where: { $0.number == number }) else { return service.port }
            let names = ServedNames(service, in: world).hosts.flatMap(\.names)
            standing.append(
                StandingProgram(
                    number: number, service: ServiceEnd(service), transport: transport == .tcp ? .stream : .datagram,
                    certificate: tls ? try authority.issuePEM(for: CertificateNames(names: names)) : nil))
            return service.port
        }
    }

    /// Starts to accept on behalf of all programs, and waits for those that listen for themselves; `nil` if the world has none.
    func startPrograms() async throws(ServiceStartError) -> ProgramServers? {
        guard let first = world.services.first(where: \.kind.startsPrograms) else { return nil }
        let servers: ProgramServers
        do throws(SystemError) {
            servers = try ProgramServers(doors, standing, programs, connections, programThread)
        } catch {
            throw ServiceStartError(service: first, reason: "\(error)")
        }
        for program in standing {
            if let reason = await obstacle(to: program) {
                servers.end()
                let service = world.services.first { programNumbers[$0] == program.number }!
                throw ServiceStartError(service: service, reason: reason)
            }
        }
        return servers
    }

    /// Waits until a program listens; says why it does not.
    private func obstacle(to program: StandingProgram) async -> String? {
        let address = LinuxNet.SocketAddress(program.service.address, port: program.service.port)
        let end = MonotonicClock.now() + Self.programLimit
        while MonotonicClock.now() < end {
            do throws(SystemError) {
                if try PortProbe.isTaken(address, program.transport) { return nil }
            } catch {
                return "\(error)"
            }
            if programThread.hasEnded(program.service) { return "its program ended before it listened there" }
            // It is cancelled where the whole start is.
            guard (try? await group.any().pause(for: Self.programPause)) != nil else { return "it was not waited for" }
        }
        return "its program did not listen there within \(Self.programLimit.components.seconds) s"
    }

    /// How long a program may take until it listens, and how often one looks.
    private static let programLimit = Duration.seconds(20)
    private static let programPause = TimeAmount.milliseconds(5)

    // MARK: HTTP

    private func connection(
        to service: World.Service, _ end: ServiceEnd, _ names: ServedNames
    ) -> NegotiatedHTTPConnection {
        let web = service.web
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

    private mutating func accept(
        _ connection: some ServerChildChannel, at address: NIOCore.SocketAddress, _ end: ServiceEnd
    ) async throws -> UInt16? {
        let listener = try await HTTPListener(connection: connection, logger: logger) { prepare in
            try await ServerBootstrap(group: group).boundedTCPServer(end, connections).bind(
                to: address, childChannelInitializer: prepare)
        }
        servers.append(Task { await listener.run() })
        return listener.localAddress?.port.flatMap(UInt16.init(exactly:))
    }

    /// The same at every interface.
    private mutating func certificates(
        of service: World.Service, _ names: ServedNames, _ applicationProtocols: [String]
    ) throws -> ServerCertificates {
        if let known = certificates[service] { return known }
        let made = try ServerCertificates(service, names, by: authority, applicationProtocols: applicationProtocols)
        certificates[service] = made
        return made
    }

    // MARK: DNS

    private mutating func startDNSOverTLS(
        _ service: World.Service, at address: NIOCore.SocketAddress, _ end: ServiceEnd
    ) async throws -> UInt16? {
        guard let resolver else { return nil }
        let certificates = try certificates(
            of: service, ServedNames(service, in: world), [DNSOverTLS.applicationProtocol])
        let channel = try await ServerBootstrap(group: group)
            .boundedTCPServer(end, connections)
            // What has been read and waits for the client to take its replies is one arrival.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [log] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.readServerName(choosingFrom: certificates)
                    let connection = ConnectionRecorder(end, log: log)
                    try channel.pipeline.syncOperations.addHandlers(
                        [connection, DNSOverTLS(resolver, at: end, connection)])
                }
            }
            .bind(to: address).get()
        return channel.localAddress?.port.flatMap(UInt16.init(exactly:))
    }

    // MARK: Echo

    private func startTCPEcho(at address: NIOCore.SocketAddress, _ end: ServiceEnd) async throws -> UInt16? {
        let channel = try await ServerBootstrap(group: group)
            .boundedTCPServer(end, connections)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(TCPEcho()) }
            }
            .bind(to: address).get()
        return channel.localAddress?.port.flatMap(UInt16.init(exactly:))
    }

    private mutating func startUDPEcho(at address: NIOCore.SocketAddress, _ end: ServiceEnd) async throws -> UInt16? {
        let echo = try await UDPEcho(address: address, interface: end.interface, group: group)
        servers.append(Task { await echo.run() })
        return echo.port
    }
}

extension NIOCore.SocketAddress {
    fileprivate init(_ address: IPAddress, port: UInt16) throws {
        try self.init(packedIPAddress: ByteBuffer(bytes: address.octets), port: Int(port))
    }
}

extension Channel {
    /// Puts TLS before a program, which is started when the handshake has ended.
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
