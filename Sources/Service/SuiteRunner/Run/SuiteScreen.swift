// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Glibc
import LinuxNet
import Reports
import Sandbox
import Suites
import Wire

/// The messages of a running suite: on a terminal a status line that is rewritten, elsewhere a line for each case as it ends.
final class SuiteScreen {
    /// The cases whose verdict is shown.
    enum Verdicts {
        case all
        /// None that pass, and details of a few if many are red.
        case brief
        /// Only those that could not be run: the others are reported in a different way.
        case errors
    }

    private let lines: SuiteLines
    private let isTerminal: Bool
    private let isCI: Bool
    private let total: Int
    private let verdicts: Verdicts
    private var hasStatus = false

    /// Limit of red cases with details in a brief report.
    private static let briefDetails = 3

    init(_ style: TerminalStyle, cases: [SuiteCase], _ verdicts: Verdicts, _ environment: Environment) {
        self.verdicts = verdicts
        lines = SuiteLines(style: style, cases: cases.map(\.id))
        isTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"]?.description != "dumb"
        isCI = environment["CI"].map { !$0.bytes.isEmpty && $0 != "false" } ?? false
        total = cases.count
    }

    /// Whether the status line must be rewritten each second.
    var isLive: Bool { isTerminal }

    func ended(_ result: CaseResult) {
        let isSaid =
            switch verdicts {
            case .all: true
            case .brief: result.outcome != .pass || !result.message.isEmpty
            case .errors: Self.isError(result)
            }
        if isSaid { say(lines.line(result) + "\n") }
    }

    private static func isError(_ result: CaseResult) -> Bool {
        result.outcome == .error || result.outcome == .cancelled
    }

    /// Reports a case that takes long: in a log once, and in a CI service's log every minute.
    func slow(_ id: String, seconds: Int, isFirst: Bool) {
        if !isTerminal, isFirst || isCI { say(lines.slow(id, seconds: seconds) + "\n") }
    }

    func status(done: Int, running: [(id: String, seconds: Int)]) {
        guard isTerminal, let longest = running.first else { return }
        var line = "  \(done)/\(total) done, \(running.count) running: \(longest.id)"
        if longest.seconds > 0 { line += " \(longest.seconds) s" }
        Console.write("\r\u{1b}[K\(line)")
        hasStatus = true
    }

    func end(_ results: SuiteResults, notes: [String]) {
        if verdicts == .errors, !results.cases.contains(where: Self.isError) { return endStatus() }
        var text = ""
        let red = results.red.filter { $0.outcome != .cancelled }
        let shown = verdicts == .brief ? red.prefix(Self.briefDetails) : red[...]
        for result in shown { text += lines.detail(result) }
        if shown.count < red.count {
            text += "\nand \(red.count - shown.count) more; --html and --json have all of them\n"
        }
        say(text + lines.notes(results) + notes.map(lines.note).joined() + lines.summary(results))
    }

    /// Writes the commands by which a CI service shows messages at lines of the repository.
    func annotate(_ commands: String) {
        endStatus()
        Console.writeCommands(commands)
    }

    func say(_ text: String) {
        endStatus()
        Console.write(text)
    }

    private func endStatus() {
        if hasStatus { Console.write("\r\u{1b}[K") }
        hasStatus = false
    }
}
