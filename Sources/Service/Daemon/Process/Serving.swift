// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import AttachServer
import ConfigurationText
import Control
import DNSServer
import Evidence
import Glibc
import LinuxNet
import Logging
import Router
import Sandbox
import Simulator
import Text
import Topology
import Translation
import Uplink
import Wire
import World

/// The main thread of the simulator's process of a daemon.
///
/// Theory of operation. Steps that need rights come first, while the process has one thread: the links of all places. Then the
/// rights are given up, the servers are started, and the main thread accepts clients and takes the daemon's orders, and waits
/// for nothing else: reading the configuration again, monitoring the other threads (`Watch`) and each client have threads of
/// their own. When the daemon hangs up, everything ends, and with it the clients' networks, even if a thread hangs.
struct Serving: ~Copyable {
    private let plan: ServingPlan
    private let line: SharedChannel
    private let clients: UnixListener
    private let control: ControlSocket
    private let service: Service
    private let reloader: Reloader?

    /// Interval at which the main thread shows that it is alive, if nothing happens.
    private static let signInterval = Duration.seconds(1)
    private static let reportTimeout = Duration.seconds(2)
    /// Timeout for everything to end; threads that have not ended then end with the process.
    private static let endTimeout = Duration.seconds(3)

    /// Ends the process when the daemon hangs up. The process must still have a single thread.
    /// - Parameter parent: the daemon's process.
    static func live(_ plan: ServingPlan, _ line: SharedChannel, parent: Int32) {
        var service: Service?
        do throws(DaemonError) {
            guard var held = HeldDescriptors(from: line.channel), let clients = held.clients.take(),
                let control = held.control.take()
            else { return }
            let log = try DaemonError.wrapping { () throws(SystemError) in try DaemonLog(plan.configuration.log) }
            let (simulated, authority) = try simulatorConfiguration(plan, programs: held.programs.take())
            let links = try DaemonError.wrapping { () throws(SimulatorError) in try WorldLinks(simulated) }
            // A confined process cannot find out.
            let reasonForEthernet = Machine.reasonForEthernet
            DescriptorLimit.raise()
            // One arena for the DNS server, one for the rest.
            MemoryArenas.limit(to: 2)
            Simulator.load(simulated)
            let weaknesses = try DaemonError.wrapping { () throws(SandboxError) in
                try Confinement.enter(endingWith: parent)
            }
            try DaemonError.wrapping { () throws(SystemError) in try log.start() }
            for weakness in weaknesses {
                log.logger.warning("the process that serves is confined less than usual: \(weakness)")
            }
            if let reason = reasonForEthernet {
                log.logger.notice("veth pairs stand in for the TUNs of the world's links: \(reason)")
            }
            let simulator = try DaemonError.wrapping { () throws(SimulatorError) in
                try Simulator(simulated, links: links)
            }
            let made = try Service(
                simulator, plan, Registry(log: log.logger, ownedBy: plan.owner.user), log,
                authority: plan.uplink == nil ? authority.certificatePEM : nil)
            service = made
            if let here = held.here.take() {
                try made.join(here, on: plan.configuration.clients.here ?? .nat64, as: plan.owner)
            }
            let discovery = try open(held.discovery.take(), held.slots, plan, made)
            let serving = try Serving(plan, line, made, clients: clients, control: control)
            try serving.serve(queries: held.queries.take(), report: held.report.take())
            discovery?.requestStop()
            log.stop()
        } catch {
            line.channel.send(ServingNews.failed(reason: error.description.asReason))
        }
        // NIO's threads end with the process. NIO would have Dispatch end them, which opens files.
        withExtendedLifetime(service) { _exit(EXIT_SUCCESS) }
    }

    /// Starts to listen for devices on a LAN, if there is one.
    private static func open(
        _ file: consuming Descriptor?, _ slots: [LANLink.Slot], _ plan: ServingPlan, _ service: Service
    ) throws(DaemonError) -> LoopThread<DiscoveryLoop>? {
        guard let lan = plan.configuration.lan, let router = plan.router, let file = file.take() else { return nil }
        do throws(SystemError) {
            let devices = Devices(lan, own: router, slots: slots, service.attach, service.registry, peer: plan.owner)
            let interests = try InterestList()
            let state = try DiscoveryLoop(
                DiscoverySocket(adopting: file), DeviceDetector(own: router, ipv6OnlyTime: lan.ipv6OnlyTime), devices,
                service.registry, interests)
            let thread = try LoopThread(name: "discovery", state, on: interests)
            try thread.start()
            return thread
        } catch {
            throw DaemonError("the LAN cannot be served: \(error)")
        }
    }

