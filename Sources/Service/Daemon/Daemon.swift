import ConfigurationText
import Topology
import Control
package import DNS64
import DNSServer
import Evidence
import FoundationEssentials
import Gateway
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
/// the links of all places. Then the rights are given up, the servers are started, and the main thread waits: for clients at
/// the attach socket, for signals, and for the time to look at what can be told. SIGHUP reads the configuration again;
/// SIGTERM and SIGINT end the daemon, and with it its clients' networks.
package struct Daemon {
    private let configuration: DaemonConfiguration
    private let reread: (() throws -> DaemonConfiguration)?
    private let version: String

    /// How often it looks at what can be told as events.
    private static let lookInterval = Duration.seconds(1)

    /// How long the control API may take to end; conversations that are under way end with the process.
    private static let endingLimit = Duration.seconds(5)

    /// - Parameters:
    ///   - reread: reads the configuration again, on SIGHUP; `nil` if it is of no file.
    ///   - version: the program's, for status.
    package init(
        _ configuration: DaemonConfiguration, rereading reread: (() throws -> DaemonConfiguration)?, version: String
    ) {
        self.configuration = configuration
        self.reread = reread
        self.version = version
    }

    /// Serves until a signal ends it. There must be one thread still.
    /// - Parameter queries: gets the DNS64's log as it grows.
    package func run(
        _ inheritance: Inheritance, queries: (@Sendable (QueryLog.Excerpt) -> Void)? = nil
    ) throws(DaemonError) {
        let settings = configuration
        let log = Logger(label: "nat64sim") { _ in DaemonLogHandler(settings.log) }
        let clients = try listen(configuration.clients.socket, .messages, configuration.clients.permission)
        let control = ControlSocket(
            try listen(configuration.control.socket, .stream, configuration.control.permission))

        var here: TUNDevice?
        if let network = configuration.clients.here { here = try joinHere(network) }
        let uplink = try enterNetwork(inheritance)
        let (configuration, authority) = try simulatorConfiguration(uplink)
        let links = try DaemonError.wrapping { () throws(SimulatorError) in try WorldLinks(configuration) }
        try DaemonError.wrapping { () throws(SandboxError) in
            try Confinement.enter(startsPrograms: settings.world.services.contains { $0.kind.startsPrograms })
        }
        Signals.block(Self.signals)
        let signals = try DaemonError.wrapping { () throws(SystemError) in try SignalQueue(Self.signals) }
        let simulator = try DaemonError.wrapping { () throws(SimulatorError) in
            try Simulator(configuration, links: links)
        }
        let service = Service(
            simulator, Registry(log: log), uplink: uplink, authority: uplink == nil ? authority.certificatePEM : nil,
            settings: settings,
            admission: try admission(settings.clients.permission), version: version)
        switch here.take() {
        case .some(let tun): try service.join(tun, on: settings.clients.here ?? .nat64)
        case nil: break
        }
        let follower = try queries.map { take throws(DaemonError) in try follow(simulator.dns, take) }
        let api = try start(service.control, at: control)
        log.info(
            "ready",
            metadata: [
                "attach": "\(settings.clients.socket)", "control": "\(settings.control.socket)",
                "pref64": "\(simulator.prefixes.map { "\($0)" }.joined(separator: ", "))",
                "clients": "\(simulator.places)",
            ])
        serve(clients, service, signals)
        _ = blocking(within: Self.endingLimit) { await api.stop() }
        // To wait for a runner would cut its client off; the daemon's own namespace has no runner.
        for client in service.registry.clients { client.connection.cut() }
        simulator.stop()
        follower?.stop()
        uplink?.close()
        log.info("ended")
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
            simulator.places = configuration.clients.most
            simulator.nat64 = configuration.gateway.nat64
            simulator.seed = configuration.gateway.seed ?? 0
            return (simulator, authority)
        } catch {
            throw DaemonError("cannot make the test CA: \(error)")
        }
    }

    private func follow(
        _ dns: DNSService, _ take: @escaping @Sendable (QueryLog.Excerpt) -> Void
    ) throws(DaemonError) -> DNSLogFollower {
        try DaemonError.wrapping { () throws(SystemError) in try DNSLogFollower(dns, take: take) }
    }

    private func start(_ control: DaemonControl, at socket: ControlSocket) throws(DaemonError) -> ControlServer {
        do {
            return try blocking { try await ControlServer.start(at: socket.file, for: control) }
        } catch {
            throw DaemonError("the control API does not start: \(error)")
        }
    }

    // MARK: - Serving

    private func serve(
        _ listener: borrowing UnixSocketFile, _ service: Service, _ signals: borrowing SignalQueue
    ) {
        var observer = Observer(service.simulator.dns, service.registry)
        var nextLook = MonotonicClock.now()
        while true {
            _ = waitForInput(listener.descriptor, signals.descriptor, until: nextLook)
            service.attach.acceptAll(listener)
            while let signal = signals.next() {
                guard SignalSet([.hangUp]).contains(number: signal), let reread else {
                    service.registry.tell(.stopping, "ending: \(service.registry.clients.count) clients are attached")
                    return
                }
                service.reload(reread)
            }
            if MonotonicClock.now() >= nextLook {
                observer.look()
                nextLook = MonotonicClock.now() + Self.lookInterval
            }
        }
    }
}

extension DaemonConfiguration {
    /// How large packets may be, and what is wrong with the links on purpose.
    var links: LinkPlan {
        LinkPlan(
            clientMTU: gateway.nat64.translation.ipv6MTU, worldMTU: gateway.nat64.translation.ipv4MTU,
            faults: gateway.faults)
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
