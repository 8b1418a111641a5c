// SPDX-License-Identifier: Apache-2.0
/// The requirements for an entry of a pool: while it is vacant, its `link` is the number of the next vacant one.
protocol PoolEntry {
    static var vacant: Self { get }
    var isVacant: Bool { get }
    var link: UInt32 { get set }
}

/// "No entry", in place of an entry's number.
let noEntry = UInt32.max

/// Entries of a table in one array, identified by their numbers; vacant ones are reused.
///
/// The array grows by a quarter, which limits its unused room, and never beyond `limit`. `allocate` is the only operation that may allocate
/// memory.
struct EntryPool<Entry: PoolEntry>: ~Copyable {
    private var entries: [Entry] = []
    private var firstVacant = noEntry
    private(set) var count = 0
    let limit: Int

    init(limit: Int) {
        precondition(limit >= 0 && limit < Int(noEntry))
        self.limit = limit
    }

    var isFull: Bool { count >= limit }
    /// Octets of memory.
    var footprint: Int { entries.capacity * MemoryLayout<Entry>.stride }

    @inline(always)
    subscript(_ number: UInt32) -> Entry {
        _read { yield entries[Int(number)] }
        _modify { yield &entries[Int(number)] }
    }

    /// `nil` if the pool is full.
    mutating func allocate(_ entry: Entry) -> UInt32? {
        if isFull { return nil }
        count += 1
        if firstVacant != noEntry {
            let number = firstVacant
            firstVacant = entries[Int(number)].link
            entries[Int(number)] = entry
            return number
        }
        if entries.count == entries.capacity {
            entries.reserveCapacity(min(limit, max(64, entries.count + entries.count / 4)))
        }
        entries.append(entry)
        return UInt32(truncatingIfNeeded: entries.count - 1)
    }

    mutating func release(_ number: UInt32) {
        count -= 1
        entries[Int(number)] = .vacant
        entries[Int(number)].link = firstVacant
        firstVacant = number
    }

    /// Visits every entry in use, in the order of the numbers.
    func forEach(_ body: (UInt32, Entry) -> Void) {
        for (number, entry) in entries.enumerated() where !entry.isVacant {
            body(UInt32(truncatingIfNeeded: number), entry)
        }
    }
}
