// SPDX-License-Identifier: Apache-2.0
internal import Evidence

/// The last stack at which a signal of a crash came to each process. Most programs end by it; a Java machine handles many.
struct CrashTable {
    private struct Crash {
        var signal: Int32
        var stack: StackSnapshot?
        var count = 1
    }

    private var crashes: [Int32: Crash] = [:]

    /// Further signals of a process that handles them are not looked at.
    private static let limit = 16

    func wants(_ signal: Int32, of process: Int32) -> Bool {
        ExitOutcome.crashes.contains(signal) && crashes[process]?.count ?? 0 < Self.limit
    }

    mutating func begin(_ signal: Int32, of process: Int32, at stack: StackSnapshot?) {
        crashes[process] = Crash(signal: signal, stack: stack, count: (crashes[process]?.count ?? 0) + 1)
    }

    /// A thread of the process has ended by a signal; 0 is none.
    /// - Returns: the stack, if the process crashed by that signal; once for each process.
    mutating func end(_ process: Int32, by signal: Int32) -> StackSnapshot? {
        guard let crash = crashes[process], crash.signal == signal else { return nil }
        crashes[process] = nil
        return crash.stack
    }

    /// A process has ended; its id may come again.
    mutating func forget(_ process: Int32) { crashes[process] = nil }
}
