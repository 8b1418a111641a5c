// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import LinuxNet

/// Processes and their descendants.
enum ProcessTree {
    /// The process and all its descendants.
    static func processes(of process: Int32) -> [Int32] {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let children = threads.flatMap { thread in
            let text = (try? Descriptor.contents(of: "\(folder)/\(thread)/children")) ?? []
            return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
        }
        return [process] + children.flatMap { processes(of: $0) }
    }
}