    private static func simulatorConfiguration(
        _ plan: ServingPlan, programs: consuming Descriptor?
    ) throws(DaemonError) -> (SimulatorConfiguration, CertificateAuthority) {
        let authority: CertificateAuthority
        do {
            authority = try CertificateAuthority()
        } catch {
            throw DaemonError("cannot make the test CA: \(error)")
        }
        let configuration = plan.configuration
        var simulator = SimulatorConfiguration(
            world: configuration.world, links: plan.links, authority: authority)
        simulator.uplink = plan.uplink
        simulator.places = configuration.clients.limit
        simulator.gateway = configuration.gateway
        simulator.servesDevices = configuration.lan != nil
        simulator.nat64 = configuration.translator.nat64
        simulator.seed = configuration.translator.seed ?? 0
        if let programs { simulator.programs = ProgramStarter(over: UnixSocket(owning: programs)) }
        return (simulator, authority)
    }

    private init(
        _ plan: ServingPlan, _ line: SharedChannel, _ service: Service, clients: consuming Descriptor,
        control: consuming Descriptor
    ) throws(DaemonError) {
        self.plan = plan
        self.line = line
        self.service = service
        self.clients = UnixListener(owning: clients)
        self.control = ControlSocket(UnixListener(owning: control))
        reloader = try plan.configuring.map { configuring throws(DaemonError) in
            try DaemonError.wrapping { () throws(SystemError) in try Reloader(service, configuring, line) }
        }
    }

    // MARK: - Serving

    private borrowing func serve(
        queries: consuming Descriptor?, report: consuming Descriptor?
    ) throws(DaemonError) {
        let follower = try follow(queries)
        let api = try startAPI()
        service.registry.log.info(
            "ready",
            metadata: [
                "attach": "\(plan.configuration.clients.socket)", "control": "\(plan.configuration.control.socket)",
                "pref64": "\(service.simulator.prefixes.map { "\($0)" }.joined(separator: ", "))",
                "clients": "\(service.simulator.places)",
            ])
        line.channel.send(ServingNews.ready)
        while true {
            service.signs.give()
            guard takeOrders() else { break }
            _ = waitForInput(
                clients.descriptor, line.channel.descriptor, until: MonotonicClock.now() + Self.signInterval)
            service.attach.accept(clients)
        }
        service.registry.tell(
            .stopping, "ending: \(counted(service.registry.clients.count, "client is", "clients are")) attached")
        if let report { write(report) }
        end(api, follower)
    }

    /// Writes what is known of a gateway's clients.
    private borrowing func write(_ report: consuming Descriptor) {
        let control = service.control
        let text = blocking(within: Self.reportTimeout) {
            (try? await control.gatewayClients(limit: GatewayPlan.clientLimit)).flatMap { try? JSONText.encode($0) }
        }
        if let text = text ?? nil { try? report.write(text) }
    }

    /// Carries out the daemon's orders that have come.
    /// - Returns: false if the daemon has hung up.
    private borrowing func takeOrders() -> Bool {
        while true {
            switch line.channel.receive(ServingOrder.self, until: .zero) {
            case .message(.file(let path), let file?):
                if let octets = try? MemoryFile.contents(of: file) { reloader?.keep(octets, of: path) }
            case .message(.reload, _): reloader?.reload()
            case .message(.unreadable(let reason), _): reloader?.refuse(because: reason)
            case .message(.destinations, let file?): take(destinations: file)
            // Other orders have no use at this time.
            case .message: continue
            case .nonsense: continue
            case .timedOut: return true
            case .closed: return false
            }
        }
    }

    private borrowing func take(destinations file: borrowing Descriptor) {
        if let destinations = DestinationsFile.read(file) { service.simulator.change(to: destinations) }
    }

    private borrowing func follow(_ queries: consuming Descriptor?) throws(DaemonError) -> DNSLogFollower? {
        // The descriptor stays open until the process ends.
        guard let text = plan.queryText, let number = queries.take()?.release() else { return nil }
        let dns = service.simulator.dns
        return try DaemonError.wrapping { () throws(SystemError) in
            // A reader that has gone away is no reason to stop serving.
            try DNSLogFollower(dns) { try? Descriptor.writeAll(Array(text($0).utf8), to: number) }
        }
    }

    private borrowing func startAPI() throws(DaemonError) -> ControlServer {
        let (control, service, owner) = (control, service, plan.owner.user)
        do {
            return try blocking {
                try await ControlServer.start(at: control.listener, for: service.control, ownedBy: owner) {
                    peer, reason in
                    service.registry.tellRefusal(of: peer, because: reason)
                }
            }
        } catch {
            throw DaemonError("the control API does not start: \(error)")
        }
    }

    /// Ends everything, on another thread, so that one that hangs does not block the end of the process.
    private borrowing func end(_ api: ControlServer, _ follower: DNSLogFollower?) {
        let hasEnded = Reply<Void>()
        let service = service
        let ending = try? WorkerThread.start(name: "end") {
            // Waiting for a runner would cut its client off; the daemon's own namespace has no runner.
            let connections = service.registry.clients.map(\.connection)
            for connection in connections { connection.requestCut() }
            blocking { await api.finish() }
            for connection in connections { connection.cut() }
            service.watch.stop()
            service.simulator.dns.stop()
            follower?.stop()
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
    let listener: UnixListener

    init(_ listener: consuming UnixListener) {
        self.listener = listener
    }
}
