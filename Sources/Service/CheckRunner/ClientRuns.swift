// SPDX-License-Identifier: Apache-2.0
import Diagnosis
import Evidence
import Glibc
import LinuxNet
import Reports
import Sandbox
import Simulator
import Topology

/// The runs of one client: on one network, or on several, which share their control runs.
struct ClientRuns: ~Copyable {
    private let options: CheckOptions
    private let inheritance: Inheritance
    private let session: CheckSession
    private let streams: RepeatStreams
    /// The control runs on dual-stack, by their schedules, which differ in their gaps.
    private var controls: [NetworkSchedule: FinishedRun] = [:]
    /// Why a further run failed, when the first result was known.
    private(set) var failure: CheckFailure?

    init(_ options: CheckOptions, _ inheritance: Inheritance, _ session: CheckSession) throws(CheckFailure) {
        self.options = options
        self.inheritance = inheritance
        self.session = session
        streams = try RepeatStreams()
    }

    /// Runs the client on the chosen network, with the user's streams.
    mutating func onNetwork() throws(CheckFailure) -> RunReport {
        // A report on standard output has it to itself.
        let output: StandardStreams =
            options.hasReportOnStandardOutput
            ? StandardStreams(output: STDERR_FILENO) : .inherited
        let first = try session.run(
            RunRequest(
                schedule: options.schedule, timeout: options.timeout, streams: output,
                isTraced: options.trace == .always)
        )
        dieOfBrokenPipe(first.evidence.end)
        let runs = try further(after: first, on: options.schedule, labelled: nil)
        // The servers end while the runs are judged.
        session.close()
        // The reader of the first run's output had enough of it, and that of a further run was there to its end.
        if runs.isRecovered, session.cancellation == nil, hasNoReader(STDOUT_FILENO) {
            session.awaitGuard()
            Signals.die(of: SIGPIPE)
        }
        // A further run writes elsewhere.
        if runs.isRecovered || runs.passesFromMemory, session.cancellation == nil,
            let obstacle = StandardOutput.obstacle
        {
            throw CheckFailure(
                "the program ended with \(phrase(first.evidence.end)), and works where it can write: standard output \(obstacle)",
                .usage)
        }
        return report(runs, of: first)
    }

    /// Runs the client on one of several networks; none of these runs has the user's streams to itself.
    mutating func onNetwork(_ schedule: NetworkSchedule) throws(CheckFailure) -> RunReport {
        if !streams.inputIsReplayed {
            throw CheckFailure(
                "standard input came through a pipe, which cannot be read for each network; give it as a file", .usage)
        }
        if let control = controls[schedule] {
            return report(Runs(first: control.evidence), of: control)
        }
        var request = try repeated(on: schedule, isTraced: options.trace == .always)
        request.captureLabel = schedule.name
        request.progress = Progress("run on \(schedule)", inheritance.environment)
        let first = try session.run(request)
        show(request)
        let runs = try further(after: first, on: schedule, labelled: schedule.name)
        if schedule == schedule.control { controls[schedule] = first.with(runs.first) }
        return report(runs, of: first)
    }

    /// The longest label of the captures of all runs on one of several networks.
    static func longestLabel(on schedule: NetworkSchedule) -> String {
        "\(schedule.name).\(Network.dualStack.rawValue)"
    }

    /// A run without the user's streams.
    private func repeated(
        on schedule: NetworkSchedule, isTraced: Bool, isRequested: Bool = true
    ) throws(CheckFailure) -> RunRequest {
        let output = try CheckFailure.wrapping { () throws(SystemError) in
            try OutputPipe(start: 0, end: Self.outputLimit)
        }
        var request = RunRequest(
            schedule: schedule, timeout: options.timeout,
            streams: streams.rewound(to: output, isRequested: isRequested), isTraced: isTraced)
        request.output = output
        return request
    }

    /// Octets that are kept of what a run printed last.
    private static let outputLimit = 65_536

    /// Shows on the standard error stream what a further run printed, so that it is not taken for the client's own output.
    private func show(_ request: RunRequest) {
        guard options.verbosity == .verbose, let output = request.output else { return }
        if output.omitted > 0 { Console.write("… (\(output.omitted) octets before this)\n") }
        Console.write(String(decoding: output.end, as: UTF8.self))
    }

    private func plan(on network: Network) -> RunPlan {
        var plan = RunPlan(network: network, control: options.control)
        plan.trace = options.trace
        plan.isOnce = options.isOnce
        // After ^C no user wants the client once more.
        plan.comparesPasses = session.isHermetic && !session.wasInterrupted
        return plan
    }

