// SPDX-License-Identifier: Apache-2.0
import CheckRunner
import Glibc
import LinuxNet
import Reports
import Sandbox
import Suites
import Wire

/// What is said while a suite runs: on a terminal a status line that is rewritten, elsewhere a line a case as it ends.
final class SuiteScreen {
    /// Of which cases the verdict is said.
    enum Verdicts {
        case all
        /// Of cases that pass nothing, and of many red ones the details of a few.
        case brief
        /// Of cases that could not be run: what the others came to is told otherwise.
        case errors
    }

    private let lines: SuiteLines
    private let isTerminal: Bool
    private let isCI: Bool
    private let total: Int
    private let verdicts: Verdicts
    private var hasStatus = false

    /// Red cases of which a brief report has the details.
    private static let briefDetails = 3

    init(_ style: TerminalStyle, cases: [SuiteCase], _ verdicts: Verdicts, _ environment: Environment) {
        self.verdicts = verdicts
        lines = SuiteLines(style: style, cases: cases.map(\.id))
        isTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"]?.description != "dumb"
        isCI = environment["CI"].map { !$0.bytes.isEmpty && $0 != "false" } ?? false
        total = cases.count
    }

    /// Whether the status line has to be written anew each second.
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

    /// Of a case that takes long. In a log once, and in that of a CI service every minute.
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

    /// What a CI service shall show at lines of the repository.
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
