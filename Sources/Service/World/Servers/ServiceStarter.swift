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
    private var listeners: [(end: ServiceEnd, listener: ProgramListener)] = []

    private let world: World
    private let authority: CertificateAuthority
    private let log: ConnectionLog
    private let connections: ServedConnections
    private let programs: ProgramStarter
    /// Programs that listen already, at one interface or more.
    private var listening: [World.Service] = []
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
                base: connection(to: service, end, names), certificates: try certificates(of: service, names))
            return try await accept(connection, at: address, end)
        case .dot: return try await startDNSOverTLS(service, at: address, end)
        case .tcpEcho: return try await startTCPEcho(at: address, end)
        case .udpEcho: return try await startUDPEcho(at: address, end)
        case .program: return try listen(at: service, end)
        }
    }

    // MARK: Programs

    private mutating func listen(at service: World.Service, _ end: ServiceEnd) throws -> UInt16 {
        // Their numbers follow the order of the world, as `ProgramHost` counts them.
        if listening.last != service { listening.append(service) }
        let listener = try ProgramListener(
            listening.count - 1, of: programs, at: LinuxNet.SocketAddress(service.address, port: service.port),
            interface: end.interface)
        listeners.append((end, listener))
        return listener.port
    }

    /// Starts to accept on behalf of all programs; `nil` if the world has none.
    func startPrograms() throws(ServiceStartError) -> ProgramServers? {
        guard let first = listening.first else { return nil }
        do throws(SystemError) {
            return try ProgramServers(listeners.map { ($0.listener, $0.end) }, connections)
        } catch {
            throw ServiceStartError(service: first, reason: "\(error)")
        }
    }

    // MARK: HTTP

    private func connection(
        to service: World.Service, _ end: ServiceEnd, _ names: ServedNames
    ) -> HTTPConnection {
        let web = service.web
        return HTTPConnection(
            server: "ipv6check",
            respond: application.responder(
                for: service, names,
                resolver.flatMap { web.tellsAddresses ? HTTPDNS(resolver: $0, service: end) : nil },
                resolver.flatMap { web.answersDNS ? DNSOverHTTPS(resolver: $0, service: end) : nil })
        ) { [log] in
            let connection = ConnectionRecorder(end, log: log)
            return [connection, ExchangeRecorder(of: connection) { names.isUnknown($0, to: service) }]
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
    private mutating func certificates(of service: World.Service, _ names: ServedNames) throws -> ServerCertificates {
        if let known = certificates[service] { return known }
        let made = try ServerCertificates(service, names, by: authority)
        certificates[service] = made
        return made
    }

    // MARK: DNS

    private mutating func startDNSOverTLS(
        _ service: World.Service, at address: NIOCore.SocketAddress, _ end: ServiceEnd
    ) async throws -> UInt16? {
        guard let resolver else { return nil }
        let certificates = try certificates(of: service, ServedNames(service, in: world))
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
