// SPDX-License-Identifier: Apache-2.0
import DNSWire
import Wire

/// Answers that were asked for, for as long as their TTLs allow.
///
/// Theory of operation. Entries live in two generations. New and used ones are in the young; when that is full it becomes the
/// old one, and what was old is forgotten. So the cache is bounded, in entries and in octets, forgets what was not used for longest, and
/// no operation takes longer than a look into two tables. (Who has a zone can fill each answer with 64 KiB.)
struct AnswerCache: Sendable {
    struct Key: Hashable, Sendable {
        var question: Question
        var dnssecOK: Bool
        var checkingDisabled: Bool
    }

    private struct Failure: Sendable {
        var lookUp: FailedLookUp
        var until: Instant
        /// How long it was remembered this time.
        var time: Duration
    }

    private struct Entry: Sendable {
        var answer: Answer
        var stored: Instant
        /// Seconds.
        var lifetime: UInt32
        /// That it takes in memory, about.
        var octets: Int

        init(_ answer: Answer, stored: Instant, lifetime: UInt32) {
            self.answer = answer
            self.stored = stored
            self.lifetime = lifetime
            octets = [answer.answer, answer.authority].joined().reduce(Self.overhead) {
                $0 + $1.octets + Self.recordOverhead
            }
        }

        /// Key, tables and the heads of arrays.
        private static let overhead = 512
        private static let recordOverhead = MemoryLayout<ResourceRecord>.stride + 64
    }

    /// Entries that know their octets together.
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

    /// Entries in both generations together, and the octets that they take.
    let capacity: Int
    let octetLimit: Int
    private var young = Generation()
    private var old = Generation()
    private var failures: [Key: Failure] = [:]

    /// RFC 8767 §4 recommends a cap of this order: one week.
    static let maximumLifetime: UInt32 = 604_800
    /// RFC 2308 §5: "one to three hours have been found to work well".
    static let maximumNegativeLifetime: UInt32 = 10_800

    /// RFC 9520 §3.2: a failure is remembered for a second at least and for five minutes at most, and longer with each repetition.
    static let shortestFailure = Duration.seconds(1)
    static let maximumFailureLifetime = Duration.seconds(300)

    /// Of the usual answer's size, so many are as many as the usual capacity.
    static let usualOctetLimit = 64 << 20

    init(capacity: Int, octets: Int = usualOctetLimit) {
        self.capacity = capacity
        octetLimit = octets
    }

    /// What all entries take in memory, about.
    var octets: Int { young.octets + old.octets }

    /// The answer, with the TTLs that are left.
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

    /// Keeps an answer, if there is something to be kept: errors are not, for they say nothing about the name.
    mutating func store(_ answer: Answer, for key: Key, at now: Instant) {
        guard capacity > 0, let lifetime = Self.lifetime(of: answer), lifetime > 0 else { return }
        var kept = answer
        // What only went along is not what was asked for, and not believed a second time (RFC 2181 §5.4.1).
        kept.additional = []
        kept.authority.removeAll { $0.type == .ns }
        // What is left of a negative answer's time must show in the SOA record (RFC 2308 §5), which may come with more than
        // its MINIMUM allows.
        for index in kept.authority.indices where kept.authority[index].type == .soa {
            kept.authority[index].ttl = min(kept.authority[index].ttl, lifetime)
        }
        let entry = Entry(kept, stored: now, lifetime: lifetime)
        // It would drive out all others.
        guard entry.octets <= octetLimit / 2 else { return }
        insert(entry, for: key)
        failures[key] = nil
    }

    /// The failure that the question is known to end in.
    func failure(of key: Key, at now: Instant) -> FailedLookUp? {
        guard let failure = failures[key], now < failure.until else { return nil }
        return failure.lookUp
    }

    /// Keeps a failure, for twice as long as the one before, if that was not long ago.
    mutating func store(_ failure: FailedLookUp, for key: Key, at now: Instant) {
        guard capacity > 0 else { return }
        var time = Self.shortestFailure
        if let last = failures[key], now - last.until < Self.maximumFailureLifetime {
            time = min(last.time * 2, Self.maximumFailureLifetime)
        }
        // So many failures at a time are one: of the network. What is lost with them is asked for once more.
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
            // Aliases whose end another is to be asked for.
            return min(shortest, maximumLifetime)
        case .noError, .nameError:
            // RFC 2308 §5: without a SOA record a negative answer is not kept.
            return answer.negativeTTL.map { min(shortest, $0, maximumNegativeLifetime) }
        default:
            return nil
        }
    }
}

/// A look-up to which no server had an answer.
struct FailedLookUp: Sendable {
    var outcome: Resolution.Outcome
    /// What the forwarders did instead.
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
