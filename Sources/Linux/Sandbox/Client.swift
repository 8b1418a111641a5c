// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
package import LinuxNet
package import Topology
package import Wire

/// A client on a network of its own, as the runner holds it.
///
/// Theory of operation. `start` gives a launcher its plan, which makes the place; `takeLink` waits until the network stands;
/// `go` lets the client run; `wait` waits for its end. Whatever happens, when this value is destroyed (or the process, even by
/// SIGKILL) the client and all its descendants are ended, and with them their namespaces, mounts and interfaces go. They also
/// end with the thread that called `start`. Where the keeper or its guard is killed or stopped, the client ends as `.lost`.
///
///     start ──► takeLink (──► takeSocket ──► takeListener ──► takeNetwork) ──► go ──► wait ──► end
///
/// Between `start` and `takeLink` the runner may do other things: the launcher works at the same time.
package struct Client: ~Copyable {
    private let control: ControlChannel
    /// `nil` once it has been waited for.
    private var launcher: Int32?
    private let group: Int32?
    /// Whether it waits until it is followed.
    private let isTraced: Bool
    /// How long its end may take.
    private let endingLimit: Duration
    private var jobControl: JobControl
    private var ending: ExitReport?
    /// The client's process id as this process sees it, once it runs; its own may be another (`Protection`).
    package private(set) var process: Int32?
    /// Known once it runs.
    package private(set) var protection: Protection?

    /// Gives the launcher its plan, and the network where it has none yet.
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

    /// Takes charge of a launcher, or of what it becomes: a keeper.
    /// - Parameters:
    ///   - launcher: `nil` if it is another process's child.
    ///   - group: the process group in which the client is born; `nil` where it has nothing to do with the terminal.
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

    /// Waits until the client's network stands, and takes the other end of its link.
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

    /// Takes the socket that the plan named; after the link.
    package borrowing func takeSocket() throws(SandboxError) -> AbstractSocket {
        switch control.receive() {
        case .socket(let file): return AbstractSocket(adopting: file)
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher has ended unexpectedly")
        }
    }

    /// How many sockets listen for a port of the plan's: at 127.0.0.1 and at ::1.
    package static var listenersOfPort: Int { ClientInterface.loopbackAddresses.count }

    /// Takes the next of the sockets that listen for the ports of the plan, one port after the other; after the socket.
    package borrowing func takeListener() throws(SandboxError) -> Descriptor {
        switch control.receive() {
        case .listener(let file): return file
        case .failed(let error): throw error
        default: throw SandboxError(.launcher, "the launcher has ended unexpectedly")
        }
    }

    /// Takes the client's network in hand, where the plan says so; after those.
    package borrowing func takeNetwork(_ network: ClientNetwork) throws(SandboxError) -> HeldNetwork {
        try HeldNetwork.take(from: control, as: network)
    }

    /// The launcher's process, and later the guard's.
    package var launcherProcess: Int32? { launcher }

    /// Why the client does not stop at the calls that are traced, though the plan has it so.
    package private(set) var tracingObstacle: Errno?

    /// Lets the client run.
    /// - Parameter follow: begins to follow the process, where the plan has the client traced, before it does anything; throws why it
    ///   cannot, and the client runs all the same.
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
        // There the keeper does not hear what is typed to the client, so this process is to hear it.
        if protection.weakness != nil { jobControl.end() }
        if let client { process = Self.process(behind: client) }
    }

    /// The number of the process that a pidfd stands for, in this process's PID namespace.
    private static func process(behind descriptor: borrowing Descriptor) -> Int32? {
        let lines = SystemControl.read("/proc/self/fdinfo/\(descriptor.number)")?.split(separator: "\n")
        let line = lines?.first { $0.hasPrefix("Pid:") }
        // -1 is one that has ended.
        return line.flatMap { Int32($0.dropFirst(4).drop { $0.isWhitespace }) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Readable when the client has ended, for those who wait for more than that; `poll` then says how.
    package var descriptor: Int32 { control.descriptor }

    /// How the client ended, if it has.
    package mutating func poll() -> ExitReport? {
        if ending == nil {
            perform(jobControl.look(currentGroup))
            take(control.receive(waiting: false))
        }
        return ending
    }

    /// When to call `poll` again, whatever comes; `nil` is never.
    package var nextPoll: Instant? { jobControl.awaitsForeground ? MonotonicClock.now() + JobControl.interval : nil }

    /// The client's process group, which may be another by now than the one in which it was born.
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

    /// Waits for the client's end. Signals that come to the runner are passed on to the client.
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

    /// Sends the client a signal; its children are the client's own business.
    package borrowing func kill(_ number: Int32) {
        control.send(clinux_message_signal, value: number)
    }

    /// Ends the client, where it still runs, and everything that it has left behind, and waits until that is done.
    @discardableResult
    package consuming func end() -> ReapedClient {
        guard let launcher else { return ReapedClient(survivors: .none) }
        self.launcher = nil
        return finish(launcher)
    }

    private borrowing func finish(_ launcher: Int32) -> ReapedClient {
        // The keeper learns that no more messages will come, ends all descendants, and closes the socket.
        shutdown(control.descriptor, Int32(SHUT_WR))
        // A guard that is stopped would not end a keeper that is.
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
            // A keeper that cannot end a descendant (one in uninterruptible sleep) is ended at once, and the kernel does the rest.
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
