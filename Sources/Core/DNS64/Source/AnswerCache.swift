// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// A cache of answers, each kept for as long as its TTLs allow.
///
/// Theory of operation. Entries are in two generations. New and used ones are in the young; when that is full it becomes the old one, and
/// the previous old one is dropped. So the cache is bounded, in entries and in octets, drops the least recently used entries, and no
/// operation takes longer than two look-ups in tables. (The owner of a zone can make each answer 64 KiB large.)
struct AnswerCache: Sendable {
    struct Key: Hashable, Sendable {
        var question: Question
        var dnssecOK: Bool
        var checkingDisabled: Bool
    }

    private struct Failure: Sendable {
        var lookUp: FailedLookUp
        var until: Instant
        /// How long it is cached this time.
        var time: Duration
    }

    private struct Entry: Sendable {
        var answer: Answer
        var stored: Instant
        /// Seconds.
        var lifetime: UInt32
        /// Approximate octets in memory.
        var octets: Int

        init(_ answer: Answer, stored: Instant, lifetime: UInt32) {
            self.answer = answer
            self.stored = stored
            self.lifetime = lifetime
            octets = [answer.answer, answer.authority].joined().reduce(Self.overhead) {
                $0 + $1.octets + Self.recordOverhead
            }
        }

        /// Key, tables and array headers.
        private static let overhead = 512
        private static let recordOverhead = MemoryLayout<ResourceRecord>.stride + 64
    }

    /// Entries and their total octets.
    private struct Generation: Sendable {
        private var entries: [Key: Entry] = [:]
        private(set) var octets = 0

        var count: Int { entries.count }

        subscript(key: Key) -> Entry? { entries[key] }

        mutating func insert(_ entry: Entry, for key: Key) {
            octets += entry.octets - (entries.updateValue(entry, forKey: key)?.octets ?? 0)
        }

        mutating func remove(_ key: Key) -> Entry? {
            let entry = entries.removeValue(forKey: key)
            octets -= entry?.octets ?? 0
            return entry
        }
    }

    /// Maximum entries of both generations together, and their maximum octets.
    let capacity: Int
    let octetLimit: Int
    private var young = Generation()
    private var old = Generation()
    private var failures: [Key: Failure] = [:]

    /// RFC 8767 §4 recommends a cap of this order: one week.
    static let maximumLifetime: UInt32 = 604_800
    /// RFC 2308 §5: "one to three hours have been found to work well".
    static let maximumNegativeLifetime: UInt32 = 10_800

    /// RFC 9520 §3.2: a failure is cached for one second at least and five minutes at most, and longer with each repetition.
    static let shortestFailure = Duration.seconds(1)
    static let maximumFailureLifetime = Duration.seconds(300)

    /// Enough for the usual capacity if answers have the usual size.
    static let usualOctetLimit = 64 << 20

    init(capacity: Int, octets: Int = usualOctetLimit) {
        self.capacity = capacity
        octetLimit = octets
    }

    /// Approximate octets of all entries in memory.
    var octets: Int { young.octets + old.octets }

    /// The answer, with its remaining TTLs.
    mutating func answer(to key: Key, at now: Instant) -> Answer? {
        let entry: Entry
        if let found = young[key] {
            entry = found
        } else if let found = old.remove(key) {
            entry = found
            insert(found, for: key)
        } else {
            return nil
        }
        let age = UInt32(clamping: (now - entry.stored).components.seconds)
        guard age < entry.lifetime else {
            _ = young.remove(key)
            return nil
        }
        var answer = entry.answer
        answer.source = .cache
        answer.countDown(age)
        return answer
    }

    /// Stores an answer if it can be cached: errors cannot, as they say nothing about the name.
    mutating func store(_ answer: Answer, for key: Key, at now: Instant) {
        guard capacity > 0, let lifetime = Self.lifetime(of: answer), lifetime > 0 else { return }
        var kept = answer
        // Other records were not asked for, and are not to be believed a second time (RFC 2181 §5.4.1).
        kept.additional = []
        kept.authority.removeAll { $0.type == .ns }
        // The SOA record must show the remaining time of a negative answer (RFC 2308 §5); its TTL may be larger than its MINIMUM allows.
        for index in kept.authority.indices where kept.authority[index].type == .soa {
            kept.authority[index].ttl = min(kept.authority[index].ttl, lifetime)
        }
        let entry = Entry(kept, stored: now, lifetime: lifetime)
        // A larger one would replace all others.
        guard entry.octets <= octetLimit / 2 else { return }
        insert(entry, for: key)
        failures[key] = nil
    }

    /// The cached failure of a question.
    func failure(of key: Key, at now: Instant) -> FailedLookUp? {
        guard let failure = failures[key], now < failure.until else { return nil }
        return failure.lookUp
    }

    /// Stores a failure, for twice as long as the previous one, if that was recent.
    mutating func store(_ failure: FailedLookUp, for key: Key, at now: Instant) {
        guard capacity > 0 else { return }
        var time = Self.shortestFailure
        if let last = failures[key], now - last.until < Self.maximumFailureLifetime {
            time = min(last.time * 2, Self.maximumFailureLifetime)
        }
        // So many failures at a time have one cause, the network. Those that are dropped cost one more query each.
        if failures.count >= capacity { failures = [:] }
        failures[key] = Failure(lookUp: failure, until: now + time, time: time)
    }

    private mutating func insert(_ entry: Entry, for key: Key) {
        if young.count >= max(1, capacity / 2) || young.octets + entry.octets > octetLimit / 2 {
            old = young
            young = Generation()
        }
        young.insert(entry, for: key)
    }

    private static func lifetime(of answer: Answer) -> UInt32? {
        let shortest = answer.answer.map(\.ttl).min() ?? maximumLifetime
        switch answer.responseCode {
        case .noError where answer.answer.contains { $0.type != .cname && $0.type != .dname && $0.coveredType == nil }:
            return min(shortest, maximumLifetime)
        case .noError where !answer.answer.isEmpty && answer.negativeTTL == nil:
            // Aliases whose end must be looked up at another server.
            return min(shortest, maximumLifetime)
        case .noError, .nameError:
            // RFC 2308 §5: without a SOA record a negative answer is not cached.
            return answer.negativeTTL.map { min(shortest, $0, maximumNegativeLifetime) }
        default:
            return nil
        }
    }
}

/// A look-up that no server answered.
struct FailedLookUp: Sendable {
    var outcome: Resolution.Outcome
    /// The failures of the forwarders.
    var failures: [ForwarderFailure]
}

extension Answer {
    fileprivate mutating func countDown(_ seconds: UInt32) {
        guard seconds > 0 else { return }
        func aged(_ record: ResourceRecord) -> ResourceRecord {
            var record = record
            record.ttl -= min(seconds, record.ttl)
            return record
        }
        answer = answer.map(aged)
        authority = authority.map(aged)
    }
}
