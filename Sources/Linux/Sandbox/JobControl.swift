// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What a stop of the client, and what is typed at the terminal, mean to its runner.
///
/// Theory of operation. Runner and client are in two process groups (clinux_keeper.h), and a user takes them for one job:
///
///     typed to the client     ^C, ^\ and a hang-up come to the runner's group, too, as they would to one group. ^Z stops the runner when it
///                             has stopped the client, so that the user's shell takes over
///     typed to the runner     the guard passes it on
///     client reads terminal   (SIGTTIN, SIGTTOU) it gets the foreground where the runner's group has it. In the background the runner stops
///                             as well, and goes on when the user's shell gives it the foreground
///     client stops itself     as ^Z, where the runner keeps no time. A runner that keeps the time of a run stops for a user alone
///
/// Without a terminal there is nobody who would let the client go on: it stays stopped until its time is over.
struct JobControl: ~Copyable {
    private let terminal: TerminalForeground
    /// Whether the run has a time limit.
    private let keepsTime: Bool
    private var hasTypedStop = false
    private var isStopped = false
    /// Whether the client is stopped until it has the foreground.
    private(set) var awaitsForeground = false

    /// How often a runner that keeps the time looks whether it has come into the foreground; a shell does not say so.
    static let interval = Duration.milliseconds(200)

    init(_ terminal: consuming TerminalForeground, keepsTime: Bool) {
        self.terminal = terminal
        self.keepsTime = keepsTime
    }

    /// What is to be done with the client.
    enum Action {
        case nothing
        case letGoOn
        /// As the kernel does with a stopped group that no shell can let go on.
        case hangUp
    }

    borrowing func begin() -> Bool { terminal.giveAtStart() }

    borrowing func end() { terminal.takeBack() }

    mutating func typed(_ number: Int32) -> Action {
        if number == SIGTSTP {
            hasTypedStop = true
            return .nothing
        }
        // It comes to this process as well.
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
        // It was typed to this process's group, which goes on, or is one that no shell stops.
        return number == SIGTSTP && terminal.isFree ? letGoOn() : .nothing
    }

    /// To be called from time to time where the client awaits the foreground.
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
