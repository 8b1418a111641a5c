// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import AttachServer
package import ConfigurationText
package import Control
package import DNS64
import Evidence
import Glibc
import LinuxNet
import Router
package import Sandbox
import Topology
import Translation
import Uplink
import Wire
import World

/// The simulator as a service, in two processes: this one keeps files, namespaces and programs, and reads no packet, name or
/// request; the other one (`ServingProcess`) serves and has no rights.
///
/// Theory of operation. While this process has a single thread, it makes the sockets' files, the namespace, and its uplink.
/// Then it starts the other process and hands over what that needs. The main thread waits for signals and for the other
/// process's messages: SIGHUP has the configuration's files read again (`ConfigurationReader`), SIGTERM and SIGINT end both.
/// If one process ends, so does the other.
package struct Daemon {
    /// Makes the configuration from its files, which are read by `reading`.
    package typealias Configuring = @Sendable (_ reading: @escaping FileReading) throws -> DaemonConfiguration
    /// Formats an excerpt of the query log for people.
    package typealias QueryText = @Sendable (QueryLog.Excerpt) -> String

    private let configuration: DaemonConfiguration
    private let configuring: Configuring?
    private let version: String

    /// Timeouts of the shutdown: for the simulator's process, and for everything.
    private static let endTimeout = (process: Duration.milliseconds(4200), all: Duration.milliseconds(4900))

    /// After a daemon was killed, its simulator's process holds the sockets for a moment longer.
    private static let predecessorTimeout = Duration.seconds(2)
    private static let predecessorPause = Duration.milliseconds(50)

    /// - Parameters:
    ///   - configuring: makes the configuration again, on SIGHUP; `nil` if it comes from no file.
    ///   - version: the program's, for the status.
    package init(_ configuration: DaemonConfiguration, rereading configuring: Configuring?, version: String) {
        self.configuration = configuration
        self.configuring = configuring
        self.version = version
    }

    /// Keeps a SIGHUP pending until `run`. Call it before the configuration is first read, as the signal has it read again.
    package static func holdReload() { Signals.block(.hangUp) }

    /// Serves until a signal ends it. The process must still have a single thread.
    /// - Parameters:
    ///   - queries: output for the DNS64's log as it grows, and its format.
    ///   - begun: called when it serves.
    /// - Returns: the clients of a gateway; `nil` if this is none, or they are not known.
    package func run(
        _ inheritance: Inheritance, queries: (descriptor: Int32, text: QueryText)? = nil,
        begun: (DaemonStart) -> Void = { _ in }
    ) throws(DaemonError) -> GatewayClients? {
        Signals.block(Self.signals)
        var signals = DaemonSignals(
            try DaemonError.wrapping { () throws(SystemError) in try SignalQueue(Self.signals) })
        let admission = try admission(configuration.clients.permission)
        let clients = try listen(configuration.clients.socket, .messages, admission)
        let control = try listen(
            configuration.control.socket, .stream, try self.admission(configuration.control.permission))
        var here: LinkDevice?
        var gateway = try gatewayLink(inheritance)
        if configuration.gateway != nil {
            here = gateway?.takeDevice()
        } else if let network = configuration.clients.here {
            here = try joinHere(network)
        }
        var lan = try lanLink()
        let uplink = try DaemonError.wrapping { () throws(UplinkError) in
            try HostUplink.enterNetwork(
                configuration.uplink, on: configuration.links.client, inheritance: inheritance)
        }
        let host = try DaemonError.wrapping { () throws(ServiceStartError) in
            try ProgramHost(configuration.world)
        }
        if signals.areToEnd { return nil }

        let plan = ServingPlan(
            configuration: configuration.within(uplink == nil ? nil : ConnectionTracking.room),
            configuring: configuring, uplink: uplink?.network, admission: admission,
            owner: UnixPeer(user: geteuid(), group: getegid(), process: getpid()), queryText: queries?.text,
            version: version, hostAddresses: gateway?.hostAddresses ?? [],
            router: lan?.own)
        var process = try DaemonError.wrapping { () throws(SystemError) in try ServingProcess(plan) }
        process.hand(over: clients.listener.descriptor, as: .clients)
        process.hand(over: control.listener.descriptor, as: .control)
        let report = try DaemonError.wrapping { () throws(SystemError) in try MemoryFile.make([]) }
        if configuration.gateway != nil { process.hand(over: report.number, as: .report) }
        lan?.handOver { process.hand(over: $0, as: $1 ? .discovery : .device) }
        if let queries { process.hand(over: queries.descriptor, as: .queries) }
        switch here.take() {
        case .some(let device): process.hand(over: device.descriptor, as: .here)
        case nil: break
        }
        let programsEnd = try start(host, for: process)
        process.begin()
        let reader = try configuring.map { configuring throws(DaemonError) in
            try DaemonError.wrapping { () throws(SystemError) in try ConfigurationReader(configuring, process.line) }
        }
        defer { reader?.stop() }
        try tell(process.line, of: uplink)
        let start = DaemonStart(configuration, gateway, lan, uplink)
        let outcome = Result { () throws(DaemonError) in
            try attend(&process, &signals, reader, uplink) { begun(start) }
        }
        let deadline = MonotonicClock.now() + Self.endTimeout.all + configuration.world.programGrace
        process.end(within: Self.endTimeout.process)
        takeDown(uplink, programsEnd, until: deadline)
        _ = consume gateway
        _ = consume lan
        _ = consume clients
        _ = consume control
        try outcome.get()
        return configuration.gateway == nil ? nil : Self.clients(in: report)
    }

    /// Limit of octets, more than the reported clients can take.
    private static let maximumReport = 1 << 30

    private static func clients(in report: borrowing Descriptor) -> GatewayClients? {
        guard let text = try? MemoryFile.contents(of: report, maximum: maximumReport) else { return nil }
        return try? JSONText.decode(GatewayClients.self, from: text)
    }

    private static let signals: SignalSet = [.hangUp, .interrupt, .terminate]

    // MARK: - Preparing

    private func listen(
        _ path: String, _ kind: UnixSocketFile.Kind, _ admission: AttachAdmission
    ) throws(DaemonError) -> UnixSocketFile {
        makeFolder(of: path)
        let deadline = MonotonicClock.now() + Self.predecessorTimeout
        while true {
            do throws(UnixSocketFileError) {
                return try UnixSocketFile(at: path, kind, mode: admission.mode, group: admission.group)
            } catch {
                guard case .taken = error, MonotonicClock.now() < deadline else { throw DaemonError("\(error)") }
                sleep(until: MonotonicClock.now() + Self.predecessorPause)
            }
        }
    }

    /// Makes the sockets' folder if it is missing, but not its parents: those belong to others.
    private func makeFolder(of path: String) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        // If it cannot be made, binding reports the error.
        _ = unsafe mkdir(String(path[..<slash]), 0o755)
    }

    private func admission(_ permission: DaemonConfiguration.Permission) throws(DaemonError) -> AttachAdmission {
        var group: UInt32?
        if case .group(let name) = permission {
            group = groupNumber(name)
            if group == nil { throw DaemonError("there is no group \(name) on this machine; groups are in /etc/group") }
        }
        return AttachAdmission(user: geteuid(), group: group, admitsEveryone: permission == .everyone)
    }

    /// `nil` if this is no gateway.
    private func gatewayLink(_ inheritance: Inheritance) throws(DaemonError) -> GatewayLink? {
        guard let plan = configuration.gateway else { return nil }
        // If the host's network is the uplink, the DNS64's address is the host's own.
        let routes =
            configuration.world.translatedPrefixes.map(\.prefix)
            + (configuration.uplink == nil ? configuration.world.hostRoutes(resolver: plan.link.router) : [])
        return try DaemonError.wrapping { () throws(UplinkError) in
            if !inheritance.mayAdministerNetwork { throw .noRights }
            return try GatewayLink(
                plan, routes: routes, mtu: configuration.links.clientMTU,
                protectsRoutes: configuration.switchesForwarding)
        }
    }

    /// `nil` if there is no LAN.
    private func lanLink() throws(DaemonError) -> LANLink? {
        guard let plan = configuration.lan else { return nil }
        return try DaemonError.wrapping { () throws(UplinkError) in
            try LANLink(plan, places: configuration.clients.limit, mtu: configuration.links.clientMTU)
        }
    }

    private func joinHere(_ network: Network) throws(DaemonError) -> LinkDevice {
        var plan = ClientSlot(0, on: configuration.links.client).clientNetwork(
            on: network, configuration.links)
        plan.interface = "nat64"
        do throws(SandboxError) {
            return try JoinedLink.make(plan)
        } catch {
            throw DaemonError("clients: here: \(error)")
        }
    }

    /// Starts to serve the programs of the world's services to the process. If there are none, gives up this process's rights.
    /// - Returns: given when all programs have ended; `nil` if there are none.
    private func start(_ host: ProgramHost, for process: borrowing ServingProcess) throws(DaemonError) -> Reply<Void>? {
        if host.isEmpty {
            try DaemonError.wrapping { () throws(SandboxError) in try Confinement.dropParentsRights() }
            return nil
        }
        let end = Reply<Void>()
        do throws(SystemError) {
            let pair = try UnixSocket.pair()
            process.hand(over: pair.first.descriptor, as: .programs)
            try WorkerThread.start(name: "programs", with: pair.second) { socket in
                host.serve(socket)
                end.give(())
            }.detach()
        } catch {
            throw DaemonError("the programs of the world cannot be served: \(error)")
        }
        return end
    }

    /// Sends the process the destinations that the uplink allows, and every change of them.
    private func tell(_ line: SharedChannel, of uplink: HostUplink?) throws(DaemonError) {
        try DaemonError.wrapping { () throws(UplinkError) in
            try uplink?.keepUpToDate { destinations in
                guard let file = try? DestinationsFile.make(destinations) else { return }
                line.channel.send(ServingOrder.destinations, descriptor: file.number)
            }
        }
    }

    // MARK: - Serving

    /// Returns when a signal ends the daemon.
    private func attend(
        _ process: inout ServingProcess, _ signals: inout DaemonSignals, _ reader: ConfigurationReader?,
        _ uplink: HostUplink?, begun: () -> Void
    ) throws(DaemonError) {
        while true {
            if signals.areToReload {
                guard let reader else { return }
                reader.read()
            }
            if signals.areToEnd { return }
            _ = waitForInput(process.line.channel.descriptor, signals.descriptor, until: nil)
            switch process.line.channel.receive(ServingNews.self, until: .zero) {
            case .message(.failed(let reason), _): throw DaemonError(reason)
            case .message(.reloaded, _): if let allow = reader?.takeAnswered() { uplink?.allow(allow) }
            case .message(.kept, _): _ = reader?.takeAnswered()
            case .message(.ready, _): begun()
            case .timedOut: continue
            case .nonsense: throw DaemonError("the simulator's process has sent what is no message, and was ended")
            case .closed: throw process.death()
            }
        }
    }

    /// Removes the process's resources; a thread that hangs ends with this process.
    private func takeDown(_ uplink: HostUplink?, _ programsEnd: Reply<Void>?, until deadline: Instant) {
        let hasEnded = Reply<Void>()
        let ending = try? WorkerThread.start(name: "end") {
            uplink?.close()
            programsEnd?.wait()
            hasEnded.give(())
        }
        ending?.detach()
        _ = hasEnded.wait(atMost: deadline - MonotonicClock.now())
    }
}

extension DaemonConfiguration {
    /// Limits the sessions with a network that is not simulated to half of the room in the host's table of connections.
    /// - Parameter room: in that table; `nil` if it is not used.
    fileprivate func within(_ room: Int?) -> DaemonConfiguration {
        guard gateway != nil, let room else { return self }
        var configuration = self
        configuration.limitSessions(to: room / 2)
        return configuration
    }
}

extension World {
    /// The routes to its hosts by IPv6, and to the DNS64.
    fileprivate func hostRoutes(resolver: IPv6Address) -> [IPv6Prefix] {
        Set([resolver] + ipv6Addresses + routerAddresses.compactMap(\.ipv6)).sorted().map {
            IPv6Prefix($0, length: 128)!
        }
    }
}
