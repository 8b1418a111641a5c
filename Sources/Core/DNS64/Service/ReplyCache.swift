// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// Replies that can be sent again as they are, to the same query, octet by octet behind its identifier, from the same network over the same
/// transport. Only identifier and TTLs change.
///
/// Theory of operation. A keyed hash of a query selects a set of `ways` entries of the index; if all are taken, one that has expired is
/// replaced, or else the oldest. An entry refers to a slot, and the slot to octets in one shared buffer:
///
///     +--------------------------+-------+------------------------+- - - -+
///     | query without identifier | reply | offsets of TTLs, 2 each | spare |
///     +--------------------------+-------+------------------------+- - - -+
///
/// A slot that is reused keeps its room if that is enough, and otherwise gets new room at the end of the buffer. The old room is lost; as
/// the new one is at least twice as large, the lost room of a slot is less than its current room. If everything together would take more
/// octets than allowed, the cache is emptied. A hit is a hash, a comparison and a copy: it allocates no object, and touches nothing else of
/// the resolver. The resolver decides which replies may be kept: one that depends on anything else must not be stored here.
struct ReplyCache: Sendable {
    /// Has no reference to an object, so that reading a slot needs no reference counting.
    private struct Slot: Sendable {
        var start: Int
        var room: Int
        var queryLength = 0
        var replyLength = 0
        /// Number of TTLs; 0 if they do not count down.
        var ttls = 0
        var network = 0
        var transport = Transport.udp
        var stored = Instant.zero
        var expires = Instant.zero
        /// Approximate octets of its evidence, which contains the reply's records again.
        var evidence = 0

        var reply: Range<Int> { start + queryLength..<start + queryLength + replyLength }
        var offsets: Range<Int> { reply.upperBound..<reply.upperBound + 2 * ttls }
    }

    /// The position of a reply: valid until the cache changes.
    struct Place: Sendable {
        fileprivate let slot: Int
        /// Seconds since it was stored.
        fileprivate let age: UInt32
        /// The query's identifier.
        fileprivate let identifier: UInt16
    }

    private static let identifierOctets = 2
    /// Longer queries have contents that do not repeat.
    private static let maximumQueryLength = 512
    /// Longer replies are rare, and would take the room of many.
    private static let maximumReplyLength = 4096
    /// Queries replace each other only if more than this many fall into a set; so many entries fill one cache line.
    private static let maximumWays = 8
    /// Room is allocated in multiples of this, so that a slot usually has enough for its next reply.
    private static let roomUnit = 64

    private let size: Int
    private let ways: Int
    private let octetLimit: Int
    /// The upper half of a query's hash and the number of its slot, counted from 1; 0 is a free entry. Empty until a reply is stored.
    private var index: [UInt64] = []
    private var slots: [Slot] = []
    /// The evidence of each slot's query.
    private var evidence: [QueryRecord.Shared] = []
    private var buffer: [UInt8] = []
    private var evidenceOctets = 0

    /// - Parameter capacity: Rounded up to a power of two; 0 keeps nothing.
    init(capacity: Int, octets: Int = AnswerCache.usualOctetLimit) {
        octetLimit = octets
        var size = capacity > 0 ? 1 : 0
        while size < capacity { size *= 2 }
        self.size = size
        ways = min(size, Self.maximumWays)
    }

    /// Approximate memory use in octets.
    var octets: Int { buffer.count + evidenceOctets }

    mutating func removeAll() {
        index = []
        slots = []
        evidence = []
        buffer = []
        evidenceOctets = 0
    }

    // MARK: - Finding

    /// The position of the reply to a query.
    func find(_ query: Span<UInt8>, _ transport: Transport, network: Int, at now: Instant) -> Place? {
        guard !index.isEmpty, let hash = hash(of: query) else { return nil }
        for entry in set(of: hash) {
            guard let number = slot(at: entry, of: hash) else { continue }
            let slot = slots[number]
            guard slot.network == network, slot.transport == transport, now < slot.expires, isSame(query, slot) else {
                continue
            }
            let age = (now - slot.stored).components.seconds
            return Place(slot: number, age: UInt32(clamping: age), identifier: query.uint16(at: 0))
        }
        return nil
    }

    /// Replaces `octets` by the reply at `place`.
    func write(_ place: Place, to octets: inout [UInt8]) {
        let slot = slots[place.slot]
        octets.removeAll(keepingCapacity: true)
        octets.append(contentsOf: buffer[slot.reply])
        var reply = octets.mutableSpan
        reply.setUInt16(place.identifier, at: 0)
        guard place.age > 0, slot.ttls > 0 else { return }
        let offsets = buffer.span.extracting(slot.offsets)
        for number in 0..<slot.ttls {
            MessageLayout.countDown(&reply, ttlAt: Int(offsets.uint16(at: 2 * number)), by: place.age)
        }
    }

    func record(_ place: Place, of client: Endpoint, at now: Instant) -> QueryRecord {
        QueryRecord(time: now, client: client, evidence[place.slot])
    }

    // MARK: - Keeping

