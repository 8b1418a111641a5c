package import ConfigurationText
package import DNS64
import DNSWire
import NIOCore
import NIOPosix
package import Wire

/// A service that cannot be offered.
package struct ServiceStartError: Error, CustomStringConvertible, Sendable {
    package let service: World.Service
    package let reason: String

    package var description: String {
        let hosts = service.hostNames.map(\.description).joined(separator: " and ")
        return "cannot offer \(service.kind.word) of \(hosts) at \(service.address) port \(service.port): \(reason)"
    }
}

/// The services of a world, on plain sockets of the network namespace in which this process lives.
///
/// Each is bound to its host's address and port and to no other, so that the kernel itself refuses a connection to a port
/// where nothing is, as a real host would. The addresses must be there when `start` is called.
package final class HermeticServers: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let servers: [Task<Void, Never>]
    private let programs: ProgramServers?
    private let resolver: PublicResolver?
    /// Of all clients to all services.
    package let connections: ServedConnections
    /// What was seen of these.
    package let seen: ConnectionLog
    private let ports: [World.Service: UInt16]

    private init(
        _ starter: ServiceStarter, programs: ProgramServers?, _ resolver: PublicResolver?,
        _ connections: ServedConnections, _ seen: ConnectionLog
    ) {
        self.connections = connections
        self.seen = seen
        group = starter.group
        servers = starter.servers
        ports = starter.ports
        self.programs = programs
        self.resolver = resolver
    }

    /// Starts all services of `world`; when it returns, all of them listen, and when it throws, none does.
    ///
    /// `records` are what the world's own resolvers tell. `authority` signs the certificates of the services over TLS, made out to the
    /// names of their hosts. At most `limit`
    /// connections stand at a time, of all clients to all services. `programs` starts programs; this process where it is `nil`. Each
    /// of `interfaces` has queues of its own; if there are none, all that there are have one.
    package static func start(
        _ world: World, records: RecordStore, authority: CertificateAuthority, now: @escaping @Sendable () -> Instant,
        limit: Int = ServedConnections.limit, programs: ProgramStarter? = nil, interfaces: [Int] = []
    ) async throws(ServiceStartError) -> HermeticServers {
        let connections = ServedConnections(limit: limit, now: now)
        let seen = ConnectionLog(now: now)
        let asksRecords = world.services.contains { $0.kind == .dot || $0.web.tellsAddresses || $0.web.answersDNS }
        let resolver = asksRecords ? PublicResolver(records, log: seen, now: now) : nil
        let programs = if let programs { programs } else { ProgramStarter(try ProgramHost(world)) }
        var starter = ServiceStarter(
            world: world, authority: authority, log: seen, connections: connections, programs: programs,
            resolver: resolver, interfaces: interfaces)
        do throws(ServiceStartError) {
            for service in world.services { try await starter.start(service) }
            return HermeticServers(
                starter, programs: try await starter.startPrograms(), resolver, connections, seen)
        } catch {
            await stop(starter.servers, starter.group)
            throw error
        }
    }

    /// The world's own resolvers tell these records from the next query on.
    package func know(_ records: RecordStore) {
        resolver?.know(records)
    }

    /// Closes all sockets and connections, and ends the programs and the threads.
    package func stop() async {
        programs?.end()
        await Self.stop(servers, group)
    }

    /// The port of a service: the one that the kernel chose where the world says 0.
    func port(of service: World.Service) -> UInt16? { ports[service] }

    private static func stop(_ servers: [Task<Void, Never>], _ group: MultiThreadedEventLoopGroup) async {
        for server in servers { server.cancel() }
        for server in servers { await server.value }
        // Fails only where the group was shut down before.
        try? await group.shutdownGracefully()
    }
}
