// SPDX-License-Identifier: Apache-2.0
/// A thread's stack when the thread made a system call: registers and memory, to be unwound later by an unprivileged process.
package struct StackSnapshot: Hashable, Sendable {
    /// In the order of the architecture's DWARF numbers: 17 on x86-64 (the last is the return address: rip), 33 on AArch64 (x0 to
    /// x30, sp, pc).
    package var registers: [UInt64]
    /// Address of the first octet of `stack`.
    package var stackAddress: UInt64
    /// From the stack pointer upwards.
    package var stack: [UInt8]
    /// Index in `StackSnapshots.maps` of the description of the process's memory.
    package var map: Int
    /// Return addresses in the functions that created the thread's goroutine, innermost first.
    package var makers: [UInt64]

    package init(registers: [UInt64], stackAddress: UInt64, stack: [UInt8], map: Int, makers: [UInt64] = []) {
        self.registers = registers
        self.stackAddress = stackAddress
        self.stack = stack
        self.map = map
        self.makers = makers
    }
}

/// The stacks of a run's calls.
package struct StackSnapshots: Hashable, Sendable {
    package var snapshots: [StackSnapshot] = []
    /// Texts in the form of /proc/PID/maps (proc(5)), shared by snapshots.
    package var maps: [[UInt8]] = []

    package init() {}

    /// Replaces a path in the maps if the process sees the file elsewhere than we do.
    package mutating func replace(_ path: String, by other: String) {
        let (path, other) = (Array(path.utf8), Array(other.utf8))
        guard path != other else { return }
        for index in maps.indices {
            let lines = maps[index].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            maps[index] = Array(
                lines.map { line in
                    line.hasSuffix(path) ? line.dropLast(path.count) + other : line
                }.joined(separator: [UInt8(ascii: "\n")]))
        }
    }
}

extension ArraySlice<UInt8> {
    /// The path is preceded by blanks.
    fileprivate func hasSuffix(_ path: [UInt8]) -> Bool {
        count > path.count && suffix(path.count).elementsEqual(path)
            && self[endIndex - path.count - 1] == UInt8(ascii: " ")
    }
}
