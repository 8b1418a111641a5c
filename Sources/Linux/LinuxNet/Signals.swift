// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A set of signals.
package struct SignalSet: OptionSet, Hashable, Sendable {
    /// Bit n - 1 represents signal n, as in /proc/PID/status.
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Replaces the standard library's, which is generic: looking up its types costs each process a quarter of a millisecond.
    package init(arrayLiteral elements: SignalSet...) { rawValue = elements.reduce(0) { $0 | $1.rawValue } }

    package init(number: Int32) {
        precondition((1...64).contains(number))
        rawValue = 1 << UInt64(number - 1)
    }

    package func contains(number: Int32) -> Bool { (1...64).contains(number) && contains(SignalSet(number: number)) }

    package static let hangUp = SignalSet(number: SIGHUP)
    package static let interrupt = SignalSet(number: SIGINT)
    package static let quit = SignalSet(number: SIGQUIT)
    package static let terminate = SignalSet(number: SIGTERM)
    package static let brokenPipe = SignalSet(number: SIGPIPE)
    package static let user1 = SignalSet(number: SIGUSR1)
    /// A write beyond the file size limit.
    package static let fileSize = SignalSet(number: SIGXFSZ)
    package static let child = SignalSet(number: SIGCHLD)
    /// A write to the terminal from the background when the user has forbidden it (`stty tostop`), or a change of the terminal's settings.
    package static let terminalOutput = SignalSet(number: SIGTTOU)
}

/// Signal dispositions and masks.
package enum Signals {
    /// Blocks signals in the calling thread and the threads that it starts from now on.
    package static func block(_ signals: SignalSet) {
        setBlocked(blocked.union(signals))
    }

    /// The signals that the calling thread blocks.
    package static var blocked: SignalSet { SignalSet(rawValue: clinux_blocked_signals()) }

    package static func setBlocked(_ signals: SignalSet) {
        var previous: UInt64 = 0
        let result = unsafe clinux_set_blocked_signals(signals.rawValue, &previous)
        precondition(result == 0)
    }

    /// The signals that the process ignores; `nohup`, for example, makes its child ignore SIGHUP.
    package static var ignored: SignalSet { SignalSet(rawValue: clinux_ignored_signals()) }

    package static func ignore(_ signals: SignalSet) {
        setDisposition(of: signals, ignored: true)
    }

    package static func restoreDefault(_ signals: SignalSet) {
        setDisposition(of: signals, ignored: false)
    }

    private static func setDisposition(of signals: SignalSet, ignored: Bool) {
        for number in Int32(1)...64 where signals.contains(number: number) {
            let result = clinux_ignore_signal(number, ignored ? 1 : 0)
            precondition(result == 0, "SIGKILL and SIGSTOP have no disposition")
        }
    }

    /// Makes the kernel send this process a signal when its parent ends (PR_SET_PDEATHSIG): more precisely, when the parent's thread
    /// that started it ends. 0 turns that off.
    package static func send(_ number: Int32, whenParentEnds parent: Int32) throws(SystemError) {
        if clinux_signal_when_parent_ends(number) != 0 { throw .last("prctl(PR_SET_PDEATHSIG)") }
        // The parent ended before the call.
        if getppid() != parent { raise(number) }
    }

    /// The process that started this one, as long as that is alive.
    package static var parent: Int32 { getppid() }

    /// Ends this process by the signal, so that its parent sees that.
    package static func die(of number: Int32) -> Never {
        _ = clinux_ignore_signal(number, 0)
        setBlocked([])
        raise(number)
        // The signal was one that does not end a process.
        exit(128 + number)
    }
}

/// Signals that are read instead of interrupting (signalfd). They must be blocked in all threads.
package struct SignalQueue: ~Copyable, Sendable {
    private let file: Descriptor

    package init(_ signals: SignalSet) throws(SystemError) {
        let number = clinux_signal_descriptor(signals.rawValue)
        if number < 0 { throw .last("signalfd") }
        file = Descriptor(owning: number)
    }

    /// Readable when a signal has arrived.
    package var descriptor: Int32 { file.number }

    /// The next signal's number, if one has arrived.
    package borrowing func next() -> Int32? { nextArrival()?.number }

    /// The next signal, if one has arrived.
    package borrowing func nextArrival() -> SignalArrival? {
        var isTyped = false
        let number = unsafe clinux_next_signal(file.number, &isTyped)
        return number > 0 ? SignalArrival(number: number, isTyped: isTyped) : nil
    }
}

/// A signal that has arrived.
package struct SignalArrival: Hashable, Sendable {
    package let number: Int32
    /// Whether it was sent by the kernel, as for ^C at a terminal, which every process of the foreground group gets. A signal that this
    /// process sends to its own group counts too: it passes on one that was typed for another group (`JobControl`).
    package let isTyped: Bool

    package init(number: Int32, isTyped: Bool) {
        self.number = number
        self.isTyped = isTyped
    }
}