    /// Stores a reply: until its shortest TTL has expired if TTLs count down, otherwise for ever.
    mutating func store(
        _ reply: [UInt8], to query: Span<UInt8>, network: Int, aging: QueryFacts.Aging, record: QueryRecord
    ) {
        guard reply.count <= Self.maximumReplyLength, let hash = hash(of: query) else { return }
        var offsets: [Int] = []
        var expires = Instant.distantFuture
        if aging == .countsDown {
            guard let found = try? MessageLayout.ttlOffsets(in: reply.span) else { return }
            guard let shortest = found.map({ MessageLayout.ttl(in: reply.span, at: $0) }).min(), shortest > 0 else {
                return
            }
            offsets = found
            expires = record.time + .seconds(Int64(shortest))
        }
        let length = query.count - Self.identifierOctets + reply.count + 2 * offsets.count
        let evidenceLength = record.answer.reduce(1024) { $0 + $1.octets + 128 }
        // The slot's previous contents are still counted here. At most twice the wanted room is allocated.
        if octets + 2 * length + Self.roomUnit + evidenceLength > octetLimit { removeAll() }
        let number = takeSlot(for: query, hash, length, network, record)
        evidenceOctets += evidenceLength - slots[number].evidence
        slots[number].evidence = evidenceLength
        slots[number].queryLength = query.count - Self.identifierOctets
        slots[number].replyLength = reply.count
        slots[number].ttls = offsets.count
        slots[number].network = network
        slots[number].transport = record.transport
        slots[number].stored = record.time
        slots[number].expires = expires
        evidence[number] = record.shared
        write(reply, to: query, offsets, at: slots[number].start)
    }

    /// A slot with room for `length` octets, to which the index refers from now on.
    private mutating func takeSlot(
        for query: Span<UInt8>, _ hash: UInt64, _ length: Int, _ network: Int, _ record: QueryRecord
    ) -> Int {
        if index.isEmpty { index = Array(repeating: 0, count: size) }
        let set = set(of: hash)
        var room = (length + Self.roomUnit - 1) / Self.roomUnit * Self.roomUnit
        let place = self.place(in: set, for: query, hash, network, record)
        guard index[place] != 0 else {
            slots.append(Slot(start: buffer.count, room: room))
            evidence.append(record.shared)
            buffer.append(contentsOf: repeatElement(0, count: room))
            index[place] = Self.entry(hash, slots.count - 1)
            return slots.count - 1
        }
        let number = Self.number(index[place])
        index[place] = Self.entry(hash, number)
        if slots[number].room < length {
            room = max(room, 2 * slots[number].room)
            slots[number].start = buffer.count
            slots[number].room = room
            buffer.append(contentsOf: repeatElement(0, count: room))
        }
        return number
    }

    /// The query's own entry in the set, or else one that is free, has expired, or is the oldest.
    private func place(
        in set: Range<Int>, for query: Span<UInt8>, _ hash: UInt64, _ network: Int, _ record: QueryRecord
    ) -> Int {
        var chosen = set.lowerBound
        var age = Instant.distantFuture
        for entry in set {
            guard index[entry] != 0 else {
                // Entries are taken in order: all behind a free one are free.
                return entry
            }
            let slot = slots[Self.number(index[entry])]
            if slot.network == network, slot.transport == record.transport, isSame(query, slot) { return entry }
            let since = slot.expires <= record.time ? Instant(nanoseconds: .min) : slot.stored
            if since < age { (chosen, age) = (entry, since) }
        }
        return chosen
    }

    private mutating func write(_ reply: [UInt8], to query: Span<UInt8>, _ offsets: [Int], at start: Int) {
        var next = start
        for place in Self.identifierOctets..<query.count {
            buffer[next] = query[place]
            next += 1
        }
        for octet in reply {
            buffer[next] = octet
            next += 1
        }
        var span = buffer.mutableSpan
        for offset in offsets {
            span.setUInt16(UInt16(truncatingIfNeeded: offset), at: next)
            next += 2
        }
    }

    // MARK: - The index

    private func hash(of query: Span<UInt8>) -> UInt64? {
        guard size > 0, (MessageHeader.length...Self.maximumQueryLength).contains(query.count) else { return nil }
        var hasher = Hasher()
        var place = Self.identifierOctets
        while place + 8 <= query.count {
            hasher.combine(UInt64(query.uint32(at: place)) << 32 | UInt64(query.uint32(at: place + 4)))
            place += 8
        }
        var word = UInt64(query.count)
        while place < query.count {
            word = word << 8 | UInt64(query[place])
            place += 1
        }
        hasher.combine(word)
        return UInt64(truncatingIfNeeded: UInt(bitPattern: hasher.finalize()))
    }

    private func set(of hash: UInt64) -> Range<Int> {
        let first = Int(truncatingIfNeeded: hash) & (size - 1) & ~(ways - 1)
        return first..<first + ways
    }

    private static let tagMask: UInt64 = 0xffff_ffff_0000_0000

    private static func entry(_ hash: UInt64, _ slot: Int) -> UInt64 { hash & tagMask | UInt64(slot + 1) }

    private static func number(_ entry: UInt64) -> Int { Int(entry & ~tagMask) - 1 }

    /// The slot of an entry, if that has this hash.
    private func slot(at entry: Int, of hash: UInt64) -> Int? {
        let found = index[entry]
        return found != 0 && (found ^ hash) & Self.tagMask == 0 ? Self.number(found) : nil
    }

    private func isSame(_ query: Span<UInt8>, _ slot: Slot) -> Bool {
        guard query.count - Self.identifierOctets == slot.queryLength else { return false }
        let kept = buffer.span.extracting(slot.start..<slot.start + slot.queryLength)
        let asked = query.extracting(Self.identifierOctets...)
        var place = 0
        while place + 4 <= kept.count {
            if kept.uint32(at: place) != asked.uint32(at: place) { return false }
            place += 4
        }
        while place < kept.count {
            if kept[place] != asked[place] { return false }
            place += 1
        }
        return true
    }
}
