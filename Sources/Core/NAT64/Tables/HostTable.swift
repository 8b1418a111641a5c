// SPDX-License-Identifier: Apache-2.0
import Wire

/// The state of an IPv6 host that the three BIBs share: its paired IPv4 address, and its resource usage.
struct Host: PoolEntry {
    var address: IPv6Address
    /// The pool address of all the host's mappings (RFC 6146 §3.5.1.1, RFC 4787 REQ-2 "paired").
    var poolAddress: UInt16
    /// Entries in all three BIBs, including held ones. The host is removed with the last one.
    var bindings: UInt32 = 0
    var sessions: UInt32 = 0
    var link = noEntry

    static let vacant = Host(address: .unspecified, poolAddress: .max)

    var isVacant: Bool { poolAddress == .max }
}

/// The IPv6 hosts that have BIB entries.
struct HostTable: ~Copyable {
    private var pool: EntryPool<Host>
    private var byAddress = HashIndex()
    private let hash: KeyedHash

    init(limit: Int, hash: KeyedHash) {
        pool = EntryPool(limit: limit)
        self.hash = hash
    }

    var count: Int { pool.count }
    var footprint: Int { pool.footprint + byAddress.footprint }

    subscript(_ number: UInt32) -> Host {
        _read { yield pool[number] }
        _modify { yield &pool[number] }
    }

    func find(_ address: IPv6Address) -> UInt32? {
        byAddress.find(hash(address, 0)) { pool[$0].address == address }
    }

    /// `nil` if the table is full.
    mutating func insert(_ address: IPv6Address, poolAddress: UInt16) -> UInt32? {
        guard let number = pool.allocate(Host(address: address, poolAddress: poolAddress)) else { return nil }
        byAddress.insert(number, hash: hash(address, 0))
        return number
    }

    /// Decrements the number of BIB entries, and removes the host with its last one.
    mutating func releaseBinding(_ number: UInt32) {
        pool[number].bindings -= 1
        if pool[number].bindings > 0 { return }
        byAddress.remove(number, hash: hash(pool[number].address, 0))
        pool.release(number)
    }
}
