/// A thread's stack as it was when the thread made a system call: registers and memory, to be unwound later, by a process that has
/// no rights.
package struct StackSnapshot: Hashable, Sendable {
    /// In the order of the architecture's DWARF numbers: 17 on x86-64 (the last is the return address: rip), 33 on AArch64 (x0 to
    /// x30, sp, pc).
    package var registers: [UInt64]
    /// Of the first octet of `stack`.
    package var stackAddress: UInt64
    /// From the stack pointer upwards.
    package var stack: [UInt8]
    /// Where in `StackSnapshots.maps` the process's memory is described.
    package var map: Int

    package init(registers: [UInt64], stackAddress: UInt64, stack: [UInt8], map: Int) {
        self.registers = registers
        self.stackAddress = stackAddress
        self.stack = stack
        self.map = map
    }
}

/// The stacks of a run's calls.
package struct StackSnapshots: Hashable, Sendable {
    package var snapshots: [StackSnapshot] = []
    /// Texts in the form of /proc/PID/maps (proc(5)), shared by snapshots.
    package var maps: [[UInt8]] = []

    package init() {}
}
