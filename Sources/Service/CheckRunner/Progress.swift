// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet
import Sandbox
import Wire

/// Reports that a further run of the client is in progress if it takes long: the user did not ask for it and does not expect to wait.
///
/// On a terminal the line is rewritten every second, and removed when the run has ended. The log of a CI service, which cannot be
/// rewritten, gets one line a minute. Elsewhere nothing is written.
struct Progress {
    private let what: String
    private let isTerminal: Bool
    private var next: Duration = Self.start
    private var isShown = false

    private static let start = Duration.seconds(10)

    /// `nil` if neither a terminal nor a CI service shows the line.
    /// - Parameter what: the run, such as `control run on dual-stack`.
    init?(_ what: String, _ environment: Environment, isTerminal: Bool = isatty(STDERR_FILENO) == 1) {
        self.isTerminal = isTerminal
        // The convention of CI services.
        let isCI = environment["CI"].map { !$0.bytes.isEmpty && $0 != "false" } ?? false
        guard isTerminal || isCI else { return nil }
        self.what = what
    }

    /// Writes the line if it is due, and returns the time of the next call.
    mutating func advance(to now: Instant, since start: Instant) -> Instant {
        let elapsed = now - start
        if elapsed >= next {
            let line = "ipv6check: \(what), \(elapsed.components.seconds) s"
            Console.write(isTerminal ? "\r\(line) " : "\(line)\n")
            isShown = isTerminal
            let pause = Duration.seconds(isTerminal ? 1 : 60)
            while next <= elapsed { next += pause }
        }
        return start + next
    }

    /// Removes the line.
    mutating func end() {
        if isShown { Console.write("\r\u{1b}[K") }
        isShown = false
    }
}
