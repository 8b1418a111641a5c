// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet

/// What the numbers depend on.
struct MachineDescription: Encodable {
    let processor: String
    let processors: Int
    let kernel: String
    /// Runnable tasks, averaged over a minute: 0 on a machine that does nothing else.
    let loadAtStart: Double?
    var loadAtEnd: Double?

    init() {
        let model = Self.text("/proc/cpuinfo").split(separator: "\n").first { $0.hasPrefix("model name") }
        processor = model?.split(separator: ":").last.map { $0.drop { $0 == " " } }.map(String.init) ?? "unknown"
        processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        kernel = Self.text("/proc/sys/kernel/osrelease").split(separator: "\n").first.map(String.init) ?? "unknown"
        loadAtStart = Self.load
    }

    mutating func end() { loadAtEnd = Self.load }

    private static var load: Double? {
        text("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) }
    }

    /// Seconds for which its processors had nothing to do, all of them together, since it was started.
    static var idleTime: Double {
        // "cpu  USER NICE SYSTEM IDLE IOWAIT …", in ticks.
        let fields = text("/proc/stat").split(separator: "\n").first?.split(separator: " ") ?? []
        guard fields.count > 5, let idle = Double(fields[4]), let waiting = Double(fields[5]) else { return .nan }
        return (idle + waiting) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Octets of memory that this process occupies.
    static var residentMemory: Int {
        let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func text(_ path: String) -> String {
        (try? Descriptor.contents(of: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