    /// - Parameter label: the network's, if there are several.
    private mutating func further(
        after first: FinishedRun, on schedule: NetworkSchedule, labelled label: String?
    ) throws(CheckFailure) -> Runs {
        let network = schedule.network
        let plan = plan(on: network)
        var runs = Runs(first: first.evidence)
        let position = streams.position
        defer { streams.restore(position) }
        while let step = plan.next(after: runs, inputIsReplayed: streams.inputIsReplayed) {
            if step == .control, let control = controls[schedule.control] {
                runs.control = control.evidence
                continue
            }
            if !streams.inputIsReplayed { runs.inputWasReplayed = false }
            let isRequested = !runs.first.end.isSuccess || options.control == .always
            var request = try repeated(
                on: schedule, isTraced: plan.traces(step, after: runs), isRequested: isRequested)
            request.timeout = limit(after: runs.first, isRequested)
            request.leavesTerminal = !isRequested
            let prefix = label.map { "\($0)." } ?? ""
            switch step {
            case .translated:
                request.schedule = step.schedule(of: schedule)
                request.captureLabel = prefix + Network.nat64.rawValue
                request.progress = Progress("run on nat64", inheritance.environment)
            case .first, .again, .later:
                request.captureLabel = prefix + step.rawValue
                request.progress = Progress(
                    "\(step == .later ? "last" : "second") run on \(network.rawValue)", inheritance.environment)
            case .control:
                request.schedule = schedule.control
                request.captureLabel = (request.schedule.isConstant ? "" : prefix) + Network.dualStack.rawValue
                request.progress = Progress("control run on dual-stack", inheritance.environment)
            case .withSynthesis, .withoutSynthesis:
                request.getaddrinfo = step.getaddrinfo
                request.captureLabel = prefix + step.rawValue
                request.progress = Progress(
                    "run \(step == .withSynthesis ? "with" : "without") literal synthesis", inheritance.environment)
            }
            guard let run = label == nil ? runIfPossible(request, isRequested) : try session.run(request) else { break }
            show(request)
            runs.add(run.evidence, as: step)
            // A traced run that was set aside is no control run.
            if step == .control { controls[request.schedule] = runs.control.map(run.with) }
        }
        return runs.withSharedLines
    }

    /// The limit of a further run. A client that ends here, and serves or waits on dual-stack, has none of its own.
    private func limit(after first: RunEvidence, _ isRequested: Bool) -> Duration {
        isRequested
            ? options.timeout ?? max(.seconds(30), first.duration * 5)
            : min(options.timeout ?? .seconds(60), first.duration * 5 + .seconds(5))
    }

    /// A further run. The first result is known, and reported even if this run cannot be made; a pass also if the user does not wait for
    /// more: then `nil`. A failure that was not compared is none yet.
    private mutating func runIfPossible(_ request: RunRequest, _ isRequested: Bool) -> FinishedRun? {
        do throws(CheckFailure) {
            return isRequested ? try session.run(request) : try session.runUnlessCancelled(request)
        } catch {
            failure = error
            return nil
        }
    }

    private func report(_ runs: Runs, of first: FinishedRun) -> RunReport {
        let verdict = Verdict(runs, command: options.command)
        let known = FoundationRemark.remark(on: verdict, runs).map { [$0] } ?? []
        let open = plan(on: runs.first.network)
            .openQuestion(after: runs, inputIsReplayed: streams.inputIsReplayed)
        return RunReport(
            command: options.command, pref64: first.pref64, runs: runs, verdict: verdict, links: first.links,
            hostNetwork: session.hostNetwork, notes: first.notes + remarks(on: runs) + known + [open].compactMap(\.self)
        )
    }

    /// The reasons why nothing is concluded from further runs; empty if there are none.
    private func remarks(on runs: Runs) -> [String] {
        if session.cancellation != nil {
            return ["It passed before it was cancelled; the run that was to look further into that did not end."]
        }
        if !runs.inputWasReplayed {
            return [
                "Its standard input came through a pipe, which cannot be read twice: nothing is concluded from further runs. "
                    + "Give it as a file."
            ]
        }
        if runs.all.contains(where: { !$0.end.isSuccess && $0.calls?.hasRivalTracer == true }) {
            return [
                "It traces other processes (ptrace), as strace and debuggers do, and cannot if it is traced itself: such a run decides "
                    + "nothing. --trace never leaves it alone."
            ]
        }
        if !runs.isChangedByTracing { return [] }
        return runs.first.end.isSuccess && runs.control == nil
            ? ["Its second run, which was to explain the pass, ended otherwise: it decides nothing."]
            : [
                "The run in which its system calls were traced ended otherwise than the others: it explains, and decides nothing."
            ]
    }

    /// Ends the process by SIGPIPE if the client's reader is gone, as in `ipv6check ping shop.test | head -2`: the reader caused the
    /// client's end, so there is nothing to judge. A shell exits with status 141 if its command ended so.
    private func dieOfBrokenPipe(_ end: ExitOutcome) {
        let byPipe = end == .killed(signal: SIGPIPE) || end == .exited(status: 128 + SIGPIPE)
        guard byPipe && (hasNoReader(STDOUT_FILENO) || hasNoReader(STDERR_FILENO)) else { return }
        session.awaitGuard()
        Signals.die(of: SIGPIPE)
    }
}
