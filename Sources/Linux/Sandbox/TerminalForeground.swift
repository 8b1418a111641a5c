internal import CLinux
internal import Glibc
internal import LinuxNet

/// The terminal's foreground, which is given back after a client that has taken it.
///
/// A shell under test makes itself the foreground process group. Ended, it leaves the terminal to a group that is no more, and
/// what the user types would go nowhere.
struct TerminalForeground: ~Copyable {
    /// -1 where this process has no terminal.
    private let terminal: Int32
    /// The foreground group at the start.
    private let group: pid_t

    init() {
        terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        group = tcgetpgrp(terminal)
    }

    deinit {
        if terminal >= 0 { close(terminal) }
    }

    /// Gives the foreground back, where it belongs to a group that is no more.
    borrowing func restore() {
        let current = tcgetpgrp(terminal)
        guard current > 0, current != group, !Self.exists(current) else { return }
        set(Self.exists(group) ? group : getpgrp())
    }

    /// The client was stopped, which had the terminal to itself: stops this process, as if it had been in the foreground as
    /// well, and gives the terminal to the client's group when it goes on in the foreground.
    borrowing func stop(for client: pid_t?) {
        set(getpgrp())
        raise(SIGSTOP)
        if let client, tcgetpgrp(terminal) == getpgrp() { set(client) }
    }

    private borrowing func set(_ group: pid_t) {
        // Who is in the background and changes the foreground would be stopped.
        let blocked = Signals.blocked
        Signals.block(SignalSet(number: SIGTTOU))
        tcsetpgrp(terminal, group)
        Signals.setBlocked(blocked)
    }

    private static func exists(_ group: pid_t) -> Bool {
        group > 0 && (kill(-group, 0) == 0 || Errno(errno) == .EPERM)
    }
}
