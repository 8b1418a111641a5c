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

/// When a service is served by more than the kernel, which has clients wait.
package enum ServingStart: Sendable {
    /// When the first client comes: a run of a client that asks for nothing takes a third less. What goes wrong then is told with the
    /// client's evidence.
    case late
    /// At once, for whoever serves many for long: what it needs is there before anybody comes, or there is no start.
    case early
}

/// The services of a world, on plain sockets of the network namespace in which this process lives.
///
/// Each is bound to its host's address and port and to no other, so that the kernel itself refuses a connection to a port
/// where nothing is, as a real host would. The addresses must be there when `start` is called.
package final class HermeticServers: Sendable {
    private let starter: ServiceStarter
    /// `nil` where nobody is waited for.
    private let activator: LoopThread<SocketActivator>?
    private let programs: ProgramServers?
    private let resolver: PublicResolver?
    /// Of all clients to all services.
    package let connections: ServedConnections
    /// What was seen of these.
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

    /// Starts all services of `world`; when it returns, all of them listen, and when it throws, none does. It waits, so it is not for a
    /// task that others need.
    ///
    /// `records` are what the world's own resolvers tell. `authority` signs the certificates of the services over TLS, made out to the
    /// names of their hosts. At most `limit`
    /// connections stand at a time, of all clients to all services. `programs` starts programs; this process where it is `nil`. Each
    /// of `interfaces` has queues of its own; if there are none, all that there are have one.
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

    /// How long servers may take to end that have begun to serve when there is no start after all.
    private static let endingLimit = Duration.seconds(10)

    private static func activator(
        of listeners: [ServiceListener], _ starter: ServiceStarter, _ connections: ServedConnections
    ) throws(ServiceStartError) -> LoopThread<SocketActivator>? {
        guard let first = listeners.first else { return nil }
        do throws(SystemError) {
            let interests = try InterestList()
            let keeper = try SocketActivator(listeners, connections, interests) { try starter.serve($0) }
            let loop = try LoopThread(name: "listeners", keeper, on: interests)
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

    /// The world's own resolvers tell these records from the next query on.
    package func know(_ records: RecordStore) {
        resolver?.know(records)
    }

    /// Has the programs as new whose folder is for one run of a client: to be called between two of them. It waits.
    package func renewPrograms() throws(ServiceStartError) { try programs?.renew() }

    /// Answered when who has come to a service is served by it; `nil` where all are served anyway.
    package func settling() -> PendingReply<Void>? { activator?.settling() }

    /// Waits until the services that are served have accepted who has come, and have read what this client has sent: to the ends of its
    /// connections, if it has ended them all. It waits, so it is not for a task that others need.
    package func settle(_ client: ServedClient, until deadline: Instant) {
        starter.acceptAll(until: deadline)
        while seen.hasStanding(client), MonotonicClock.now() < deadline { usleep(1000) }
    }

    /// Closes all sockets and connections, and ends the programs and the threads.
    package func stop() async {
        // Who is just being served is waited for, and that takes the threads of tasks.
        await aside { [programs, activator] in
            programs?.end()
            _ = try? activator?.stop()
        }
        await starter.stop()
    }

    /// Whether anything serves beside the kernel.
    var hasBegun: Bool { starter.hasBegun }

    /// The port of a service: the one that the kernel chose where the world says 0.
    func port(of service: World.Service) -> UInt16? { ports[service] }
}
