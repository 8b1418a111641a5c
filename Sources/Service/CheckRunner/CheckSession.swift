// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import ConfigurationText
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Simulator
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
    private var reaped: ReapedClient?
    private let machinePorts: MachinePorts
    private let backend: any SimulatorBackend
    private let watch: SignalWatch
    private let preloading: Preloading
    private let frames: InterpreterFrames?
    private let unusedStreams: Int?
    /// The real network behind the simulated one; `nil` in a hermetic world, and if a daemon decides.
    let hostNetwork: HostNetwork?

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
        unusedStreams = executable.unusedStreams
        machinePorts = try MachinePorts(prepared.request.hostPorts)
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

    /// Whether the user asked for the end of a client, even if that succeeded.
    var wasInterrupted: Bool { watch.wasInterrupted }

    /// Whether the world has only simulated hosts, as far as it is known here.
    var isHermetic: Bool { prepared.uplink == nil && prepared.simulatorPath == nil }

    /// The signal by which the user cancelled a run that was made unasked.
    private(set) var cancellation: Int32?

    /// Ends the process by the signal that cancelled a run, if one did. To be called when what is known has been reported.
    func dieIfCancelled() { if let cancellation { Signals.die(of: cancellation) } }

    /// Runs the client to its end. A run that the user cancels does not return: the process ends by the same signal.
    /// - Parameters:
    ///   - whenReserved: called with the client's place and the changes around it before the client runs.
    ///   - whenWorldStands: called when the client's network is ready and the client has not begun; its time is not limited.
    func run(
        _ request: RunRequest, whenReserved: (ReservedSlot, [String]) -> Void = { _, _ in },
        whenWorldStands: (() throws(CheckFailure) -> Void)? = nil
    ) throws(CheckFailure) -> FinishedRun {
        if let run = try runUnlessCancelled(request, whenReserved: whenReserved, whenWorldStands: whenWorldStands) {
            return run
        }
        stop(before: .machineCannot)
        Signals.die(of: cancellation ?? SIGTERM)
    }

    /// As `run`, but `nil` if the user cancels the run: `cancellation` is the signal.
    func runUnlessCancelled(
        _ request: RunRequest, whenReserved: (ReservedSlot, [String]) -> Void = { _, _ in },
        whenWorldStands: (() throws(CheckFailure) -> Void)? = nil
    ) throws(CheckFailure) -> FinishedRun? {
        let launched = try launch(request)
        whenReserved(launched.place, launched.notes)
        var connected = try launched.connect()
        if let whenWorldStands { try connected.pause(whenWorldStands) }
        let ended = try connected.start().awaitEnd(leaving: &reaped)
        if let signal = ended.cancellation {
            // The simulator's process ends when it has no conversation any more.
            _ = consume ended
            watch.expectEnd()
            cancellation = signal
            return nil
        }
        var run = try ended.finish()
        run.notes += backend.weaknesses.map {
            "The simulator's process is less confined than it should be: \($0)."
        }
        return run
    }

    /// Reserves a place for the client, and has its launcher make it.
    private func launch(_ request: RunRequest) throws(CheckFailure) -> LaunchedClient {
        // There may be a wait for a place, without a limit here.
        watch.expectEnd()
        let reservation = try backend.reserve(on: request.schedule.firstNetwork, for: "\(prepared.arguments[0])")
        var place = reservation.place
        if let interface = prepared.request.interface { place.network.interface = "\(interface)" }
        var context = RunContext(
            request: request, prepared: prepared, inheritance: inheritance,
            preloading: request.getaddrinfo.map(preloading.finding) ?? preloading,
            frames: request.isTraced ? frames : nil, unusedStreams: unusedStreams, machinePorts: machinePorts,
            watch: watch,
            isNetworkHeld: !request.schedule.isConstant || backend.hasWishes)
        let preparation = PreparationLimit(watch, programs: backend.programLimits.start)
        preparation.awaits(.formerEnd)
        awaitGuard()
        preparation.awaits(.launcher)
        // The launcher makes the client's link while the plan is made, and the rest of the client's place while the world is made.
        var launcher = try CheckFailure.wrapping { () throws(SandboxError) in try nextLauncher() }
        launcher.makeLink(place.network)
        let planned = PlannedClient(context, at: place, hostName: hostName())
        context.notes = planned.notes + preloading.notes
        let client = try CheckFailure.wrapping(launcher) { (launcher) throws(SandboxError) in
            try Client.start(
                planned.plan, by: launcher, streams: request.streams, keepsTime: request.timeout != nil)
        }
        request.output?.closeWritingEnd()
        return LaunchedClient(GuardedClient(client, watch: watch), at: place, reservation, context, preparation)
    }

    private func nextLauncher() throws(SandboxError) -> WaitingLauncher {
        switch launcher.take() {
        case .some(let launcher): launcher
        case nil: try zygote!.launch()
        }
    }

    /// The output of the world's programs, as far as it is known here.
    var programOutput: [(service: World.Service, text: String)] { backend.programOutput }

    /// Waits for the guard of the last client, a few seconds at most, and ends it if it takes longer.
    func awaitGuard() {
        reaped = nil
        watch.guards(launcher: nil)
    }

    /// To be called when there will be no further client: tells everything that serves to end. Does not wait for that; `stop` does.
    func close() {
        // If no client was started, its launcher is still there.
        launcher = nil
        zygote?.tellToEnd()
        machinePorts.tellToEnd()
        backend.tellToEnd()
    }

    /// Ends everything that serves. The process is about to end, and does so with `code` even if this takes too long.
    func stop(before code: ExitCode) {
        watch.expectEnd()
        close()
        awaitGuard()
        watch.expectEnd(
            within: SignalWatch.failureLimit + backend.programLimits.end,
            otherwise: CheckFailure("the servers do not end", code))
        backend.stop()
        machinePorts.end()
        zygote.take()?.end()
    }
}
