// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// The memory of processes, in octets.
struct MemoryUse: Equatable {
    /// All pages of each process (RSS): a shared page counts once for each of them.
    var resident = 0.0
    /// Each page once (PSS): a shared page is divided among its processes, including others than these.
    var proportional = 0.0

    init() {}

    init(of processes: [Int32]) throws(BenchFailure) {
        for process in processes {
            let path = "/proc/\(process)/smaps_rollup"
            guard let text = try? Descriptor.contents(of: path),
                let use = MemoryUse(rollup: String(decoding: text, as: UTF8.self))
            else { throw BenchFailure("\(path) cannot be read") }
            resident += use.resident
            proportional += use.proportional
        }
    }

    /// Parses a process's smaps_rollup.
    init?(rollup text: String) {
        func octets(_ title: String) -> Double? {
            // "Pss:                1234 kB"
            let line = text.split(separator: "\n").first { $0.hasPrefix(title) }
            let words = line?.split(separator: " ") ?? []
            return words.count == 3 ? Double(words[1]).map { $0 * 1024 } : nil
        }
        guard let resident = octets("Rss:"), let proportional = octets("Pss:") else { return nil }
        (self.resident, self.proportional) = (resident, proportional)
    }
}
