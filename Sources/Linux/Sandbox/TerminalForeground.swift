// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The foreground of the terminal, which this process shares with its client: each has its own process group, and at most one of them is
/// in the foreground.
package struct TerminalForeground: ~Copyable {
    /// -1 if this process has no terminal.
    private let terminal: Int32
    /// The group in which the client starts; the client may have made others.
    private let clientGroup: Int32

    /// - Parameter clientGroup: `nil` for a client without the terminal.
    package init(clientGroup: Int32?) {
        terminal = clientGroup == nil ? -1 : clinux_open_terminal()
        self.clientGroup = clientGroup ?? 0
    }

    deinit {
        if terminal >= 0 { close(terminal) }
    }

    var exists: Bool { terminal >= 0 }

    /// The foreground process group.
    var group: Int32 { tcgetpgrp(terminal) }

    /// Whether this process may give the foreground to its client: its own group has it, or a group that no longer exists.
    var isFree: Bool {
        let current = group
        return current == getpgrp() || current > 0 && !clinux_group_exists(current)
    }

    /// Gives the client the foreground before it runs, if this process alone has it: it leads the group, and no pipe leads to a pager that
    /// reads the keyboard. Otherwise the client gets it when it asks for it.
    borrowing func giveAtStart() -> Bool {
        guard getpgrp() == getpid(), group == getpgrp(), isatty(STDIN_FILENO) == 1, !Self.isPipe(STDOUT_FILENO),
            !Self.isPipe(STDERR_FILENO)
        else { return false }
        return give(to: clientGroup)
    }

    @discardableResult
    borrowing func give(to group: Int32) -> Bool { clinux_set_foreground(terminal, group) }

    /// Gives the foreground to a group of the client as soon as this process has it, and stops until then. False if no shell can give it
    /// (an orphaned process group).
    borrowing func askFor(_ group: Int32) -> Bool { clinux_ask_for_foreground(terminal, group) }

    /// Stops this process's group as ^Z does, while a group of the client has the foreground, and gives it back if this process continues
    /// in the foreground.
    borrowing func suspend(for group: Int32) {
        give(to: getpgrp())
        kill(0, SIGTSTP)
        if isFree { give(to: group) }
    }

    /// Takes the foreground back from a client that has ended. Its last foreground group may no longer exist, and then the user's input
    /// would go nowhere.
    package borrowing func takeBack() { clinux_take_terminal_back(terminal, clientGroup) }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
