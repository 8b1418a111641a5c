// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The memory of a process that is followed. Nothing in it is trusted: another of its threads may change it at any time.
struct ClientMemory {
    let process: Int32
    /// Whether its pointers have 32 bits.
    let is32Bit: Bool

    /// As much as is there of so many octets.
    func octets(at address: UInt64, count: Int) -> [UInt8] {
        guard address != 0, count > 0 else { return [] }
        var octets = [UInt8](repeating: 0, count: count)
        let found = unsafe octets.withUnsafeMutableBytes {
            unsafe clinux_read_memory(process, address, $0.baseAddress, $0.count)
        }
        return found > 0 ? Array(octets.prefix(found)) : []
    }

    /// Up to its NUL; what is longer than `limit` is cut.
    func text(at address: UInt64, limit: Int = 4096) -> String {
        String(decoding: octets(at: address, count: limit).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// A pointer or a size_t of the program's own; 0 where it cannot be read.
    func word(at address: UInt64) -> UInt64 {
        octets(at: address, count: wordSize).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func int(at address: UInt64) -> Int32? {
        let octets = octets(at: address, count: 4)
        return octets.count == 4 ? Int32(truncatingIfNeeded: octets.reversed().reduce(0) { $0 << 8 | Int64($1) }) : nil
    }

    var wordSize: Int { is32Bit ? 4 : 8 }
}
