// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How the runner reacts when the client stops or the user types at the terminal.
///
/// Theory of operation. Runner and client are in two process groups (clinux_keeper.h), but a user regards them as one job:
///
///     typed to the client     ^C, ^\ and a hang-up reach the runner's group, too, as they would a single group. ^Z stops the runner when it
///                             has stopped the client, so that the user's shell takes over
///     typed to the runner     the guard passes it on
///     client reads terminal   (SIGTTIN, SIGTTOU) it gets the foreground if the runner's group has it. In the background the runner stops
///                             as well, and goes on when the user's shell gives it the foreground
///     client stops itself     as ^Z, if the runner keeps no time. A runner that keeps the time of a run stops only for the user
///
/// Without a terminal, nothing would continue the client: it stays stopped until its time is over.
struct JobControl: ~Copyable {
    private let terminal: TerminalForeground
    /// Whether the run has a time limit.
    private let keepsTime: Bool
    private var hasTypedStop = false
    private var isStopped = false
    /// Whether the client is stopped until it gets the foreground.
    private(set) var awaitsForeground = false

    /// How often a runner that keeps the time checks whether it is in the foreground; a shell does not notify it.
    static let interval = Duration.milliseconds(200)

    init(_ terminal: consuming TerminalForeground, keepsTime: Bool) {
        self.terminal = terminal
        self.keepsTime = keepsTime
    }

    /// The action on the client.
    enum Action {
        case nothing
        case letGoOn
        /// Does as the kernel with a stopped group that no shell can continue.
        case hangUp
    }

    borrowing func begin() -> Bool { terminal.giveAtStart() }

    borrowing func end() { terminal.takeBack() }

    mutating func typed(_ number: Int32) -> Action {
        if number == SIGTSTP {
            hasTypedStop = true
            return .nothing
        }
        // So that this process gets it as well.
        kill(0, number)
        return isStopped ? letGoOn() : .nothing
    }

    /// - Parameter group: the client's process group.
    mutating func stopped(by number: Int32, _ group: Int32) -> Action {
        isStopped = true
        let isByUser = hasTypedStop
        hasTypedStop = false
        guard terminal.exists else { return .nothing }
        if number == SIGTTIN || number == SIGTTOU { return offer(to: group) }
        if terminal.group == group {
            guard isByUser || !keepsTime else { return .nothing }
            terminal.suspend(for: group)
            return letGoOn()
        }
        // It was typed to this process's group, which continues, or no shell stops this group.
        return number == SIGTSTP && terminal.isFree ? letGoOn() : .nothing
    }

    /// To be called from time to time while the client awaits the foreground.
    mutating func look(_ group: Int32) -> Action { awaitsForeground ? offer(to: group) : .nothing }

    private mutating func offer(to group: Int32) -> Action {
        awaitsForeground = false
        if terminal.group == group { return letGoOn() }
        if terminal.isFree {
            terminal.give(to: group)
            return letGoOn()
        }
        if keepsTime {
            awaitsForeground = true
            return .nothing
        }
        return terminal.askFor(group) ? letGoOn() : .hangUp
    }

    private mutating func letGoOn() -> Action {
        isStopped = false
        return .letGoOn
    }
}
