// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationText
import Diagnosis
import Evidence
import Glibc
import HostPorts
import LinuxNet
import Sandbox
import Simulator
import CallTracing
import Text
import Topology
import Uplink
import Wire
import World

/// The simulator and the clients that are put on its networks, one after the other.
final class CheckSession {
    private let prepared: ResolvedOptions
    private let inheritance: Inheritance
    /// `nil` once it has been ended.
    private var zygote: Zygote?
    /// The first client's launcher, until it has its plan.
    private var launcher: WaitingLauncher?
    /// The last client, until its guard has been waited for.
    private var ended: ReapedClient?
    /// The bridge to ports of the machine; `nil` if the client is given none, and once it has been ended.
    private var bridge: HostPortBridge?
    /// Diagnosis of the machine's sockets, opened before they are out of reach; `nil` if the kernel does not offer it.
    private let machine: SocketDiagnosis?
    private let backend: any SimulatorBackend
    private let watch: SignalWatch
    private let preloading: Preloading
    private let frames: InterpreterFrames?
    /// The real network behind the simulated one; `nil` in a hermetic world, and if a daemon decides.
    let hostNetwork: HostNetwork?
    /// Changes that were made around the last client, a sentence each.
    private var clientNotes: [String] = []
    /// A weakness in the protection of clients on this machine, if there is one.
    private var weakness: String?
    /// Why the last client's link is no TUN; `nil` if it is one.
    private var reasonForEthernet: String?
    private var prefixes: [String] = []
    /// Conditions of the links of the last client.
    private(set) var links = LinkConditions()

    /// Maximum set-up time of a network. It takes some milliseconds, and more on a machine with twenty set-ups at once.
    private static let preparationLimit = Duration.seconds(60)
    /// Maximum time for the end of a run: the client's processes are killed, and the evidence is collected.
    private static let endingLimit = Duration.seconds(10)
    /// The same after an earlier failure.
    private static let failureLimit = Duration.seconds(5)

