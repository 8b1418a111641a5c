// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// Processes of the client that were still running when it had ended, and were killed.
package struct Survivors: Hashable, Sendable {
    package struct Process: Hashable, Sendable {
        /// The process id that the client sees.
        package let process: Int32
        /// The program's name, truncated by the kernel to 15 octets.
        package let name: String
    }

    package private(set) var processes: [Process] = []
    /// Number of processes that are not listed.
    package private(set) var more = 0

    package static let none = Survivors()

    private init() {}

    /// Parses a `struct clinux_survivors`, possibly a truncated one.
    init(_ message: [UInt8]) {
        func number(at offset: Int) -> Int32 {
            guard offset + 4 <= message.count else { return 0 }
            return (0..<4).reduce(0) { $0 | Int32(message[offset + $1]) << (8 * Int32($1)) }
        }
        let start = 3 * MemoryLayout<Int32>.size
        let size = MemoryLayout<clinux_survivor>.size
        for index in 0..<min(Int(number(at: 4)), Int(clinux_survivor_limit)) {
            let offset = start + index * size
            guard offset + size <= message.count else { break }
            let name = message[(offset + 4)..<(offset + size)].prefix { $0 != 0 }
            processes.append(Process(process: number(at: offset), name: String(decoding: name, as: UTF8.self)))
        }
        more = Int(max(0, number(at: 8)))
    }
}
