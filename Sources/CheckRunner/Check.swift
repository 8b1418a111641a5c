public import Findings
import LinuxNet
import Reports
public import Sandbox
import Simulator
import Translation

/// A check of one client: on the chosen network, and where it fails there, on dual-stack; where it passes there by literal
/// synthesis, without that.
///
/// Theory of operation. What can be wrong with the options is found before anything is made. Then the process enters a
/// namespace of its own, in which it makes the world; the client's place is made by the launcher at the same time. When the
/// client has ended, what was seen is judged and reported.
public struct Check {
    private let options: CheckOptions
    private let inheritance: Inheritance

    /// - Parameter inheritance: what the user's shell gave this process, taken at the start of main.
    public init(_ options: CheckOptions, inheritance: Inheritance) {
        self.options = options
        self.inheritance = inheritance
    }

    /// Runs the client, judges it, and reports.
    public func run() throws(CheckFailure) -> ExitCode {
        let json = try ReportFile.prepared(options.jsonFile)
        let prepared = try Preparation(options, inheritance)
        let controlStreams = try ControlStreams()
        let session = try Session(prepared, inheritance, getaddrinfo: options.getaddrinfo)
        defer { session.stop() }

        let run = try session.run(on: options.network, timeout: options.timeout)
        dieWith(run.end)
        var notes = session.notes
        var control: RunEvidence?
        if needsControl(after: run) {
            let streams = controlStreams.rewound(showingOutput: options.verbosity == .verbose)
            control = try session.run(on: .dualStack, timeout: options.timeout, streams: streams)
        }
        var plain: RunEvidence?
        if needsPlainRun(after: run) {
            let streams = controlStreams.rewound(showingOutput: options.verbosity == .verbose)
            plain = try session.run(on: options.network, timeout: options.timeout, streams: streams, plain: true)
        }
        if control != nil || plain != nil, !controlStreams.inputIsReplayed {
            notes.append("The other runs found no standard input: what came through a pipe cannot be read twice.")
        }
        let report = RunReport(
            command: options.command, pref64: options.network == .nat64 ? session.prefixList : nil, run: run,
            control: control, plain: plain, links: session.links, notes: notes)
        say(report)
        try json?.write(report)
        return report.verdict.judgement.exitCode
    }

    /// Opens the shell that `options.command` names, and hands on its exit status.
    public func runShell() throws(CheckFailure) -> Int32 {
        let prepared = try Preparation(options, inheritance)
        let session = try Session(prepared, inheritance, getaddrinfo: options.getaddrinfo)
        defer { session.stop() }
        let run = try session.run(on: options.network, timeout: nil) { place in
            let pref64 = place.prefixes.joined(separator: ", ")
            Console.write(
                "You are on \(options.network.rawValue)" + (pref64.isEmpty ? "" : " (IPv6 only, Pref64 \(pref64))")
                    + "; try: curl http://shop.test/. To leave: exit\n"
                    + TerminalReport.notes(session.notes, style: Console.style(inheritance.environment, options.colour))
            )
        }
        return switch run.end {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        case .timedOut: ExitCode.timeout.rawValue
        }
    }

    /// A client that ^C ended was not judged by its network but by its user. We end the same way, so that a shell script
    /// stops as it would have without us.
    private func dieWith(_ end: ClientEnd) {
        if case .killed(let signal) = end, SignalSet([.interrupt, .quit]).contains(number: signal) {
            Signals.die(of: signal)
        }
    }

    private func needsControl(after run: RunEvidence) -> Bool {
        if options.network == .dualStack { return false }
        return switch options.control {
        case .always: true
        case .onFailure: !run.end.isSuccess
        case .never: false
        }
    }

    /// Whether to show what the client does without literal synthesis.
    private func needsPlainRun(after run: RunEvidence) -> Bool {
        guard run.network == .nat64, run.end.isSuccess, run.profile != .linux else { return false }
        return options.alsoLinux || options.verbosity == .verbose && !run.usedSynthesis.isEmpty
    }

    private func say(_ report: RunReport) {
        let style = Console.style(inheritance.environment, options.colour)
        switch options.verbosity {
        case .quiet:
            if report.verdict.judgement != .passes {
                Console.write(TerminalReport.headline(report, style: style) + "\n")
            }
        case .normal, .verbose:
            Console.write(TerminalReport.render(report, style: style, verbose: options.verbosity == .verbose))
        }
    }
}
