import DNSWire
import Wire

/// Replies that can be sent again as they are: same query, octet by octet behind its identifier, same network, same
/// transport. Only identifier and TTLs change.
///
/// Theory of operation. A table of fixed size, in which a query has one place, found by a keyed hash; a newer entry drives out
/// an older one, and all are forgotten where they would take more octets than allowed. A hit costs one comparison and one copy, and nothing of the resolver is touched. What may be kept is the
/// resolver's to judge: a reply that depends on anything else must not come here.
struct ReplyCache: Sendable {
    private final class Entry: Sendable {
        let query: [UInt8]
        let network: Int
        let transport: Transport
        let reply: [UInt8]
        /// Where TTLs count down; none where they do not.
        let ttlOffsets: [Int]
        let stored: Instant
        let expires: Instant
        let record: QueryRecord

        init(
            query: [UInt8], network: Int, transport: Transport, reply: [UInt8], ttlOffsets: [Int], stored: Instant,
            expires: Instant, record: QueryRecord
        ) {
            self.query = query
            self.network = network
            self.transport = transport
            self.reply = reply
            self.ttlOffsets = ttlOffsets
            self.stored = stored
            self.expires = expires
            self.record = record
        }

        /// That it takes in memory, about: the evidence has the reply's records again.
        var octets: Int { query.count + reply.count + record.answer.reduce(1024) { $0 + $1.octets + 128 } }
    }

    private static let identifierOctets = 2
    /// Longer queries carry what is not asked twice.
    private static let maximumQueryLength = 512
    /// Longer replies are few, and would take the room of many.
    private static let maximumReplyLength = 4096

    private var entries: [Entry?]
    /// Of all entries together.
    private(set) var octets = 0
    private let octetLimit: Int

    /// - Parameter capacity: Rounded up to a power of two; 0 keeps nothing.
    init(capacity: Int, octets: Int = AnswerCache.usualOctetLimit) {
        octetLimit = octets
        var size = capacity > 0 ? 1 : 0
        while size < capacity { size *= 2 }
        entries = Array(repeating: nil, count: size)
    }

    mutating func removeAll() {
        entries = Array(repeating: nil, count: entries.count)
        octets = 0
    }

    /// The reply to a query, and its evidence.
    func reply(
        to query: Span<UInt8>, _ arrival: Arrival, network: Int
    ) -> (octets: [UInt8], record: QueryRecord)? {
        guard let place = place(of: query), let entry = entries[place] else { return nil }
        guard entry.network == network, entry.transport == arrival.transport, arrival.time < entry.expires,
            Self.isSame(query, entry.query)
        else { return nil }
        var octets = entry.reply
        octets[0] = query[0]
        octets[1] = query[1]
        let age = UInt32(clamping: (arrival.time - entry.stored).components.seconds)
        if age > 0 {
            MessageLayout.countDown(&octets, ttlsAt: entry.ttlOffsets, by: age)
        }
        var record = entry.record
        record.client = arrival.client
        record.time = arrival.time
        return (octets, record)
    }

    /// Keeps a reply: one that counts down until its shortest TTL is over, another one for ever.
    mutating func store(
        _ reply: [UInt8], to query: Span<UInt8>, _ arrival: Arrival, network: Int, aging: QueryRecord.Aging,
        record: QueryRecord
    ) {
        guard reply.count <= Self.maximumReplyLength, let place = place(of: query) else { return }
        var offsets: [Int] = []
        var expires = Instant.distantFuture
        if aging == .countsDown {
            guard let found = try? MessageLayout.ttlOffsets(in: reply.span) else { return }
            guard let shortest = found.map({ MessageLayout.ttl(in: reply.span, at: $0) }).min(), shortest > 0 else {
                return
            }
            offsets = found
            expires = arrival.time + .seconds(Int64(shortest))
        }
        let entry = Entry(
            query: (Self.identifierOctets..<query.count).map { query[$0] }, network: network,
            transport: arrival.transport, reply: reply, ttlOffsets: offsets, stored: arrival.time, expires: expires,
            record: record)
        octets -= entries[place]?.octets ?? 0
        if octets + entry.octets > octetLimit { removeAll() }
        octets += entry.octets
        entries[place] = entry
    }

    private func place(of query: Span<UInt8>) -> Int? {
        guard !entries.isEmpty, (MessageHeader.length...Self.maximumQueryLength).contains(query.count) else {
            return nil
        }
        var hasher = Hasher()
        var word: UInt64 = 0
        for index in Self.identifierOctets..<query.count {
            word = word << 8 | UInt64(query[index])
            if index & 7 == 7 { hasher.combine(word) }
        }
        hasher.combine(word)
        return hasher.finalize() & (entries.count - 1)
    }

    private static func isSame(_ query: Span<UInt8>, _ kept: [UInt8]) -> Bool {
        guard query.count - identifierOctets == kept.count else { return false }
        let kept = kept.span
        for index in kept.indices where query[index + identifierOctets] != kept[index] { return false }
        return true
    }
}
