// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A record of one of many clients, which can contain several things, `size` of them.
package protocol ClientRecord: Sendable {
    var size: Int { get }
}

/// One record for each of many clients, by their addresses.
///
/// Theory of operation. A client gets an entry when it first does something. There are at most `limit` entries. When all are taken, some
/// are examined in turn, and the one with the lowest count is replaced; of several with that count, the one that was idle the longest. So a
/// host that sends from many addresses evicts those addresses, and not its neighbours. A client has room for a few things in any case, and
/// for more as long as all clients together have fewer than `Room.all`.
package struct ClientRecords<Address: Hashable & Sendable, Record: ClientRecord>: Sendable {
    package struct Entry: Sendable {
        package let address: Address
        package let first: Instant
        /// When the client last did something.
        package fileprivate(set) var last: Instant
        /// The number of actions of the client, or on its behalf.
        package fileprivate(set) var count: UInt64 = 0
        package var record: Record
    }

    /// The number of things that records may contain.
    package struct Room: Sendable {
        /// Per client, however many the other clients have.
        package let each: Int
        /// Per client, while there is room.
        package let one: Int
        /// For all clients together, except for the `each` that every client may have.
        package let all: Int

        package init(each: Int, one: Int, all: Int) {
            self.each = each
            self.one = one
            self.all = all
        }
    }

    /// The number of entries of which one is evicted.
    private static var candidates: Int { 8 }

    private let limit: Int
    private let room: Room
    package private(set) var entries: [Entry] = []
    /// The number of clients whose entry has been evicted.
    package private(set) var forgotten = 0
    private var places: [Address: Int] = [:]
    private var size = 0
    /// A cache: most packets come from the same client as the last one.
    private var lastPlace = 0
    /// The entry at which the next search for one to evict starts.
    private var hand = 0

    package init(limit: Int, room: Room) {
        self.limit = limit
        self.room = room
    }

    /// A client's place, valid until the next call. Counts as an action of the client, or on its behalf.
    /// - Parameters:
    ///   - isDoing: whether the client itself acts.
    ///   - new: makes its first record; `nil` if it is to have none.
    @inline(always)
    package mutating func place(
        of address: Address, at now: Instant, isDoing: Bool = true, new: () -> Record?
    ) -> Int? {
        guard let place = place(of: address) ?? new().map({ begin(address, $0, at: now) }) else { return nil }
        lastPlace = place
        entries[place].count &+= 1
        if isDoing { entries[place].last = max(now, entries[place].last) }
        return place
    }

    /// The number of things that a client may have now.
    package var limitOfOne: Int { size < room.all ? room.one : room.each }

    package subscript(place: Int) -> Record {
        _read { yield entries[place].record }
        _modify {
            size -= entries[place].record.size
            yield &entries[place].record
            size += entries[place].record.size
        }
    }

    /// The place of a client, if it has one.
    package func place(of address: Address) -> Int? {
        if lastPlace < entries.count, entries[lastPlace].address == address { return lastPlace }
        return places[address]
    }

    private mutating func begin(_ address: Address, _ record: Record, at now: Instant) -> Int {
        let entry = Entry(address: address, first: now, last: now, record: record)
        let place: Int
        if entries.count < limit {
            place = entries.count
            entries.append(entry)
        } else {
            place = leastOfSome()
            places[entries[place].address] = nil
            size -= entries[place].record.size
            forgotten += 1
            entries[place] = entry
        }
        places[address] = place
        return place
    }

    private mutating func leastOfSome() -> Int {
        var least = hand
        for _ in 0..<Self.candidates {
            hand = (hand + 1) % entries.count
            if weight(of: hand) < weight(of: least) { least = hand }
        }
        return least
    }

    private func weight(of place: Int) -> (count: UInt64, last: Int64) {
        (entries[place].count, entries[place].last.nanoseconds)
    }
}
