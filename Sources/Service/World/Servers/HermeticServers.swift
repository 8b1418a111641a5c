// SPDX-License-Identifier: Apache-2.0
package import ConfigurationText
package import DNS64
import DNSWire
import Glibc
package import LinuxNet
package import Topology
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

/// When servers are started. Until then the kernel lets clients wait.
package enum ServingStart: Sendable {
    /// When the first client comes: a run whose client uses no service takes a third less time. A failure is reported with the
    /// client's evidence.
    case late
    /// At once, for a process that serves many clients for long: everything is ready before a client comes, or the start fails.
    case early
}

/// The services of a world, on plain sockets of the network namespace in which this process lives.
///
/// Each is bound only to its host's address and port, so the kernel itself refuses a connection to an unused port, as on a
/// real host. The addresses must exist when `start` is called.
package final class HermeticServers: Sendable {
    private let starter: ServiceStarter
    /// `nil` if no service starts on demand.
    private let activator: LoopThread<SocketActivator>?
    private let programs: ProgramServers?
    private let resolver: PublicResolver?
    /// The connections of all clients to all services.
    package let connections: ServedConnections
    /// The log of these connections.
    package let seen: ConnectionLog
    private let ports: [World.Service: UInt16]

    private init(
        _ starter: ServiceStarter, _ activator: LoopThread<SocketActivator>?, programs: ProgramServers?,
        _ resolver: PublicResolver?, _ connections: ServedConnections, _ seen: ConnectionLog,
        ports: [World.Service: UInt16]
    ) {
        self.starter = starter
        self.activator = activator
        self.programs = programs
        self.resolver = resolver
        self.connections = connections
        self.seen = seen
        self.ports = ports
    }

    /// Starts all services of `world`: all of them listen when it returns, and none if it throws. Blocks, so it must not be called
    /// from a task that others depend on.
    ///
    /// `records` are the records of the world's own resolvers. `authority` signs the certificates of the services over TLS, for
    /// the names of their hosts. At most `limit` connections are open at a time, of all clients to all services. `programs` starts
    /// programs; if it is `nil`, this process does. Each of `interfaces` has its own queues; if the list is empty, all interfaces
    /// share them.
    package static func start(
        _ world: World, _ start: ServingStart = .late, records: RecordStore, authority: CertificateAuthority,
        now: @escaping @Sendable () -> Instant, limit: Int = ServedConnections.limit, programs: ProgramStarter? = nil,
        interfaces: [Int] = []
    ) throws(ServiceStartError) -> HermeticServers {
        let connections = ServedConnections(limit: limit, now: now)
        let seen = ConnectionLog(now: now)
        let asksRecords = world.services.contains {
            $0.kind == .dot || $0.kind == .proxy || $0.web.tellsAddresses || $0.web.answersDNS
        }
        let resolver = asksRecords ? PublicResolver(records, log: seen, now: now) : nil
        let programs = if let programs { programs } else { ProgramStarter(try ProgramHost(world)) }
        let listeners = try WorldListeners(world, authority, interfaces: interfaces)
        let thread = ProgramThread()
        let starter = ServiceStarter(
            world: world, authority: authority, log: seen, connections: connections,
            programNumbers: listeners.programNumbers, programThread: thread, resolver: resolver)
        var activator: LoopThread<SocketActivator>?
        do throws(ServiceStartError) {
            switch start {
            case .late: activator = try Self.activator(of: listeners.services, starter, connections)
            case .early: try Self.serve(listeners.services, starter)
            }
            return HermeticServers(
                starter, activator,
                programs: try ProgramServers.start(listeners, of: world, programs, connections, thread, now: now),
                resolver,
                connections, seen, ports: listeners.ports)
        } catch {
            _ = try? activator?.stop()
            _ = blocking(within: endingLimit) { await starter.stop() }
            throw error
        }
    }

    /// Maximum time to end the servers that have begun when the start fails.
    private static let endingLimit = Duration.seconds(10)

    private static func activator(
        of listeners: [ServiceListener], _ starter: ServiceStarter, _ connections: ServedConnections
    ) throws(ServiceStartError) -> LoopThread<SocketActivator>? {
        guard let first = listeners.first else { return nil }
        do throws(SystemError) {
            let interests = try InterestList()
            let activator = try SocketActivator(listeners, connections, interests) { try starter.serve($0) }
            let loop = try LoopThread(name: "listeners", activator, on: interests)
            try loop.start()
            return loop
        } catch {
            throw ServiceStartError(service: first.service, reason: "\(error)")
        }
    }

    private static func serve(_ listeners: [ServiceListener], _ starter: ServiceStarter) throws(ServiceStartError) {
        for listener in listeners {
            do {
                try starter.serve(listener)
            } catch {
                throw ServiceStartError(service: listener.service, reason: "\(error)")
            }
        }
    }

    /// Replaces the records of the world's own resolvers, from the next query on.
    package func know(_ records: RecordStore) {
        resolver?.know(records)
    }

    /// Resets the programs whose folder is for a single run of a client; called between two runs. Blocks.
    package func renewPrograms() throws(ServiceStartError) { try programs?.renew() }

    /// Answered when every service with a waiting client has a running server; `nil` if no service starts on demand.
    package func settling() -> PendingReply<Void>? { activator?.settling() }

    /// Waits until the running servers have accepted the waiting clients, and have read everything that this client sent: up to
    /// the ends of its connections, if it has ended all of them. Blocks, so it must not be called from a task that others depend on.
    package func settle(_ client: ServedClient, until deadline: Instant) {
        starter.acceptAll(until: deadline)
        while seen.hasStanding(client), MonotonicClock.now() < deadline { usleep(1000) }
    }

    /// Closes all sockets and connections, and ends the programs and the threads.
    package func stop() async {
        // Waits for a server that is just being started, and starting it needs the threads of tasks.
        await aside { [programs, activator] in
            programs?.end()
            _ = try? activator?.stop()
        }
        await starter.stop()
    }

    /// Whether any server has been started.
    var hasBegun: Bool { starter.hasBegun }

    /// The port of a service: the one that the kernel chose if the world file has 0.
    func port(of service: World.Service) -> UInt16? { ports[service] }
}
