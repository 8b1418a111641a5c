// SPDX-License-Identifier: Apache-2.0
/// From a key's hash to the number of the entry that has the key: open addressing, linear probing.
///
/// Theory of operation. A slot holds the 32-bit hash and the entry's number; the key itself is in the entry, so a look-up yields
/// candidates, which its caller compares. As hashes are compared first, an entry is fetched only if it is almost surely the right one: a
/// look-up costs one cache miss here and one there. Removal shifts the run back, so there are no tombstones and no slow decay. The slots
/// double at three quarters full; only `insert` allocates.
///
///     slot   63          32 31                      0
///            +-------------+------------------------+
///            | hash        | entry number, ~0: free |
///            +-------------+------------------------+
struct HashIndex: ~Copyable {
    private var slots: [UInt64]
    private var mask: Int
    private(set) var count = 0

    private static let free: UInt64 = 0xffff_ffff
    private static let smallest = 64

    init() {
        slots = Array(repeating: Self.free, count: Self.smallest)
        mask = Self.smallest - 1
    }

    /// Octets of memory.
    var footprint: Int { slots.capacity * MemoryLayout<UInt64>.stride }

    /// The first entry with this hash for which `matches` is true.
    @inline(always)
    func find(_ hash: UInt32, where matches: (UInt32) -> Bool) -> UInt32? {
        var position = Int(hash) & mask
        while true {
            let slot = slots[position]
            if slot == Self.free { return nil }
            if UInt32(truncatingIfNeeded: slot >> 32) == hash {
                let entry = UInt32(truncatingIfNeeded: slot)
                if matches(entry) { return entry }
            }
            position = (position + 1) & mask
        }
    }

    mutating func insert(_ entry: UInt32, hash: UInt32) {
        if (count + 1) * 4 > slots.count * 3 { grow() }
        place(UInt64(hash) << 32 | UInt64(entry))
        count += 1
    }

    mutating func remove(_ entry: UInt32, hash: UInt32) {
        let wanted = UInt64(hash) << 32 | UInt64(entry)
        var hole = Int(hash) & mask
        while slots[hole] != wanted {
            precondition(slots[hole] != Self.free, "an entry is removed from an index that it is not in")
            hole = (hole + 1) & mask
        }
        count -= 1
        // Every later entry of the run that may be in the hole moves there: its home is not after the hole.
        var next = (hole + 1) & mask
        while slots[next] != Self.free {
            let home = Int(truncatingIfNeeded: slots[next] >> 32) & mask
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = Self.free
    }

    private mutating func place(_ slot: UInt64) {
        var position = Int(truncatingIfNeeded: slot >> 32) & mask
        while slots[position] != Self.free { position = (position + 1) & mask }
        slots[position] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Self.free, count: old.count * 2)
        mask = slots.count - 1
        for slot in old where slot != Self.free { place(slot) }
    }
}
