// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinuxNet

/// The machine's properties on which the numbers depend.
struct MachineDescription: Encodable {
    let processor: String
    let processors: Int
    let kernel: String
    /// Runnable tasks, averaged over a minute: 0 on an otherwise idle machine.
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

    /// Idle time of all processors together since the machine was started, in seconds.
    static var idleTime: Double {
        // "cpu  USER NICE SYSTEM IDLE IOWAIT …", in ticks.
        let fields = text("/proc/stat").split(separator: "\n").first?.split(separator: " ") ?? []
        guard fields.count > 5, let idle = Double(fields[4]), let waiting = Double(fields[5]) else { return .nan }
        return (idle + waiting) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Resident memory of this process, in octets.
    static var residentMemory: Int {
        let pages = text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func text(_ path: String) -> String {
        (try? Descriptor.contents(of: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
