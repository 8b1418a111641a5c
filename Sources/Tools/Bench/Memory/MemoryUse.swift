// SPDX-License-Identifier: Apache-2.0
import LinuxNet

/// What processes hold of the memory, in octets.
struct MemoryUse: Equatable {
    /// Every page of each of them (RSS): what several of them share counts as often.
    var resident = 0.0
    /// Every page once (PSS): a page that processes share is parted among them. Of other processes as well.
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

    /// The text of a process's smaps_rollup.
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
