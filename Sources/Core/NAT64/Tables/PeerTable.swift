// SPDX-License-Identifier: Apache-2.0
import Wire

/// The number of sessions that a BIB entry has with an IPv4 address, on all ports.
struct Peer: PoolEntry {
    var binding: UInt32
    var address: IPv4Address
    var sessions: UInt32
    var link = noEntry

    static let vacant = Peer(binding: noEntry, address: IPv4Address(bits: 0), sessions: 0)
    var isVacant: Bool { binding == noEntry }
}

/// The IPv4 addresses that may send to each mapping under address-dependent filtering (RFC 6146 §3.5.1): those with which the mapping has a
/// session. Kept only if that filtering is configured.
struct PeerTable: ~Copyable {
    private var pool: EntryPool<Peer>
    private var index = HashIndex()
    private let hash: KeyedHash

    init(limit: Int, hash: KeyedHash) {
        pool = EntryPool(limit: limit)
        self.hash = hash
    }

    private func hash(_ binding: UInt32, _ address: IPv4Address) -> UInt32 {
        hash(UInt64(binding), UInt64(address.bits))
    }

    private func find(_ binding: UInt32, _ address: IPv4Address) -> UInt32? {
        index.find(hash(binding, address)) { pool[$0].binding == binding && pool[$0].address == address }
    }

    func contains(_ binding: UInt32, _ address: IPv4Address) -> Bool {
        find(binding, address) != nil
    }

    /// There are at most as many peers as sessions, so there is always room.
    mutating func add(_ binding: UInt32, _ address: IPv4Address) {
        if let number = find(binding, address) {
            pool[number].sessions += 1
        } else if let number = pool.allocate(Peer(binding: binding, address: address, sessions: 1)) {
            index.insert(number, hash: hash(binding, address))
        }
    }

    mutating func remove(_ binding: UInt32, _ address: IPv4Address) {
        guard let number = find(binding, address) else { return }
        pool[number].sessions -= 1
        if pool[number].sessions > 0 { return }
        index.remove(number, hash: hash(binding, address))
        pool.release(number)
    }
}
