// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire
package import Wire

/// One client's queries, summed up as they arrive: each different question and answer once, and the latest queries one by one.
///
/// Theory of operation. A client that never stops asking must neither make this grow nor push out its first questions, and names that do
/// not resolve must not push out names that do: questions have slots, those answered with an address have slots of their own, and queries
/// that find no free slot are counted. A repetition costs nothing but its count.
package struct ClientQueries: Sendable {
    /// Limits for the queries that are kept.
    package struct Limits: Sendable {
        /// Different questions and answers with an address in the answer.
        package var answered: Int
        /// Different questions and answers without an address.
        package var others: Int
        /// The latest queries, one by one.
        package var latest: Int

        package init(answered: Int = 1000, others: Int = 1000, latest: Int = QueryExcerpt.maximum) {
            self.answered = answered
            self.others = others
            self.latest = latest
        }
    }

    /// Each different question and answer once, in the order of their first appearance.
    package private(set) var questions: [RepeatedQuery] = []
    package private(set) var refusals: RefusalCounts
    /// Queries that are missing in `questions`, or incomplete there.
    package private(set) var lost = 0
    /// The limits from now on; queries above a lower limit stay.
    package var limits = Limits()
    private let start: Instant
    private let resolver: Endpoint
    private var total = 0
    /// Indices in `questions`.
    private var places: [Substance: Int] = [:]
    private var answered = 0
    private var latest: [QueryRecord] = []
    /// Index of the oldest of the latest queries, once their limit is reached.
    private var oldest = 0

    /// - Parameters:
    ///   - start: when the client was connected; times are counted from there.
    ///   - resolver: the address of the DNS server that the client asks.
    package init(since start: Instant, resolver: Endpoint) {
        self.start = start
        self.resolver = resolver
        refusals = RefusalCounts(since: start)
    }

    package mutating func take(_ record: QueryRecord) {
        // A slow answer may be for an earlier client, which had the same address.
        guard record.time >= start else { return }
        total += 1
        if record.refusal == .tooMany { refuse(.queryRefused, record.transport, at: record.time) }
        let query = record.counted(from: start)
        keepLatest(query)
        sumUp(query)
    }

    package mutating func refuse(_ reason: WorldRefusal.Reason, _ transport: Transport, at now: Instant) {
        refusals.note(reason, transport == .udp ? .udp : .tcp, resolver.address, port: resolver.port, at: now)
    }

    /// The latest queries in order, and the number of earlier ones.
    package var excerpt: QueryExcerpt {
        QueryExcerpt(Array(latest[oldest...] + latest[..<oldest]), omitted: total - latest.count)
    }

    private mutating func keepLatest(_ query: QueryRecord) {
        if latest.count < limits.latest {
            latest.append(query)
        } else if !latest.isEmpty {
            latest[oldest] = query
            oldest = (oldest + 1) % latest.count
        }
    }

    private mutating func sumUp(_ query: QueryRecord) {
        guard query.question != nil else { return }
        if query.omittedAnswers > 0 { lost += 1 }
        let substance = Substance(query)
        if let place = places[substance] {
            questions[place].count += 1
            return
        }
        let isAnswered = query.answer.contains { $0.data.address != nil }
        guard isAnswered ? answered < limits.answered : questions.count - answered < limits.others,
            let repeated = RepeatedQuery(query)
        else {
            lost += 1
            return
        }
        if isAnswered { answered += 1 }
        places[substance] = questions.count
        questions.append(repeated)
    }
}

/// The fields that queries with the same question and answer have in common: without the time, the socket, the flags and the time for which
/// the answer may be cached.
///
/// It wraps the record itself: every query is compared, and nothing is copied for it.
private struct Substance: Hashable {
    private let record: QueryRecord

    init(_ record: QueryRecord) {
        self.record = record
    }

    static func == (one: Self, other: Self) -> Bool {
        let (one, other) = (one.record, other.record)
        return one.question == other.question && one.client.address == other.client.address
            && one.transport == other.transport && one.responseCode == other.responseCode && one.source == other.source
            && one.rule == other.rule && one.synthesisedFrom == other.synthesisedFrom && one.faults == other.faults
            && one.refusal == other.refusal && one.reason == other.reason
            && one.answer.elementsEqual(other.answer) { one, other in
                one.name == other.name && one.recordClass == other.recordClass && one.data == other.data
            }
    }

    /// Hashes only the fields that distinguish most queries.
    func hash(into hasher: inout Hasher) {
        hasher.combine(record.question)
        hasher.combine(record.responseCode?.rawValue)
        hasher.combine(record.answer.last?.data)
    }
}

extension QueryRecord {
    /// The record with its time counted from `start`.
    fileprivate func counted(from start: Instant) -> QueryRecord {
        var query = self
        query.time = .zero + (time - start)
        return query
    }
}
