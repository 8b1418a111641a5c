// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
package import Topology
package import Wire

/// A client on a network of its own, as seen by the runner.
///
/// Theory of operation. `start` sends a launcher its plan, from which it prepares the client's namespaces; `takeLink` waits until the
/// network is ready; `go` lets the client run; `wait` waits for its end. In any case, when this value is destroyed (or the process,
/// even by SIGKILL) the client and all its descendants are killed, and their namespaces, mounts and interfaces disappear. They also end
/// with the thread that called `start`. If the keeper or its guard is killed or stopped, the client ends as `.lost`.
///
///     start ──► takeLink (──► takeSocket ──► takeClosedSockets ──► takeListener ──► takeNetwork) ──► go ──► wait ──► end
///
/// Between `start` and `takeLink` the runner can do other things while the launcher works.
package struct Client: ~Copyable {
    private let control: ControlChannel
    /// `nil` once it has been reaped.
    private var launcher: Int32?
    private let group: Int32?
    /// Whether the client waits until it is traced.
    private let isTraced: Bool
    /// Maximum time for ending the client.
    private let endingLimit: Duration
    private var jobControl: JobControl
    private var ending: ExitReport?
    /// The client's process id as this process sees it, once the client runs; the client may see another (`Protection`).
    package private(set) var process: Int32?
    /// Known once it runs.
    package private(set) var protection: Protection?

    /// Sends the launcher its plan, and the network if it has none yet.
    /// - Parameter keepsTime: whether the run has a time limit, which goes on while the client is stopped.
    package static func start(
        _ plan: ClientPlan, by launcher: consuming WaitingLauncher, streams: StandardStreams = .inherited,
        keepsTime: Bool = false
    ) throws(SandboxError) -> Client {
        let planFile: Descriptor
        do throws(SystemError) {
            planFile = try MemoryFile.make(plan.encoded)
        } catch {
            throw SandboxError(.launcher, error)
        }
        if !launcher.isMakingLink { launcher.makeLink(plan.network) }
        let process = try launcher.process()
        let client = Client(
            control: launcher.control, launcher: process, group: process, isTraced: plan.isTraced, keepsTime: keepsTime)
        for (number, descriptor) in streams.replacements {
            client.control.send(clinux_message_stream, value: number, descriptor: descriptor)
        }
        client.control.send(clinux_message_plan, descriptor: planFile.number)
        return client
    }

    /// Takes charge of a launcher, or of the keeper that it becomes.
    /// - Parameters:
    ///   - launcher: `nil` if it is another process's child.
    ///   - group: the process group in which the client starts; `nil` if it has nothing to do with the terminal.
    init(
        control: consuming ControlChannel, launcher: Int32?, group: Int32? = nil, isTraced: Bool = false,
        keepsTime: Bool = false, endingLimit: Duration = .seconds(5)
    ) {
        self.control = control
        self.group = group
        self.endingLimit = endingLimit
        jobControl = JobControl(TerminalForeground(clientGroup: group), keepsTime: keepsTime)
        self.launcher = launcher
        self.isTraced = isTraced
    }

    /// Waits until the client's network is ready, and takes the other end of its link.
    package borrowing func takeLink() throws(SandboxError) -> LinkDevice {
        switch control.receive() {
        case .link(let file):
            do throws(SystemError) {
                return try LinkDevice(adopting: file)
            } catch {
                throw SandboxError(.link, error)
            }
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher has ended unexpectedly")
        }
    }

    /// Takes the socket that the plan names. To be called after `takeLink`.
    package borrowing func takeSocket() throws(SandboxError) -> AbstractSocket {
        switch control.receive() {
        case .socket(let file): return AbstractSocket(adopting: file)
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher has ended unexpectedly")
        }
    }

    /// Takes the record of closed sockets, if the plan has one; `nil` if the kernel keeps none. To be called after `takeSocket`.
    package borrowing func takeClosedSockets() throws(SandboxError) -> ClosedSockets? {
        guard let messages = try takeClosedSocketsPart() else { return nil }
        guard let last = try takeClosedSocketsPart() else { return nil }
        return ClosedSockets(messages: messages, last: last)
    }

    private borrowing func takeClosedSocketsPart() throws(SandboxError) -> Descriptor? {
        switch control.receive() {
        case .closedSockets(let file): return file
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher has ended unexpectedly")
        }
    }

    /// Number of sockets that listen for each port of the plan: at 127.0.0.1 and at ::1.
    package static var listenersOfPort: Int { ClientInterface.loopbackAddresses.count }

    /// Takes the next of the sockets that listen for the plan's ports, one port after the other. To be called after
    /// `takeClosedSockets`.
    package borrowing func takeListener() throws(SandboxError) -> Descriptor {
        switch control.receive() {
        case .listener(let file): return file
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher has ended unexpectedly")
        }
    }

    /// Takes control of the client's network, if the plan has it so. To be called after `takeListener`.
    package borrowing func takeNetwork(_ network: ClientNetwork) throws(SandboxError) -> HeldNetwork {
        try HeldNetwork.take(from: control, as: network)
    }

    /// The launcher's process, and later the guard's.
    package var launcherProcess: Int32? { launcher }

    /// Why the client does not stop at the traced calls although the plan has it so.
    package private(set) var tracingObstacle: Errno?

    /// Lets the client run.
    /// - Parameter follow: attaches to the process before it runs, if the plan has the client traced. If it throws, the client runs
    ///   untraced.
    package mutating func go(follow: (Int32) throws(SystemError) -> Void = { _ in }) throws(SandboxError) {
        control.send(clinux_message_go, value: jobControl.begin() ? 1 : 0)
        switch control.receive() {
        case .failed(let error): throw error
        case .started(let client, let protection):
            begin(client, protection)
            if isTraced { beFollowed(by: follow) }
        case .notExecuted(let reason): ending = ExitReport(.notExecuted(reason))
        default: throw SandboxError(.launcher, "the launcher has ended unexpectedly")
        }
    }

    private mutating func beFollowed(by follow: (Int32) throws(SystemError) -> Void) {
        do throws(SystemError) {
            guard let process else { throw SystemError("pidfd_open", Errno(ESRCH)) }
            try follow(process)
        } catch {
            tracingObstacle = error.errno
        }
        control.send(clinux_message_followed, value: tracingObstacle?.number ?? 0)
    }

    private mutating func begin(_ client: consuming Descriptor?, _ protection: Protection) {
        self.protection = protection
        // Without the namespace the keeper does not receive the signals typed to the client, so this process must receive them.
        if protection.weakness != nil { jobControl.end() }
        if let client { process = Self.process(behind: client) }
    }

    /// The process id of a pidfd, in this process's PID namespace.
    private static func process(behind descriptor: borrowing Descriptor) -> Int32? {
        let lines = SystemControl.read("/proc/self/fdinfo/\(descriptor.number)")?.split(separator: "\n")
        let line = lines?.first { $0.hasPrefix("Pid:") }
        // -1: the process has ended.
        return line.flatMap { Int32($0.dropFirst(4).drop { $0.isWhitespace }) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Readable when the client has ended, for callers that wait for several things; `poll` then returns how it ended.
    package var descriptor: Int32 { control.descriptor }

    /// How the client ended, if it has.
    package mutating func poll() -> ExitReport? {
        if ending == nil {
            perform(jobControl.look(currentGroup))
            take(control.receive(waiting: false))
        }
        return ending
    }

    /// When to call `poll` again even if nothing happens; `nil` for never.
    package var nextPoll: Instant? { jobControl.awaitsForeground ? MonotonicClock.now() + JobControl.interval : nil }

    /// The client's process group, which may no longer be the one in which it started.
    private var currentGroup: Int32 {
        let current = process.map(getpgid) ?? -1
        return current > 0 ? current : group ?? -1
    }

    private borrowing func perform(_ action: JobControl.Action) {
        switch action {
        case .nothing: break
        case .letGoOn: control.send(clinux_message_continue)
        case .hangUp: kill(SIGHUP)
        }
    }

    private mutating func take(_ message: consuming ControlChannel.Message) {
        switch consume message {
        case .started(let client, let protection): begin(client, protection)
        case .ended(let ending): self.ending = ending
        case .notExecuted(let reason): ending = ExitReport(.notExecuted(reason))
        case .notTraced(let reason): tracingObstacle = reason
        case .stopped(let number): perform(jobControl.stopped(by: number, currentGroup))
        case .typed(let number): perform(jobControl.typed(number))
        case .closed: ending = ExitReport(.lost)
        default: break
        }
    }

    /// Waits for the client's end. Signals that the runner receives are passed on to the client.
    /// - Returns: `nil` if the deadline came first.
    package mutating func wait(until deadline: Instant? = nil, forwarding signals: borrowing SignalQueue) -> ExitReport?
    {
        while true {
            if let ending = poll() { return ending }
            while let number = signals.next() { kill(number) }
            let next = [deadline, nextPoll].compactMap(\.self).min()
            if !waitForInput(control.descriptor, signals.descriptor, until: next), next == deadline { return poll() }
        }
    }

    /// Waits for the client's end.
    /// - Returns: `nil` if the deadline came first.
    package mutating func wait(until deadline: Instant? = nil) -> ExitReport? {
        while true {
            if let ending = poll() { return ending }
            let next = [deadline, nextPoll].compactMap(\.self).min()
            if !waitForInput(control.descriptor, -1, until: next), next == deadline { return poll() }
        }
    }

    /// Sends the client a signal, but not its children.
    package borrowing func kill(_ number: Int32) {
        control.send(clinux_message_signal, value: number)
    }

    /// Ends the client, if it still runs, and all its remaining processes, and waits until that is done.
    @discardableResult
    package consuming func end() -> ReapedClient {
        guard let launcher else { return ReapedClient(survivors: .none) }
        self.launcher = nil
        return finish(launcher)
    }

    private borrowing func finish(_ launcher: Int32) -> ReapedClient {
        // The keeper sees the end of the messages, ends all descendants, and closes the socket.
        shutdown(control.descriptor, Int32(SHUT_WR))
        // A stopped guard would not end a stopped keeper.
        _ = Glibc.kill(launcher, SIGCONT)
        let deadline = MonotonicClock.now() + endingLimit
        var survivors = Survivors.none
        var hasHungUp = false
        while !hasHungUp && waitForInput(control.descriptor, -1, until: deadline) {
            switch control.receive(waiting: false) {
            case .survivors(let named): survivors = named
            case .closed: hasHungUp = true
            default: break
            }
        }
        let ended = ReapedClient(
            survivors: survivors, launcher: launcher, deadline: deadline, hasGroup: protection?.weakness != nil)
        guard hasHungUp else {
            // A keeper that cannot end a descendant (one in uninterruptible sleep) is killed at once; the kernel does the rest.
            _ = consume ended
            jobControl.end()
            return ReapedClient(survivors: survivors)
        }
        jobControl.end()
        return ended
    }

    deinit {
        if let launcher { _ = finish(launcher) }
    }
}
