// SPDX-License-Identifier: Apache-2.0
import AttachProtocol
import CallTracing
import Evidence
import Glibc
import LinuxNet
import Sandbox
import Wire

/// A client that runs.
struct RunningClient: ~Copyable {
    private var client: GuardedClient
    private let connection: any ClientConnection & ~Copyable
    private var handover: Handover?
    private var observers: ClientObservers
    private var record: RunRecord

    init(
        _ client: consuming GuardedClient, on connection: consuming any ClientConnection & ~Copyable,
        _ handover: consuming Handover?, _ observers: consuming ClientObservers, _ record: RunRecord
    ) {
        self.client = client
        self.connection = connection
        self.handover = handover
        self.observers = observers
        self.record = record
    }

    /// Waits for the client's end, and ends what is left of it.
    /// - Parameter reaped: gets the ended client, whose guard may still be at work.
    consuming func awaitEnd(leaving reaped: inout ReapedClient?) throws(CheckFailure) -> EndedClient {
        let end = try Self.wait(for: &client, on: connection, &handover, record)
        if case .timedOut = end { record.listening = client.process.map(listeningPorts) ?? [] }
        record.timeline = handover?.timeline ?? []
        record.endedBeforeLastNetwork = handover?.isUnfinished ?? false
        if let later = handover?.prefixes, !later.isEmpty { record.prefixes = later }
        // The client's namespace must end with the client, and the handover would keep it.
        handover = nil
        record.duration = MonotonicClock.now() - record.start
        let cancellation = record.context.watch.cancellation(of: end)
        if let weakness = client.weakness { record.context.notes.append("Protection is weaker: \(weakness).") }
        record.tracingObstacle = client.tracingObstacle
        let ended = client.end()
        record.survivors = SurvivingProcesses(ended.survivors)
        reaped = consume ended
        record.context.request.output?.finish()
        // The files are closed, and with them the namespace goes.
        record.counters = observers.takeCounters()
        return EndedClient(as: end, cancelledBy: cancellation, connection, observers, record)
    }

    /// Waits for the client's end. Signals that are sent to the runner are passed on to the client.
    private static func wait(
        for client: inout GuardedClient, on connection: borrowing any ClientConnection & ~Copyable,
        _ handover: inout Handover?, _ record: RunRecord
    ) throws(CheckFailure) -> ExitOutcome {
        let (request, watch) = (record.context.request, record.context.watch)
        var times = RunTimes(start: record.start, timeout: request.timeout, grace: request.grace)
        var progress = request.progress
        defer { progress?.end() }
        while true {
            if let ending = client.poll() {
                let outcome = try outcome(of: ending, of: record.context.prepared.program)
                return times.exceeded.map { .timedOut(after: $0) } ?? outcome
            }
            for number in watch.take() { client.kill(number) }
            switch try connection.news() {
            case .wanted(let network): try handover?.move(to: network, on: connection)
            case .prefixes(let prefixes): try handover?.tell(prefixes)
            case nil: break
            }
            request.output?.read()
            let now = MonotonicClock.now()
            let deadline: Instant?
            switch times.next(at: now, graceEnd: watch.graceEnd) {
            case .end(let time): return .timedOut(after: time)
            case .askToEnd:
                client.kill(SIGTERM)
                continue
            case .wait(let time): deadline = time
            }
            let next = progress?.advance(to: now, since: record.start)
            try handover?.advance(to: now, on: connection)
            let look = [deadline, next, handover?.next, client.nextPoll].compactMap(\.self).min()
            _ = waitForInput(
                [client.descriptor, watch.descriptor, connection.hangUpDescriptor, request.output?.descriptor ?? -1],
                until: look)
        }
    }

    private static func outcome(of ending: ExitReport, of program: OSString) throws(CheckFailure) -> ExitOutcome {
        switch ending.outcome {
        case .exited(let code): return .exited(status: code)
        case .signaled(let number, _): return .killed(signal: number)
        case .notExecuted(let reason):
            throw CheckFailure("\(program): cannot be executed: \(explanation(of: reason))", .usage)
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
