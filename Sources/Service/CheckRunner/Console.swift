// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
package import Reports
package import Sandbox
import Wire

/// The standard error stream, where the report goes.
package enum Console {
    /// Whether GitHub's runner reads what is written.
    private static let isReadByGitHub = unsafe getenv("GITHUB_ACTIONS").map { unsafe String(cString: $0) } == "true"

    /// Writes all of `text`; a reader that has gone away is no reason to fail.
    package static func write(_ text: String) { writeCommands(harmless(text)) }

    /// The same of what GitHub's runner shall obey.
    package static func writeCommands(_ text: String) {
        try? Descriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// A text as it may be written where a CI service reads along: what it quotes is a client's, and commands nothing.
    package static func harmless(_ text: String) -> String {
        isReadByGitHub ? withoutWorkflowCommands(text) : text
    }

    /// Writes `text` unless its reader lets us wait for longer than `limit`.
    static func write(_ text: String, within limit: Duration) {
        if waitForOutput(STDERR_FILENO, until: MonotonicClock.now() + limit) { write(text) }
    }

    /// How to write a report: in colour where that is wanted, and for a terminal in lines that fit.
    package static func style(_ environment: Environment, _ colour: ColourChoice) -> TerminalStyle {
        style(of: STDERR_FILENO, environment, colour)
    }

    /// The same for what is printed because it was asked for: on standard output.
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

/// The machine's name, empty where it has none.
package func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
