// SPDX-License-Identifier: Apache-2.0
import Wire

/// The fields that the fragments of one datagram have in common (RFC 791, RFC 8200 §4.5). IPv4 addresses are in the lower 32 bits.
struct FragmentKey: Hashable {
    var source: UInt128
    var destination: UInt128
    var identification: UInt32
    var transport: UInt8
    var side: Side
}

/// A datagram of which fragments have arrived.
struct FragmentedDatagram: PoolEntry {
    /// The progress of the datagram.
    enum Progress: UInt8 {
        case vacant
        /// The first fragment, which has the ports, is missing: the others are stored.
        case awaitingFirst
        /// All fragments are stored, and translated as one packet when the last has arrived.
        case reassembling
        /// The mapping is known: each fragment is translated as it arrives.
        case translating
        /// A fragment overlapped another, or the first one was dropped: the remaining ones are dropped, too.
        case condemned
    }

    var key: FragmentKey
    var origin: Origin
    var progress: Progress
    /// The addresses of the translated fragments, once known.
    var outgoingSource: UInt128 = 0
    var outgoingDestination: UInt128 = 0
    /// Octets of payload that have arrived, and that the datagram has: known from the last fragment.
    var octetsReceived: UInt32 = 0
    var octetsInAll = UInt32.max
    /// The list of the stored fragments.
    var firstStored = noEntry
    var lastStored = noEntry
    var deadline: Instant
    /// Neighbours in the order of the deadlines; `next` is the pool's link in a vacant entry.
    var previous = noEntry
    var next = noEntry

    static let vacant = FragmentedDatagram(
        key: FragmentKey(source: 0, destination: 0, identification: 0, transport: 0, side: .ipv6), origin: .ipv6Side,
        progress: .vacant,
        deadline: .zero)

    var isVacant: Bool { progress == .vacant }
    var isComplete: Bool { octetsReceived == octetsInAll }

    var link: UInt32 {
        get { next }
        set { next = newValue }
    }
}

/// The datagrams of which fragments have arrived, for at least two seconds each (RFC 6146 §3.4), in bounded memory.
///
/// Theory of operation. A datagram is inserted with its first-arriving fragment and removed when all of it has been translated or when it
/// expires, whichever is earlier: a constant time after its insertion, so that the oldest is always the next to expire.
struct FragmentTable: ~Copyable {
    private var pool: EntryPool<FragmentedDatagram>
    private var byKey = HashIndex()
    private var ranges = FragmentRanges()
    private var oldest = noEntry
    private var newest = noEntry
    private let lifetime: Interval
    private let hash: KeyedHash

    init(limit: Int, lifetime: Interval, hash: KeyedHash) {
        pool = EntryPool(limit: limit)
        self.lifetime = lifetime
        self.hash = hash
    }

    var count: Int { pool.count }
    var nextDeadline: Instant { oldest == noEntry ? .distantFuture : pool[oldest].deadline }

    subscript(_ number: UInt32) -> FragmentedDatagram {
        _read { yield pool[number] }
        _modify { yield &pool[number] }
    }

    private func hash(of key: FragmentKey) -> UInt32 {
        let rest = UInt64(key.identification) << 16 | UInt64(key.transport) << 8 | UInt64(key.side.rawValue)
        let source = hash(IPv6Address(bits: key.source), rest)
        return hash(IPv6Address(bits: key.destination), UInt64(source))
    }

    func find(_ key: FragmentKey) -> UInt32? {
        byKey.find(hash(of: key)) { pool[$0].key == key }
    }

    /// `nil` if the table is full.
    mutating func insert(_ key: FragmentKey, from origin: Origin, at now: Instant) -> UInt32? {
        let datagram = FragmentedDatagram(
            key: key, origin: origin, progress: .awaitingFirst, deadline: now + lifetime)
        guard let number = pool.allocate(datagram) else { return nil }
        ranges.clear(number)
        byKey.insert(number, hash: hash(of: key))
        pool[number].previous = newest
        if newest == noEntry { oldest = number } else { pool[newest].next = number }
        newest = number
        return number
    }

    mutating func remove(_ number: UInt32) {
        let entry = pool[number]
        byKey.remove(number, hash: hash(of: entry.key))
        if entry.previous == noEntry { oldest = entry.next } else { pool[entry.previous].next = entry.next }
        if entry.next == noEntry { newest = entry.previous } else { pool[entry.next].previous = entry.previous }
        pool.release(number)
    }

    /// A datagram that has expired at `now`.
    func nextExpired(at now: Instant) -> UInt32? {
        oldest != noEntry && pool[oldest].deadline <= now ? oldest : nil
    }

    /// Records that octets `first..<end` of the payload arrived, including the datagram's last one if `isLast`.
    mutating func note(first: UInt16, end: UInt16, isLast: Bool, of number: UInt32) -> FragmentRanges.Outcome {
        // The last fragment determines the datagram's length, and all fragments must agree with it.
        let known = pool[number].octetsInAll
        if isLast && known != .max && known != UInt32(end) { return .overlap }
        if isLast && ranges.highestEnd(of: number) > UInt32(end) { return .overlap }
        if UInt32(end) > known { return .overlap }
        let outcome = ranges.insert(first: first, end: end, of: number)
        if outcome == .new {
            pool[number].octetsReceived += UInt32(end - first)
            if isLast { pool[number].octetsInAll = UInt32(end) }
        }
        return outcome
    }

    // MARK: - Waiting packets and their mapping

    /// Adds a stored packet to a datagram's list. Returns the packet that was the last one, if there was any.
    mutating func appendStored(_ packet: UInt32, to number: UInt32) -> UInt32? {
        let last = pool[number].lastStored
        if last == noEntry { pool[number].firstStored = packet }
        pool[number].lastStored = packet
        return last == noEntry ? nil : last
    }

    /// Removes a datagram's stored packets, which now belong to the caller, and returns the first one.
    mutating func takeStored(of number: UInt32) -> UInt32 {
        let first = pool[number].firstStored
        pool[number].firstStored = noEntry
        pool[number].lastStored = noEntry
        return first
    }

    /// Sets the mapping, which is now known.
    mutating func translate(_ number: UInt32, source: UInt128, destination: UInt128) {
        pool[number].progress = .translating
        pool[number].outgoingSource = source
        pool[number].outgoingDestination = destination
    }

    mutating func removeIfComplete(_ number: UInt32) {
        if pool[number].isComplete { remove(number) }
    }
}
