// SPDX-License-Identifier: Apache-2.0
import ConfigurationText
import Diagnosis
import Evidence
import Reports
import RulePages
package import Sandbox
import Simulator
import Text
import Topology

/// A check of one client on the chosen network. If the client fails, it runs there again and then on dual-stack; if it passes by literal
/// synthesis, it runs there again without that.
///
/// Theory of operation. Errors in the options are found before anything is made. Then the process enters a namespace of its own, in which
/// it makes the world; at the same time the launcher makes the client's place. When the client has ended, its evidence is judged and
/// reported. `RunPlan` decides which runs there are.
package struct Check {
    private let options: CheckOptions
    private let inheritance: Inheritance

    /// - Parameter inheritance: what this process inherited from the user's shell, taken at the start of main.
    package init(_ options: CheckOptions, inheritance: Inheritance) {
        self.options = options
        self.inheritance = inheritance
    }

    /// Runs the client, judges it, and reports.
    package func run() throws(CheckFailure) -> ExitCode {
        let json = try ReportFile.prepared(options.jsonFile, option: "--json")
        let html = try ReportFile.prepared(options.htmlFile, option: "--html")
        let hosts = try ReportFile.prepared(options.hostsFile, option: "--hosts")
        let prepared = try ResolvedOptions(options, inheritance.environment, typed: inheritance.arguments)
        let session = try CheckSession(prepared, inheritance, isLeftAlone: options.isLeftAlone)
        var runs = try ClientRuns(options, inheritance, session)
        var report = try runs.onNetwork()
        let code = report.verdict.exitCode(failingOn: options.failOn)
        // A shell's number for a signal.
        let status = session.cancellation.map { 128 + $0 } ?? runs.failure?.exitCode.rawValue ?? code.rawValue
        if let level = options.failOn, code != report.verdict.judgement.exitCode {
            report.notes.append(
                "It works, and the exit code is \(code.rawValue), as --fail-on \(level.rawValue) wants it.")
        }
        let defaults = DefaultOptions.words(inheritance.environment)
        if !defaults.isEmpty {
            report.notes.append("\(DefaultOptions.variable): \(printable(defaults.joined(separator: " "))).")
        }
        say(report, code)
        try json?.write { try Array(JSONReport(report, exitCode: status).encoded()) }
        try hosts?.write {
            options.hostsFile?.hasSuffix(".json") == true
                ? try Array(CycloneDXReport(report).encoded()) : Array(HostList.render(report).utf8)
        }
        try html?.write(
            Array(
                HTMLRunReport.render(report, pages: { RulePage.find($0)?.text }, source: { sourceLine($0, $1) }).utf8))
        session.stop(before: code)
        if options.verbosity == .verbose {
            for (service, text) in session.programOutput { Console.write(Self.output(of: service, text)) }
        }
        session.dieIfCancelled()
        if let failure = runs.failure { throw failure }
        return code
    }

    /// Opens the shell that `options.command` names, and returns its exit status.
    package func runShell() throws(CheckFailure) -> Int32 {
        let prepared = try ResolvedOptions(options, inheritance.environment, typed: inheritance.arguments)
        let session = try CheckSession(
            prepared, inheritance, isLeftAlone: options.isLeftAlone, isShell: true)
        let run = try session.run(RunRequest(schedule: options.schedule)) { place, notes in
            let pref64 = place.prefixes.isEmpty ? "" : " under \(place.prefixes.joined(separator: ", "))"
            let host = options.uplink == nil ? "try: curl http://shop.test/" : "the real network is behind it"
            Console.write(
                "You are on \(options.network.rawValue) (\(options.network.entry.contents)\(pref64)); \(host). To leave: exit\n"
                    + TerminalReport.notes(notes, style: Console.style(inheritance.environment, options.colour))
            )
        }
        session.stop(before: .pass)
        return switch run.evidence.end {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        case .timedOut: ExitCode.timeout.rawValue
        }
    }

    /// The output of a program of the world, each line prefixed with the program's name.
    private static func output(of service: World.Service, _ text: String) -> String {
        let name = "\(service.hostNames[0])".dropLast()
        return text.split(whereSeparator: \.isNewline).map { "[\(name):\(service.port)] \(printable(String($0)))\n" }
            .joined()
    }

    private func say(_ report: RunReport, _ code: ExitCode) {
        let style = Console.style(inheritance.environment, options.colour)
        switch options.verbosity {
        case .quiet:
            if report.verdict.judgement != .passes || code != .pass {
                Console.write(TerminalReport.line(report, style: style) + "\n")
            }
        case .normal, .verbose:
            Console.write(TerminalReport.render(report, style: style, verbose: options.verbosity == .verbose))
        }
    }
}
