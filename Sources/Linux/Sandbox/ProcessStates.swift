// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Describes the state of a process and its descendants, to report which of them is stuck, and in which call.
package enum ProcessStates {
    /// Maximum number of processes listed.
    private static let limit = 8

    /// The process first, then its children and theirs, as in
    ///
    ///     ipv6check: asleep in do_sys_poll; zygote: asleep in __skb_wait_for_more_packets; guard: ended
    ///
    /// The kernel's function is omitted if this process may not read it.
    package static func described(of process: Int32 = getpid()) -> String {
        var processes = [process]
        var next = 0
        while next < processes.count, processes.count < limit {
            processes += children(of: processes[next]).prefix(limit - processes.count)
            next += 1
        }
        return processes.compactMap(state).joined(separator: "; ")
    }

    /// The children of its first thread, which starts all of them; none if the kernel does not list them (CONFIG_PROC_CHILDREN).
    private static func children(of process: Int32) -> [Int32] {
        let list = SystemControl.read("/proc/\(process)/task/\(process)/children") ?? ""
        return list.split(separator: " ").compactMap { Int32($0) }
    }

    private static func state(of process: Int32) -> String? {
        // 4711 (a name, which may have parentheses) S 4710 …
        guard let line = SystemControl.read("/proc/\(process)/stat"), let begin = line.firstIndex(of: "("),
            let end = line.lastIndex(of: ")"), begin < end
        else { return nil }
        let name = line[line.index(after: begin)..<end]
        let state =
            switch line[line.index(after: end)...].first(where: { $0 != " " }) {
            case "R": "runs"
            case "D": "asleep, and not to be woken"
            case "T", "t": "stopped"
            case "Z", "X": "ended"
            default: "asleep"
            }
        let function = SystemControl.read("/proc/\(process)/wchan") ?? ""
        return "\(name): \(state)" + (function.isEmpty || function == "0" ? "" : " in \(function)")
    }
}
