// SPDX-License-Identifier: Apache-2.0
import Evidence
import LinuxNet
import Sandbox
import Wire

/// The signals and the time limits of a run: `SignalWatch`, and a substitute in tests.
protocol RunWatch: AnyObject {
    /// Begins a step that ends the process with `failure` if the deadline comes before the next step; `nil` is no limit.
    func expectEnd(until deadline: Instant?, otherwise failure: CheckFailure?)
    /// Marks the client's start: from now on its packets may reach others before the runner knows that it runs.
    func clientStarts()
    /// Marks the client as running: signals are passed on to it from now on.
    func clientRuns()
    /// Sets the launcher that must not outlive this process; `nil` once it has ended.
    func guards(launcher: Int32?)
    /// Readable when a signal has come for the client.
    var descriptor: Int32 { get }
    /// The signals to pass on to the client.
    func take() -> [Int32]
    /// The end of the client's grace period after a signal that asked it to end; `nil` if there was none.
    var graceEnd: Instant? { get }
    /// The signal by which the user cancelled the run, now that the client has ended; `nil` if there was none. To be called before the next
    /// step, as it settles the signals so far.
    func cancellation(of end: ExitOutcome) -> Int32?
}

extension RunWatch {
    /// Begins a step without a limit.
    func expectEnd() { expectEnd(until: nil, otherwise: nil) }

    /// Begins a step that takes `limit` at most.
    func expectEnd(within limit: Duration, otherwise failure: CheckFailure) {
        expectEnd(until: MonotonicClock.now() + limit, otherwise: failure)
    }

    /// Begins the end of a client: its processes are killed, and the evidence is collected.
    func expectEndOfClient() { expectEnd(within: .seconds(10), otherwise: Self.stuck) }

    /// The same after a failure.
    func expectEndOfFailedRun() { expectEnd(within: Self.failureLimit, otherwise: Self.stuck) }

    static var failureLimit: Duration { .seconds(5) }

    private static var stuck: CheckFailure {
        CheckFailure("the run could not be ended in time: a process or a file does not answer", .machineCannot)
    }
}