    /// Moves the process into the namespace in which the world is made. The process must still have only one thread.
    /// - Parameters:
    ///   - isLeftAlone: whether nothing is loaded into the client merely to record its behaviour.
    ///   - isShell: whether the client is a shell, which decides itself what the terminal's ^C means.
    init(
        _ prepared: ResolvedOptions, _ inheritance: Inheritance, isLeftAlone: Bool = false, isShell: Bool = false
    ) throws(CheckFailure) {
        self.prepared = prepared
        self.inheritance = inheritance
        // Before the namespace, which hides the owners of files.
        let executable = ExecutableInspection.of(prepared.program, path: inheritance.environment["PATH"])
        preloading = try Preloading(
            prepared.request.getaddrinfo, urlLoading: prepared.request.urlLoading, isLeftAlone: isLeftAlone,
            client: executable)
        frames = InterpreterFrames(client: executable)
        bridge =
            prepared.request.hostPorts.isEmpty
            ? nil
            : try CheckFailure.wrapping { () throws(SystemError) in try HostPortBridge.start(prepared.request.hostPorts)
            }
        machine = try? SocketDiagnosis()
        let uplink = try CheckFailure.wrapping { () throws(UplinkError) in
            if let uplink = prepared.uplink { try HostUplink.checkRoute(for: uplink) }
            return try HostUplink.enterNetwork(
                prepared.uplink, on: prepared.links.client, inheritance: inheritance)
        }
        hostNetwork = uplink.map { HostNetwork(hasIPv6: $0.hasIPv6) }
        do throws(SandboxError) {
            let zygote = try Zygote.start(inheritance)
            // The launcher makes the namespaces while the world is made. There may be a wait for a daemon's place, during which a
            // launcher would keep the present mounts.
            if prepared.simulatorPath == nil { launcher = try zygote.launch() }
            self.zygote = consume zygote
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
        // If the reader of a report or of the client's output has gone, that ends the writing, not the runner.
        Signals.ignore(.brokenPipe)
        backend =
            if let path = prepared.simulatorPath {
                RemoteSimulator(path: path, wishes: prepared.request.wishes)
            } else {
                // Before the first thread, as it forks.
                try OwnSimulator(
                    world: prepared.world, links: prepared.links, nat64: prepared.nat64,
                    publishedPorts: prepared.publishedPorts, uplink: uplink)
            }
        let watch = try CheckFailure.wrapping { () throws(SystemError) in
            let watch = try SignalWatch(leavesTerminalToClient: isShell)
            try watch.start()
            return watch
        }
        self.watch = watch
    }

    /// Changes that were made around the client, a sentence each.
    var notes: [String] {
        let link = reasonForEthernet.map { ["A veth pair stands in for a TUN: \($0)."] } ?? []
        let protection = weakness.map { ["Protection is weaker: \($0)."] } ?? []
        let confinement = backend.weaknesses.map {
            "The simulator's process is less confined than it should be: \($0)."
        }
        return clientNotes + preloading.notes + link + protection + confinement
    }

    /// The parameters of one run of the client.
    struct Request {
        var schedule: NetworkSchedule
        /// `nil` is no limit.
        var timeout: Duration?
        /// Time between SIGTERM and SIGKILL when the client's time is over.
        var grace = Duration.zero
        var streams = StandardStreams.inherited
        /// Whether its system calls are traced.
        var isTraced = false
        /// The getaddrinfo that the client finds in place of the chosen one; URL loading is then the machine's own.
        var getaddrinfo: GetaddrinfoProfile?
        /// Part of the name of this run's capture; `nil` for the first run, which has the name that the user gave.
        var captureLabel: String?
        /// Finds the client's first program among those of a traced run; `nil` if it is the first of them.
        var client: (([TracedProgram]) -> Int?)?
        /// The progress line of a run that takes long; `nil` is none.
        var progress: Progress?
    }

    /// Runs the client to its end. A run that the user cancels does not return: the process ends by the same signal.
    /// - Parameter whenReserved: called before the client runs, when the changes around it are known.
    /// - Parameter whenWorldStands: called when the client's network is ready and the client has not begun; its time is not limited.
    func run(
        _ request: Request, whenReserved: (ReservedSlot) -> Void = { _ in },
        whenWorldStands: (() throws(CheckFailure) -> Void)? = nil
    ) throws(CheckFailure) -> RunEvidence {
        let preloading = request.getaddrinfo.map(preloading.finding) ?? preloading
        let frames = request.isTraced ? self.frames : nil
        let capture = CaptureFile(prepared.capturePath, label: request.captureLabel)
        // There may be a wait for a place, without a limit here.
        watch.expectEnd()
        let schedule = request.schedule
        let reservation = try backend.reserve(on: schedule.firstNetwork, for: "\(prepared.arguments[0])")
        var place = reservation.place
        if let interface = prepared.request.interface { place.network.interface = "\(interface)" }
        links = place.links
        if !place.prefixes.isEmpty { prefixes = place.prefixes }
        let isNetworkHeld = !schedule.isConstant || backend.hasWishes
        let preparationLimit = Self.preparationLimit + backend.programLimits.start
        var deadline = MonotonicClock.now() + preparationLimit
        func awaits(_ step: String) {
            watch.expectEnd(until: deadline, otherwise: Self.notReady(within: preparationLimit, awaiting: step))
        }
        awaits("the end of the client before")
        awaitGuard()
        awaits("the client's launcher")
        // The launcher makes the client's link while the plan is made, and the rest of the client's place while the world is made.
        var launcher = try CheckFailure.wrapping { () throws(SandboxError) in try nextLauncher() }
        launcher.makeLink(place.network)
        let planned = PlannedClient(
            prepared, at: place, preloading: preloading, frames: frames,
            isNetworkHeld: isNetworkHeld, isTraced: request.isTraced,
            inheritance: inheritance,
            hostName: hostName())
        clientNotes = planned.notes
        var client = try CheckFailure.wrapping(launcher) { (launcher) throws(SandboxError) in
            try Client.start(
                planned.plan, by: launcher, streams: request.streams, keepsTime: request.timeout != nil)
        }
        watch.guards(launcher: client.launcherProcess)
        var isComplete = false
        // Set before the client and the collector are released, which takes long if a process cannot be ended.
        defer { if !isComplete { watch.expectEnd(within: Self.failureLimit, otherwise: Self.stuck) } }
        awaits("the simulator")
        whenReserved(place)
        let readyPlace = try reservation.prepare()
        awaits("the client's link")
        let device = try CheckFailure.wrapping { () throws(SandboxError) in try client.takeLink() }
        let counting = try? NamespaceFiles(ofProcess: client.launcherProcess ?? 0)
        reasonForEthernet = device.isTUN ? nil : Machine.reasonForEthernet
        let collector = planned.plan.socketName == nil ? nil : try collector(for: client)
        if !prepared.request.hostPorts.isEmpty { try serveHostPorts(to: client) }
        let canary = try CheckFailure.wrapping { () throws in
            prepared.hasCanaries
                ? try LoopbackCanary.start(Client.listenersOfPort) { try client.takeListener() } : nil
        }
        let connected = MonotonicClock.now()
        awaits("the simulated network")
        let connection = try readyPlace.connect(device, capture: capture, keepsPayloads: request.isTraced)

        if let whenWorldStands {
            watch.expectEnd()
            try whenWorldStands()
            deadline = MonotonicClock.now() + preparationLimit
        }
        let start = MonotonicClock.now()
        var handover: Handover?
        if isNetworkHeld {
            awaits("the client's hold on its network")
            handover = Handover(try held(of: client, as: place.network), at: place, schedule, start: start)
            try handover?.advance(to: start, on: connection)
        }
        var tracer: Tracer?
        awaits("the client's start")
        watch.clientStarts()
        try CheckFailure.wrapping { () throws(SandboxError) in
            try client.go { (process) throws(SystemError) in tracer = try Tracer(following: process, since: start) }
        }
        // Not earlier: a stopped launcher would keep us waiting for its answer, and no signal would end that.
        watch.clientRuns()
        let end: ExitOutcome
        do throws(CheckFailure) {
            end = try wait(for: &client, on: connection, &handover, request, from: start)
        } catch {
            // From now on no signals are passed on to the client.
            watch.expectEnd(within: Self.failureLimit, otherwise: Self.stuck)
            throw error
        }
        var served: [UInt16] = []
        if case .timedOut = end { served = client.process.map(listeningPorts) ?? [] }
        let timeline = handover?.timeline ?? []
        if let later = handover?.prefixes, !later.isEmpty { prefixes = later }
        // The client's namespace must end with the client, and the handover would keep it.
        handover = nil
        let duration = MonotonicClock.now() - start
        let cancellation = watch.cancellation(of: end)
        watch.expectEnd(within: Self.endingLimit, otherwise: Self.stuck)
        weakness = client.protection?.weakness
        let tracingObstacle = client.tracingObstacle
        ended = client.end()
        // This closes the files, and with them the namespace goes.
        let counters = try? counting?.read()
        if let cancellation {
            // The simulator's process ends when it has no conversation any more.
            _ = consume connection
            stop(before: .machineCannot)
            Signals.die(of: cancellation)
        }
        // The collector's thread has its last round while the far side sums up.
        collector?.requestFinish()
        var evidence = RunEvidence(network: schedule.network, end: end, duration: duration, seen: try connection.end())
        if !prepared.request.hostPorts.isEmpty { evidence.hostPorts = try hostPortUse() }
        evidence.loopbackRequests = try canary?.finish() ?? []
        evidence.servedPorts = served.filter { port in !prepared.request.hostPorts.contains { $0.port == port } }
        evidence.timeline = timeline
        evidence.counters = counters
        if let survivors = ended?.survivors { evidence.survivors = SurvivingProcesses(survivors) }
        evidence.profile = preloading.profile
        evidence.urlLoading = preloading.urlLoading
        if let log = try collector?.finish() {
            evidence.lookups = log.lookups
            // Without synthesis nothing is missing.
            if preloading.synthesises { evidence.uncovered = log.uncovered }
            evidence.localConnections = log.localConnections
            evidence.lostLookups = log.lost
        }
        // The next steps have limits of their own.
        watch.expectEnd()
        if request.isTraced {
            TracedRun.complete(
                &evidence, by: tracer, obstacle: tracingObstacle, preloading: frames, client: request.client)
            evidence.seen.payloads?.begin(at: start - connected)
            AddressOrigins.complete(&evidence, inheritance.environment, prefixes: prefixes)
            CommandLines.complete(&evidence)
            if let calls = evidence.calls { evidence.calls?.machinePorts = machinePorts(refusedIn: calls) }
            GivenInput.complete(&evidence, inheritance.environment)
            evidence.namePathsFromWorkingDirectory()
        }
        isComplete = true
        return evidence
    }

    private func nextLauncher() throws(SandboxError) -> WaitingLauncher {
        switch launcher.take() {
        case .some(let launcher): launcher
        case nil: try zygote!.launch()
        }
    }

    /// - Parameter step: the step that was waited for.
    private static func notReady(within limit: Duration, awaiting step: String) -> CheckFailure {
        CheckFailure(
            "the network was not ready after \(limit.inSeconds), and \(step) was waited for; see ipv6check doctor",
            .machineCannot)
    }

    private static let stuck = CheckFailure(
        "the run could not be ended in time: a process or a file does not answer", .machineCannot)

    /// The Pref64s of the IPv6-only network in presentation format, after a client has been on it.
    var prefixList: String { prefixes.joined(separator: ", ") }

    /// The output of the world's programs, as far as it is known here.
    var programOutput: [(service: World.Service, text: String)] { backend.programOutput }

    /// Waits for the guard of the last client, a few seconds at most, and ends it if it takes longer.
    func awaitGuard() {
        ended = nil
        watch.guards(launcher: nil)
    }

    /// To be called when there will be no further client: tells everything that serves to end. Does not wait for that; `stop` does.
    func close() {
        // If no client was started, its launcher is still there.
        launcher = nil
        zygote?.tellToEnd()
        bridge?.tellToEnd()
        backend.tellToEnd()
    }

    /// Ends everything that serves. The process is about to end, and does so with `code` even if this takes too long.
    func stop(before code: ExitCode) {
        watch.expectEnd()
        close()
        awaitGuard()
        watch.expectEnd(
            within: Self.failureLimit + backend.programLimits.end,
            otherwise: CheckFailure("the servers do not end", code))
        backend.stop()
        bridge.take()?.end()
        zygote.take()?.end()
    }

    /// Begins to collect the preloaded library's reports.
    private func collector(for client: borrowing Client) throws(CheckFailure) -> LookupCollector {
        let socket: AbstractSocket
        do throws(SandboxError) {
            socket = try client.takeSocket()
        } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
        return try CheckFailure.wrapping(socket) { (socket) throws(SystemError) in
            try LookupCollector.start(socket, path: inheritance.environment["PATH"])
        }
    }

    /// Serves the machine's ports at the client's loopback addresses.
    private func serveHostPorts(to client: borrowing Client) throws(CheckFailure) {
        for index in prepared.request.hostPorts.indices {
            for _ in 0..<Client.listenersOfPort {
                let listener: Descriptor
                do throws(SandboxError) { listener = try client.takeListener() } catch {
                    throw CheckFailure("\(error)", .machineCannot)
                }
                do throws(SystemError) { try bridge?.serve(listener, at: index) } catch { throw lossOfBridge() }
            }
        }
    }

    /// Waits until everything that the client has sent to these ports has arrived, and returns their use.
    private func hostPortUse() throws(CheckFailure) -> [HostPortUse] {
        do throws(SystemError) { return try bridge?.finish() ?? [] } catch { throw lossOfBridge() }
    }

    private func lossOfBridge() -> CheckFailure {
        CheckFailure(
            "the process that leads to ports of this machine \(bridge?.explanation() ?? "has ended"); nothing is known of this run",
            .machineCannot)
    }

    /// Ports of the client's own loopback addresses that refused the client, and at which the machine listens.
    private func machinePorts(refusedIn calls: CallEvidence) -> [UInt16] {
        let refused = calls.portsRefusedLocally
        guard !refused.isEmpty, let listening = try? machine?.listening() else { return [] }
        return Set(
            listening.filter { $0.address.servesLoopback && refused.contains($0.address.port) }.map(\.address.port)
        ).sorted()
    }

    private func held(
        of client: borrowing Client, as network: ClientNetwork
    ) throws(CheckFailure) -> HeldNetwork {
        do throws(SandboxError) { return try client.takeNetwork(network) } catch {
            throw CheckFailure("\(error)", .machineCannot)
        }
    }

    /// Waits for the client's end. Signals that are sent to the runner are passed on to the client.
    private func wait(
        for client: inout Client, on connection: borrowing any ClientConnection & ~Copyable,
        _ handover: inout Handover?, _ request: Request, from start: Instant
    ) throws(CheckFailure) -> ExitOutcome {
        let timeout = request.timeout.map { start + $0 }
        let limit = timeout.map { $0 + request.grace }
        var isWarned = false
        var progress = request.progress
        defer { progress?.end() }
        while true {
            if let ending = client.poll() {
                let end = try exitOutcome(ending)
                return isWarned ? .timedOut(after: request.timeout ?? .zero) : end
            }
            for number in watch.take() { client.kill(number) }
            switch try connection.news() {
            case .wanted(let network): try handover?.move(to: network, on: connection)
            case .prefixes(let prefixes): try handover?.tell(prefixes)
            case nil: break
            }
            let now = MonotonicClock.now()
            if let limit, limit <= now { return .timedOut(after: request.timeout ?? .zero) }
            if let timeout, timeout <= now, !isWarned {
                client.kill(SIGTERM)
                isWarned = true
            }
            if let grace = watch.graceEnd, grace <= now { return .timedOut(after: now - start) }
            let next = progress?.advance(to: now, since: start)
            try handover?.advance(to: now, on: connection)
            let deadline = [isWarned ? limit : timeout, watch.graceEnd, next, handover?.next, client.nextPoll]
                .compactMap(\.self).min()
            _ = waitForInput([client.descriptor, watch.descriptor, connection.hangUpDescriptor], until: deadline)
        }
    }

    private func exitOutcome(_ ending: ExitReport) throws(CheckFailure) -> ExitOutcome {
        switch ending.outcome {
        case .exited(let code): return .exited(status: code)
        case .signaled(let number, _): return .killed(signal: number)
        case .notExecuted(let reason):
            throw CheckFailure("\(prepared.program): cannot be executed: \(Self.explanation(of: reason))", .usage)
        case .lost:
            throw CheckFailure("the client's keeper was killed, and with it the client", .machineCannot)
        }
    }

    /// The meaning of an error of execve(2) that users meet.
    private static func explanation(of reason: Errno) -> String {
        switch reason {
        case .ENOEXEC: "it is no program for this machine, and no script: a script begins with a line such as #!/bin/sh"
        case .ENOENT:
            "its interpreter or dynamic loader does not exist; look at its first line (a Windows line end counts as part of a name), or run: file"
        default: "\(reason)"
        }
    }
}
