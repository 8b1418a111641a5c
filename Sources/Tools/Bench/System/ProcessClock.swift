// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet

/// The processor time that a process has had, all its threads and the kernel's work for it included.
enum ProcessClock {
    /// Seconds; nothing for a process that is gone.
    static func time(of process: Int32) -> Double {
        let text = (try? Descriptor.contents(of: "/proc/\(process)/stat")) ?? []
        // The second field is a name in parentheses, which may hold anything; utime and stime are the 14th and 15th.
        let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return .nan }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
