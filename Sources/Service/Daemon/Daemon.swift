package import ConfigurationText
import Topology
import Attaching
import Control
package import DNS64
import DNSServer
import Evidence
import FoundationEssentials
import Glibc
import LinuxNet
import Logging
import NAT64
package import Sandbox
import Simulator
import Synchronization
import Translation
import Uplink
import Wire
import World

/// The simulator as a service.
///
/// Theory of operation. What takes rights comes first, while the process has one thread: the sockets' files, the namespace,
/// the links of all places. Then the rights are given up, the servers are started, and the main thread accepts clients and takes
/// signals, and waits for nothing else: reading the configuration again (SIGHUP), looking after the other threads (`Watch`) and
/// each client have threads of their own. SIGTERM and SIGINT end the daemon, and with it its clients' networks, whatever hangs.
package struct Daemon {
    private let configuration: DaemonConfiguration
    private let reread: (@Sendable () throws -> DaemonConfiguration)?
    private let version: String

    /// How often the main thread shows that it goes on, if nothing happens.
    private static let signInterval = Duration.seconds(1)

    /// How long everything may take to end; what has not ended then ends with the process.
    private static let endTimeout = Duration.seconds(4)

    /// - Parameters:
    ///   - reread: reads the configuration again, on SIGHUP; `nil` if it is of no file.
    ///   - version: the program's, for status.
    package init(
        _ configuration: DaemonConfiguration, rereading reread: (@Sendable () throws -> DaemonConfiguration)?,
        version: String
    ) {
        self.configuration = configuration
        self.reread = reread
        self.version = version
    }

    /// Keeps a SIGHUP for `run`: it is to read the configuration again, which is about to be read for the first time.
    package static func holdReload() { Signals.block(.hangUp) }

    /// Serves until a signal ends it. There must be one thread still.
    /// - Parameter queries: gets the DNS64's log as it grows.
    package func run(
        _ inheritance: Inheritance, queries: (@Sendable (QueryLog.Excerpt) -> Void)? = nil
    ) throws(DaemonError) {
        Signals.block(Self.signals)
        var signals = DaemonSignals(
            try DaemonError.wrapping { () throws(SystemError) in try SignalQueue(Self.signals) })
        let log = try DaemonError.wrapping { () throws(SystemError) in try DaemonLog(configuration.log) }
        let clients = try listen(configuration.clients.socket, .messages, configuration.clients.permission)
        let control = ControlSocket(
            try listen(configuration.control.socket, .stream, configuration.control.permission))

        var here: TUNDevice?
        if let network = configuration.clients.here { here = try joinHere(network) }
        let uplink = try enterNetwork(inheritance)
        if signals.areToEnd { return }
        var (simulated, authority) = try simulatorConfiguration(uplink)
        let links = try DaemonError.wrapping { () throws(SimulatorError) in try WorldLinks(simulated) }
        if signals.areToEnd { return }
        // From here on this process starts no program.
        let programs = try startHost(of: configuration.world, for: &simulated)
        DescriptorLimit.raise()
        Simulator.load(simulated)
        try DaemonError.wrapping { () throws(SandboxError) in try Confinement.enterKeepingFiles() }
        try DaemonError.wrapping { () throws(SystemError) in try log.start() }
        defer { log.stop() }
        let simulator = try DaemonError.wrapping { () throws(SimulatorError) in
            try Simulator(simulated, links: links)
        }
        let service = try Service(
            simulator, Registry(log: log.logger), log, uplink: uplink,
            authority: uplink == nil ? authority.certificatePEM : nil, settings: configuration,
            admission: try admission(configuration.clients.permission), version: version)
        switch here.take() {
        case .some(let tun): try service.join(tun, on: configuration.clients.here ?? .nat64)
        case nil: break
        }
        let follower = try queries.map { take throws(DaemonError) in try follow(simulator.dns, take) }
        let api = try start(service, at: control)
        service.registry.log.info(
            "ready",
            metadata: [
                "attach": "\(configuration.clients.socket)", "control": "\(configuration.control.socket)",
                "pref64": "\(simulator.prefixes.map { "\($0)" }.joined(separator: ", "))",
                "clients": "\(simulator.places)",
            ])
        try serve(clients, service, &signals)
        end(service, api, follower, uplink)
        _ = consume programs
    }

    private static let signals: SignalSet = [.hangUp, .interrupt, .terminate]

    // MARK: - Preparing

    private func listen(
        _ path: String, _ kind: UnixSocketFile.Kind, _ permission: DaemonConfiguration.Permission
    ) throws(DaemonError) -> UnixSocketFile {
        let admission = try admission(permission)
        makeFolder(of: path)
        do throws(UnixSocketFileError) {
            return try UnixSocketFile(at: path, kind, mode: admission.mode, group: admission.group)
        } catch {
            throw DaemonError("\(error)")
        }
    }

    /// Makes the folder of the sockets where it is missing, but not the ones above it: those belong to others.
    private func makeFolder(of path: String) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        // Where it cannot be made, binding says what is wrong.
        _ = unsafe mkdir(String(path[..<slash]), 0o755)
    }

    private func admission(_ permission: DaemonConfiguration.Permission) throws(DaemonError) -> Admission {
        var group: UInt32?
        if case .group(let name) = permission {
            group = groupNumber(name)
            if group == nil { throw DaemonError("there is no group \(name) on this machine; groups are in /etc/group") }
        }
        return Admission(user: geteuid(), group: group, admitsEveryone: permission == .everyone)
    }

    private func joinHere(_ network: Network) throws(DaemonError) -> TUNDevice {
        var plan = ClientPlace.first.clientNetwork(on: network, configuration.links)
        plan.interface = "nat64"
        do throws(SandboxError) {
            return try JoinedLink.make(plan)
        } catch {
            throw DaemonError("clients: here: \(error)")
        }
    }

    /// Enters the network in which the clients' links are made: one of the daemon's own, or the host's.
    /// - Returns: the way out of it, where there is one.
    private func enterNetwork(_ inheritance: Inheritance) throws(DaemonError) -> HostUplink? {
        guard let uplink = configuration.uplink else {
            try DaemonError.wrapping { () throws(SandboxError) in try WorldNamespace.enter(inheritance) }
            return nil
        }
        return try DaemonError.wrapping { () throws(UplinkError) in
            try HostUplink.open(uplink, for: NetworkPlan.simulated, inheritance: inheritance)
        }
    }

    private func simulatorConfiguration(
        _ uplink: HostUplink?
    ) throws(DaemonError) -> (SimulatorConfiguration, CertificateAuthority) {
        do {
            let authority = try CertificateAuthority()
            var simulator = SimulatorConfiguration(
                world: configuration.world, links: configuration.links, authority: authority)
            simulator.uplink = uplink
            simulator.places = configuration.clients.limit
            simulator.nat64 = configuration.gateway.nat64
            simulator.seed = configuration.gateway.seed ?? 0
            return (simulator, authority)
        } catch {
            throw DaemonError("cannot make the test CA: \(error)")
        }
    }

    /// A process beside this one for the programs of the world's services; `nil` if there are none.
    private func startHost(
        of world: World, for configuration: inout SimulatorConfiguration
    ) throws(DaemonError) -> SecondProcess? {
        let host = try DaemonError.wrapping { () throws(ServiceStartError) in try ProgramHost(world) }
        if host.isEmpty { return nil }
        do throws(SystemError) {
            let pair = try UnixSocket.pair()
            let process = try SecondProcess.start(name: "programs", from: pair.first, to: pair.second) { socket, _ in
                host.serve(socket)
            }
            configuration.programs = ProgramStarter(over: pair.first)
            return process
        } catch {
            throw DaemonError("the programs of the world cannot be served: \(error)")
        }
    }

    private func follow(
        _ dns: DNSService, _ take: @escaping @Sendable (QueryLog.Excerpt) -> Void
    ) throws(DaemonError) -> DNSLogFollower {
        try DaemonError.wrapping { () throws(SystemError) in try DNSLogFollower(dns, take: take) }
    }

    private func start(_ service: Service, at socket: ControlSocket) throws(DaemonError) -> ControlServer {
        do {
            return try blocking {
                try await ControlServer.start(at: socket.file, for: service.control) { peer, reason in
                    service.registry.tellRefusal(of: peer, because: reason)
                }
            }
        } catch {
            throw DaemonError("the control API does not start: \(error)")
        }
    }

    // MARK: - Serving

    private func serve(
        _ listener: borrowing UnixSocketFile, _ service: Service, _ signals: inout DaemonSignals
    ) throws(DaemonError) {
        let reloader = try reread.map { reread throws(DaemonError) in
            try DaemonError.wrapping { () throws(SystemError) in try Reloader(service, reread) }
        }
        while true {
            service.signs.give()
            if signals.areToReload {
                guard let reloader else { break }
                reloader.reload()
            }
            if signals.areToEnd { break }
            _ = waitForInput(
                listener.descriptor, signals.descriptor, until: MonotonicClock.now() + Self.signInterval)
            service.attach.accept(listener)
        }
        service.registry.tell(.stopping, "ending: \(service.registry.clients.count) clients are attached")
    }

    /// Ends everything, on another thread: one that hangs keeps nobody.
    private func end(
        _ service: Service, _ api: ControlServer, _ follower: DNSLogFollower?, _ uplink: HostUplink?
    ) {
        let hasEnded = Reply<Void>()
        let ending = try? WorkerThread.start(name: "end") {
            // To wait for a runner would cut its client off; the daemon's own namespace has no runner.
            let connections = service.registry.clients.map(\.connection)
            for connection in connections { connection.requestCut() }
            blocking { await api.stop() }
            for connection in connections { connection.cut() }
            service.watch.stop()
            service.simulator.stop()
            follower?.stop()
            uplink?.close()
            hasEnded.give(())
        }
        ending?.detach()
        if hasEnded.wait(atMost: Self.endTimeout) == nil {
            service.registry.log.warning(
                "some threads do not end: \(service.watch.silentThreads(service.registry.clients))")
        }
        service.registry.log.info("ended")
    }
}

/// The control API's socket, for as long as there is a reference to it.
private final class ControlSocket: Sendable {
    let file: UnixSocketFile

    init(_ file: consuming UnixSocketFile) {
        self.file = file
    }
}

/// Why there is no daemon. The description says what to do.
package struct DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Whatever the layers below cannot do, the daemon cannot.
    static func wrapping<Value: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(DaemonError) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw DaemonError("\(error)")
        }
    }
}
