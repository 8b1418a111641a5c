// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Synchronization
import Wire

/// Watches the runner's signals and the time limits of its steps, on a thread of its own: whatever the main thread waits for, a signal or a
/// deadline still ends the process.
///
/// Theory of operation. The signals are blocked in every thread and read here, except those that the runner was started to ignore (`nohup`,
/// a job in the background of a script). Their meaning depends on the stage:
///
///     busy           the network is made or taken down: a signal ends the process, and so does a step that takes too long.
///                    At once, unless the client may run already and this process does not know it yet: then the signal
///                    waits for that, for a second at most
///     clientRuns     a signal is kept for the main thread, which passes it on (`take`); a second one ends the process
///
/// A process that ends takes everything along: the keeper sees the control socket close, and ends the client. A launcher that
/// has been stopped sees nothing, so it is killed.
final class SignalWatch: RunWatch, Sendable {
    private let queue: SignalQueue
    /// Wakes the thread: the stage has changed.
    private let change: EventSignal
    /// Wakes the main thread: a signal has come.
    private let arrival: EventSignal
    private let state: Mutex<State>
    private let thread = Mutex<WorkerThread?>(nil)

    private struct State {
        var stage = Stage.busy(until: nil, otherwise: nil, signalGrace: .zero)
        var inbox = SignalInbox()
        /// Whether a signal asked for the end of a client, even if that succeeded.
        var wasInterrupted = false
        var launcher: Int32?
        var isStopping = false
        /// Whether the thread is waiting, and until when at most; `nil` is no limit.
        var isWaiting = false
        var waitEnd: Instant?

        /// When the thread must look again without an event; `nil` is never.
        var deadline: Instant? {
            switch stage {
            case .busy(let deadline, _, let grace):
                [deadline, inbox.firstArrival.map { $0 + grace }].compactMap(\.self).min()
            case .clientRuns: inbox.insisted == nil ? nil : .zero
            }
        }

        /// Whether the thread must be woken for a change of the stage. Most steps only postpone its deadline, and waking it takes longer
        /// than they do.
        var needsLook: Bool {
            guard isWaiting else { return false }
            guard inbox.isEmpty else { return true }
            return deadline.map { deadline in waitEnd.map { deadline < $0 } ?? true } ?? false
        }
    }

    private enum Stage {
        case busy(until: Instant?, otherwise: CheckFailure?, signalGrace: Duration)
        case clientRuns
    }

    /// Maximum time that a signal waits for the client's start.
    private static let startingGrace = Duration.seconds(1)

    /// - Parameter leavesTerminalToClient: as for a shell, which handles ^C itself.
    init(leavesTerminalToClient: Bool) throws(SystemError) {
        let all: SignalSet = [.hangUp, .interrupt, .quit, .terminate]
        let signals = all.subtracting(Signals.ignored)
        // The client may own the terminal to which this process writes.
        Signals.block(signals.union(.terminalOutput))
        queue = try SignalQueue(signals)
        change = try EventSignal()
        arrival = try EventSignal()
        state = Mutex(State(inbox: SignalInbox(leavesTerminalToClient: leavesTerminalToClient)))
    }

    deinit {
        state.withLock { $0.isStopping = true }
        change.wake()
        // Before anything that the thread uses is released.
        let running = thread.withLock { thread in thread.take() }
        running?.join()
    }

    /// Begins to watch. The process must have entered its namespaces: only a process with one thread can enter a user namespace.
    func start() throws(SystemError) {
        // The thread must not retain the watch, whose `deinit` ends it.
        var started: WorkerThread? = try WorkerThread.start(name: "signals") { [unowned(unsafe) self] in
            unsafe self.run()
        }
        thread.withLock { $0 = started.take() }
    }

    // MARK: - For the main thread

    func expectEnd(until deadline: Instant?, otherwise failure: CheckFailure?) {
        enter { $0 = .busy(until: deadline, otherwise: failure, signalGrace: .zero) }
    }

    func clientStarts() {
        enter { stage in
            if case .busy(let deadline, let failure, _) = stage {
                stage = .busy(until: deadline, otherwise: failure, signalGrace: Self.startingGrace)
            }
        }
    }

    func clientRuns() { enter { $0 = .clientRuns } }

    func guards(launcher: Int32?) {
        state.withLock { $0.launcher = launcher }
    }

    private func enter(_ step: (inout Stage) -> Void) {
        let needsLook = state.withLock { state in
            step(&state.stage)
            return state.needsLook
        }
        if needsLook { change.wake() }
    }

    var descriptor: Int32 { arrival.descriptor }

    func take() -> [Int32] {
        arrival.clear()
        return state.withLock { state in
            collect(&state)
            return state.inbox.takeForwarded()
        }
    }

    var graceEnd: Instant? { state.withLock { $0.inbox.graceEnd } }

    func cancellation(of end: ExitOutcome) -> Int32? {
        state.withLock { state in
            collect(&state)
            if state.inbox.first != nil { state.wasInterrupted = true }
            return state.inbox.settle(end)
        }
    }

    /// Whether a signal asked for the end of a client, even if that succeeded.
    var wasInterrupted: Bool { state.withLock(\.wasInterrupted) }

    // MARK: - The thread

    private func run() {
        while true {
            let deadline = state.withLock { state in
                state.isWaiting = true
                state.waitEnd = state.deadline
                return state.waitEnd
            }
            _ = waitForInput(queue.descriptor, change.descriptor, until: deadline)
            change.clear()
            let verdict = state.withLock { state -> Verdict in
                state.isWaiting = false
                if state.isStopping { return .stop }
                collect(&state)
                switch state.stage {
                case .busy(let deadline, let failure, let grace):
                    let now = MonotonicClock.now()
                    if let number = state.inbox.first, let arrival = state.inbox.firstArrival, arrival + grace <= now {
                        return .die(number)
                    }
                    if let deadline, deadline <= now { return .fail(failure) }
                case .clientRuns:
                    if let number = state.inbox.insisted { return .die(number) }
                }
                return .goOn(wakes: !state.inbox.isEmpty)
            }
            switch verdict {
            case .stop: return
            case .die(let number):
                endLauncher()
                Signals.die(of: number)
            case .fail(let failure):
                let states = ProcessStates.described()
                endLauncher()
                Self.end(failure, states)
            case .goOn(let wakes): if wakes { arrival.wake() }
            }
        }
    }

    private enum Verdict {
        case stop
        case die(Int32)
        case fail(CheckFailure?)
        case goOn(wakes: Bool)
    }

    private func collect(_ state: inout State) {
        while let arrival = queue.nextArrival() { state.inbox.add(arrival, at: MonotonicClock.now()) }
    }

    private func endLauncher() {
        state.withLock { state in
            guard let launcher = state.launcher else { return }
            _ = kill(launcher, SIGKILL)
            TerminalForeground(clientGroup: launcher).takeBack()
        }
    }

    /// Ends the process at once: no part of it can be relied on to end in time.
    private static func end(_ failure: CheckFailure?, _ states: String) -> Never {
        if let failure { Console.write("ipv6check: \(failure) (\(states))\n", within: .milliseconds(500)) }
        _exit((failure?.exitCode ?? .machineCannot).rawValue)
    }
}
