// SPDX-License-Identifier: Apache-2.0

/// Which program each process runs. A process that was forked runs its parent's until it executes one, or does something: then it has an entry
/// of its own in the evidence.
struct ProcessTable {
    private struct Process {
        /// Where in the evidence the program is.
        var program: Int
        /// Whether that entry is this process's, and not the one of the process that forked it.
        var isOwn: Bool
        /// Where its last memory map is among the snapshots'.
        var map: Int?
    }

    private var processes: [Int32: Process] = [:]

    /// `nil` of a process that is not known, and of one before its first program.
    func program(of process: Int32) -> Int? { processes[process]?.program }

    /// The entry that is the process's own.
    func ownProgram(of process: Int32) -> Int? { processes[process].flatMap { $0.isOwn ? $0.program : nil } }

    /// A process was forked by one that runs this program. One that is known already stays as it is: it has a further thread.
    mutating func fork(_ process: Int32, from program: Int) {
        if processes[process] == nil { processes[process] = Process(program: program, isOwn: false) }
    }

    /// A process runs a program.
    /// - Parameter isOwn: whether the entry is its own, or stands for those for which there was no room.
    mutating func run(_ process: Int32, _ program: Int, isOwn: Bool = true) {
        processes[process] = Process(program: program, isOwn: isOwn, map: processes[process]?.map)
    }

    /// Where the last memory map of a process is; executing a program makes it void.
    subscript(map process: Int32) -> Int? {
        get { processes[process]?.map }
        set { processes[process]?.map = newValue }
    }

    /// A process is no more.
    mutating func end(_ process: Int32) { processes[process] = nil }
}
