import DNSWire
import Wire

/// Answers that were asked for, for as long as their TTLs allow.
///
/// Theory of operation. Entries live in two generations. New and used ones are in the young; when that is full it becomes the
/// old one, and what was old is forgotten. So the cache is bounded, forgets what was not used for longest, and no operation
/// takes longer than a look into two tables.
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
    }

    /// Entries in both generations together.
    let capacity: Int
    private var young: [Key: Entry] = [:]
    private var old: [Key: Entry] = [:]
    private var failures: [Key: Failure] = [:]

    /// RFC 8767 §4 recommends a cap of this order: one week.
    static let maximumLifetime: UInt32 = 604_800
    /// RFC 2308 §5: "one to three hours have been found to work well".
    static let maximumNegativeLifetime: UInt32 = 10_800

    /// RFC 9520 §3.2: a failure is remembered for a second at least and for five minutes at most, and longer with each repetition.
    static let shortestFailure = Duration.seconds(1)
    static let maximumFailureLifetime = Duration.seconds(300)

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The answer, with the TTLs that are left.
    mutating func answer(to key: Key, at now: Instant) -> Answer? {
        let entry: Entry
        if let found = young[key] {
            entry = found
        } else if let found = old.removeValue(forKey: key) {
            entry = found
            insert(found, for: key)
        } else {
            return nil
        }
        let age = UInt32(clamping: (now - entry.stored).components.seconds)
        guard age < entry.lifetime else {
            young[key] = nil
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
        insert(Entry(answer: kept, stored: now, lifetime: lifetime), for: key)
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
        if young.count >= max(1, capacity / 2) {
            old = young
            young = [:]
        }
        young[key] = entry
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
