// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet

/// The processor time of a process: of all its threads, in user mode and in the kernel.
enum ProcessClock {
    /// Seconds; 0 for a process that is gone.
    static func time(of process: Int32) -> Double {
        let text = (try? Descriptor.contents(of: "/proc/\(process)/stat")) ?? []
        // The second field is a name in parentheses, which may contain anything; utime and stime are the 14th and 15th.
        let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return .nan }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
