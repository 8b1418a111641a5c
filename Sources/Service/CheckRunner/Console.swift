// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
package import Reports
package import Sandbox
import Wire

/// The standard error stream, to which the report is written.
package enum Console {
    /// Whether GitHub's runner reads the output.
    private static let isReadByGitHub = unsafe getenv("GITHUB_ACTIONS").map { unsafe String(cString: $0) } == "true"

    /// Writes all of `text`; a reader that has gone away is no error.
    package static func write(_ text: String) { writeCommands(harmless(text)) }

    /// The same for commands that GitHub's runner shall obey.
    package static func writeCommands(_ text: String) {
        try? Descriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// A text that is safe in a log that a CI service reads: a client's text that it quotes must not act as a command.
    package static func harmless(_ text: String) -> String {
        isReadByGitHub ? withoutWorkflowCommands(text) : text
    }

    /// Writes `text`, unless its reader blocks for longer than `limit`.
    static func write(_ text: String, within limit: Duration) {
        if waitForOutput(STDERR_FILENO, until: MonotonicClock.now() + limit) { write(text) }
    }

    /// The style of a report: in colour if wanted, and with lines that fit a terminal.
    package static func style(_ environment: Environment, _ colour: ColourChoice) -> TerminalStyle {
        style(of: STDERR_FILENO, environment, colour)
    }

    /// The same for output that the user asked for, on standard output.
    package static func outputStyle(_ environment: Environment, _ colour: ColourChoice) -> TerminalStyle {
        style(of: STDOUT_FILENO, environment, colour)
    }

    private static func style(of stream: Int32, _ environment: Environment, _ colour: ColourChoice) -> TerminalStyle {
        let isTerminal = isatty(stream) == 1
        var size = winsize()
        let isSized = unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return TerminalStyle(
            isColoured: colour.isColoured(onTerminal: isTerminal) { environment[$0]?.description },
            width: isTerminal && isSized ? Int(size.ws_col) : nil)
    }
}

/// The machine's name; empty if it has none.
package func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
