// SPDX-License-Identifier: Apache-2.0

/// The program that each process runs. A forked process shares its parent's until it executes one, or does something that is recorded:
/// then it gets its own entry in the evidence.
struct ProcessTable {
    private struct Process {
        /// The program's index in the evidence.
        var program: Int
        /// Whether that entry is this process's own, not that of the process that forked it.
        var isOwn: Bool
        /// The index of its last memory map among those of the snapshots.
        var map: Int?
    }

    private var processes: [Int32: Process] = [:]

    /// `nil` for an unknown process, and for one before its first program.
    func program(of process: Int32) -> Int? { processes[process]?.program }

    /// The process's own entry.
    func ownProgram(of process: Int32) -> Int? { processes[process].flatMap { $0.isOwn ? $0.program : nil } }

    /// A process was forked by one that runs this program. If it is already known, it only has a further thread, and does not change.
    mutating func fork(_ process: Int32, from program: Int) {
        if processes[process] == nil { processes[process] = Process(program: program, isOwn: false) }
    }

    /// A process runs a program.
    /// - Parameter isOwn: whether the entry is its own, or the one shared by all for which there was no room.
    mutating func run(_ process: Int32, _ program: Int, isOwn: Bool = true) {
        processes[process] = Process(program: program, isOwn: isOwn, map: processes[process]?.map)
    }

    /// The index of a process's last memory map; executing a program invalidates the map.
    subscript(map process: Int32) -> Int? {
        get { processes[process]?.map }
        set { processes[process]?.map = newValue }
    }

    /// A process has ended.
    mutating func end(_ process: Int32) { processes[process] = nil }
}
