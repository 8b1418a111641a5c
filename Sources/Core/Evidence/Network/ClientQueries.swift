// SPDX-License-Identifier: Apache-2.0
package import DNS64
import DNSWire
package import Wire

/// One client's queries, summed up as they come: each different question and answer once, and the latest one by one.
///
/// Theory of operation. A client that asks without end must neither make this grow nor push out what it asked first, nor names
/// that lead nowhere those that lead somewhere: questions have slots, those that were answered with an address slots of their own,
/// and what comes when they are taken is counted. Repetitions cost nothing but their count.
package struct ClientQueries: Sendable {
    /// What is kept.
    package struct Limits: Sendable {
        /// Different questions and answers with an address in the answer.
        package var answered: Int
        /// Different questions and answers without.
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
    /// Queries that `questions` does not tell of, or not in full.
    package private(set) var lost = 0
    /// What they are from now on; what there is more stays.
    package var limits = Limits()
    private let start: Instant
    private let resolver: Endpoint
    private var total = 0
    /// Where the questions stand.
    private var places: [Substance: Int] = [:]
    private var answered = 0
    private var latest: [QueryRecord] = []
    /// Where the oldest of the latest is, once there are as many as are kept.
    private var oldest = 0

    /// - Parameters:
    ///   - start: when the client was connected; times are counted from there.
    ///   - resolver: what the DNS server is called that the client asks.
    package init(since start: Instant, resolver: Endpoint) {
        self.start = start
        self.resolver = resolver
        refusals = RefusalCounts(since: start)
    }

    package mutating func take(_ record: QueryRecord) {
        // An answer may have been long in coming to a client before this one, which had the same address.
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

    /// The latest queries in their order, and how many came before.
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

/// What a query has in common with others that asked the same and were answered the same: nothing of when it came, from which
/// socket, with which flags, and how long the answer may be kept.
///
/// It is the record itself, looked at in another way: nothing is copied for a comparison, as every query is compared.
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

    /// What tells most queries apart is enough.
    func hash(into hasher: inout Hasher) {
        hasher.combine(record.question)
        hasher.combine(record.responseCode?.rawValue)
        hasher.combine(record.answer.last?.data)
    }
}

extension QueryRecord {
    /// The same with its time counted from `start`.
    fileprivate func counted(from start: Instant) -> QueryRecord {
        var query = self
        query.time = .zero + (time - start)
        return query
    }
}
