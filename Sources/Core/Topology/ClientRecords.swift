// SPDX-License-Identifier: Apache-2.0
package import Wire

/// What is kept of one of many clients: of things that it can have many of, as many as `size` says.
package protocol ClientRecord: Sendable {
    var size: Int { get }
}

/// Something of each of many clients, by their addresses.
///
/// Theory of operation. A client has an entry when it first does something. There are `limit` of them at most: when all are taken, of
/// some entries in turn the one goes that did the least, and of those the one that was silent the longest. So a host that sends from many
/// addresses pushes out those addresses, and not its neighbours. A client has room for a few things in any case, and for more as long as
/// all clients together have fewer than `Room.all`.
package struct ClientRecords<Address: Hashable & Sendable, Record: ClientRecord>: Sendable {
    package struct Entry: Sendable {
        package let address: Address
        package let first: Instant
        /// When it last did something.
        package fileprivate(set) var last: Instant
        /// How often it did, or something was done for it.
        package fileprivate(set) var count: UInt64 = 0
        package var record: Record
    }

    /// How many things there may be.
    package struct Room: Sendable {
        /// Of a client, whatever the others have.
        package let each: Int
        /// Of a client, where there is room.
        package let one: Int
        /// Of all, those aside that each may have.
        package let all: Int

        package init(each: Int, one: Int, all: Int) {
            self.each = each
            self.one = one
            self.all = all
        }
    }

    /// Entries of which one goes.
    private static var candidates: Int { 8 }

    private let limit: Int
    private let room: Room
    package private(set) var entries: [Entry] = []
    /// Clients that have had an entry and have none any more.
    package private(set) var forgotten = 0
    private var places: [Address: Int] = [:]
    private var size = 0
    /// Most of what comes is of the client that the last was of.
    private var lastPlace = 0
    /// From which entry on one is looked for that goes.
    private var hand = 0

    package init(limit: Int, room: Room) {
        self.limit = limit
        self.room = room
    }

    /// A client's place until another is asked for; it counts as something that it did, or that was done for it.
    /// - Parameters:
    ///   - isDoing: whether the client itself does something.
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

    /// Things that a client may have now.
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
