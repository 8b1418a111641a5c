// SPDX-License-Identifier: Apache-2.0
/// Where a program ended itself with an error: by exit, or by a crash.
package struct TracedEnd: Codable, Hashable, Sendable {
    /// Index in `CallEvidence.programs`.
    package var program: Int
    package var outcome: ExitOutcome
    /// The stack at that time, innermost frame first; empty if it is not known.
    package var frames: [StackFrame] = []

    package init(program: Int, outcome: ExitOutcome, frames: [StackFrame] = []) {
        self.program = program
        self.outcome = outcome
        self.frames = frames
    }
}

extension ExitOutcome {
    /// SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV and SIGSYS: a program that these signals end has crashed.
    package static let crashes: Set<Int32> = [4, 5, 6, 7, 8, 11, 31]

    /// Whether the program ended itself, or crashed; otherwise another process ended it.
    package var isOwnDoing: Bool {
        switch self {
        case .exited: true
        case .killed(let signal): Self.crashes.contains(signal)
        case .timedOut: false
        }
    }
}
