import Diagnosis
import Evidence
import Glibc
import LinuxNet
import Reports
package import Sandbox
import Simulator
import Translation

/// A check of one client: on the chosen network, and where it fails there, once more and then on dual-stack; where it passes
/// there by literal synthesis, without that.
///
/// Theory of operation. What can be wrong with the options is found before anything is made. Then the process enters a
/// namespace of its own, in which it makes the world; the client's place is made by the launcher at the same time. When the
/// client has ended, what was seen is judged and reported. `RunPlan` says which runs there are.
package struct Check {
    private let options: CheckOptions
    private let inheritance: Inheritance

    /// - Parameter inheritance: what the user's shell gave this process, taken at the start of main.
    package init(_ options: CheckOptions, inheritance: Inheritance) {
        self.options = options
        self.inheritance = inheritance
    }

    /// Runs the client, judges it, and reports.
    package func run() throws(CheckFailure) -> ExitCode {
        let json = try ReportFile.prepared(options.jsonFile, option: "--json")
        let html = try ReportFile.prepared(options.htmlFile, option: "--html")
        let prepared = try Preparation(options, inheritance.environment)
        let streams = try RepeatStreams()
        let session = try Session(prepared, inheritance, getaddrinfo: options.getaddrinfo)
        // The report has standard output to itself where it goes there.
        let firstStreams =
            [options.jsonFile, options.htmlFile].contains(ReportFile.standardOutput)
            ? StandardStreams(output: STDERR_FILENO) : .inherited
        var request = Session.Request(network: options.network, timeout: options.timeout, streams: firstStreams)
        request.isTraced = options.trace == .always
        let first = try session.run(request)
        dieOfBrokenPipe(first.end)
        let runs = try furtherRuns(after: first, session, streams)
        let verdict = Verdict(runs, command: options.command)
        let code = verdict.exitCode(failingOn: options.failOn)
        var notes = session.notes + remarks(on: runs)
        if let level = options.failOn, code != verdict.judgement.exitCode {
            notes.append("It works, and the exit code is \(code.rawValue), as --fail-on \(level.rawValue) wants it.")
        }
        let report = RunReport(
            command: options.command, pref64: options.network == .nat64 ? session.prefixList : nil, runs: runs,
            verdict: verdict, links: session.links, notes: notes)
        say(report, code)
        try json?.write(report, exitCode: code)
        try html?.write(Array(HTMLRunReport.render(report).utf8))
        session.stop(before: code)
        return code
    }

    /// Why nothing is concluded from further runs, where that is so.
    private func remarks(on runs: Runs) -> [String] {
        if !runs.inputWasReplayed {
            return [
                "Its standard input came through a pipe, which cannot be read twice: nothing is concluded from further runs. "
                    + "Give it as a file."
            ]
        }
        if runs.isDisturbedByTracing {
            return [
                "It follows other processes (ptrace), as strace and debuggers do, and cannot where it is traced itself: nothing is "
                    + "concluded from that run. --trace never leaves it alone."
            ]
        }
        if runs.control != nil && !runs.isComparable {
            return [
                "It passed the second time, and on dual-stack, without sending anything: something that it keeps from run to run "
                    + "may be why, and not the network."
            ]
        }
        return []
    }

    private func furtherRuns(
        after first: RunEvidence, _ session: Session, _ streams: borrowing RepeatStreams
    ) throws(CheckFailure) -> Runs {
        let plan = RunPlan(
            network: options.network, control: options.control, isOnce: options.isOnce, alsoLinux: options.alsoLinux,
            isVerbose: options.verbosity == .verbose)
        var runs = Runs(first: first)
        while let step = plan.next(after: runs, inputIsReplayed: streams.inputIsReplayed) {
            if !streams.inputIsReplayed { runs.inputWasReplayed = false }
            var request = Session.Request(
                network: options.network, timeout: options.timeout,
                streams: streams.rewound(showingOutput: options.verbosity == .verbose))
            request.isTraced = options.traces(runAfter: runs)
            switch step {
            case .again:
                request.captureLabel = "again"
                request.progress = Progress("second run on \(options.network.rawValue)", inheritance.environment)
                runs.again = try session.run(request)
            case .control:
                request.network = .dualStack
                request.captureLabel = "dual-stack"
                request.progress = Progress("control run on dual-stack", inheritance.environment)
                runs.control = try session.run(request)
            case .withoutSynthesis:
                request.isPlain = true
                request.captureLabel = "linux"
                request.progress = Progress("run without literal synthesis", inheritance.environment)
                runs.withoutSynthesis = try session.run(request)
            }
        }
        return runs.withSharedLines
    }

    /// Opens the shell that `options.command` names, and hands on its exit status.
    package func runShell() throws(CheckFailure) -> Int32 {
        let prepared = try Preparation(options, inheritance.environment)
        let session = try Session(prepared, inheritance, getaddrinfo: options.getaddrinfo, isShell: true)
        let run = try session.run(Session.Request(network: options.network)) { place in
            let pref64 = place.prefixes.joined(separator: ", ")
            Console.write(
                "You are on \(options.network.rawValue)" + (pref64.isEmpty ? "" : " (IPv6 only, Pref64 \(pref64))")
                    + "; try: curl http://shop.test/. To leave: exit\n"
                    + TerminalReport.notes(session.notes, style: Console.style(inheritance.environment, options.colour))
            )
        }
        session.stop(before: .pass)
        return switch run.end {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        case .timedOut: ExitCode.timeout.rawValue
        }
    }

    /// A client whose reader has gone, as in `ipv6check ping shop.test | head -2`, is not judged: it ended by what
    /// its reader did. We end the same way. A shell says 141 for a command of its that did.
    private func dieOfBrokenPipe(_ end: ClientEnd) {
        let byPipe = end == .killed(signal: SIGPIPE) || end == .exited(status: 128 + SIGPIPE)
        if byPipe && (hasNoReader(STDOUT_FILENO) || hasNoReader(STDERR_FILENO)) { Signals.die(of: SIGPIPE) }
    }

    private func say(_ report: RunReport, _ code: ExitCode) {
        let style = Console.style(inheritance.environment, options.colour)
        switch options.verbosity {
        case .quiet:
            if report.verdict.judgement != .passes || code != .pass {
                Console.write(TerminalReport.headline(report, style: style) + "\n")
            }
        case .normal, .verbose:
            Console.write(TerminalReport.render(report, style: style, verbose: options.verbosity == .verbose))
        }
    }
}
