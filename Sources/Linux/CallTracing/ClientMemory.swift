// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The memory of a traced process. Its contents are untrusted: another thread of the process may change it at any time.
struct ClientMemory {
    let process: Int32
    /// Whether its pointers have 32 bits.
    let is32Bit: Bool

    /// Reads at most `count` octets; fewer if the memory ends before.
    func octets(at address: UInt64, count: Int) -> [UInt8] {
        guard address != 0, count > 0 else { return [] }
        var octets = [UInt8](repeating: 0, count: count)
        let found = unsafe octets.withUnsafeMutableBytes {
            unsafe clinux_read_memory(process, address, $0.baseAddress, $0.count)
        }
        return found > 0 ? Array(octets.prefix(found)) : []
    }

    /// The text up to its NUL, truncated to `limit`.
    func text(at address: UInt64, limit: Int = 4096) -> String {
        String(decoding: octets(at: address, count: limit).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// A pointer or a size_t of the program; 0 if it cannot be read.
    func word(at address: UInt64) -> UInt64 {
        Self.number(octets(at: address, count: wordSize))
    }

    func int(at address: UInt64) -> Int32? {
        let octets = octets(at: address, count: 4)
        return octets.count == 4 ? Int32(truncatingIfNeeded: Self.number(octets)) : nil
    }

    /// Reads at most `count` words of 64 bits; fewer if the memory ends before.
    func words(at address: UInt64, count: Int) -> [UInt64] {
        let octets = octets(at: address, count: count * 8)
        return (0..<octets.count / 8).map { Self.number(octets[8 * $0..<8 * $0 + 8]) }
    }

    /// Parses a number, lowest octet first.
    private static func number(_ octets: some BidirectionalCollection<UInt8>) -> UInt64 {
        octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    var wordSize: Int { is32Bit ? 4 : 8 }
}
