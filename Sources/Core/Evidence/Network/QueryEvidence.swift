package import DNS64
package import DNSWire
package import Wire

/// Queries that asked the same and were answered the same.
package struct RepeatedQuery: Codable, Hashable, Sendable {
    /// The first of them.
    package var first: QueryRecord
    package var question: Question
    package var count: Int

    /// `nil` if the query could not be read as far as its question.
    package init?(_ first: QueryRecord, count: Int = 1) {
        guard let question = first.question else { return nil }
        self.first = first
        self.question = question
        self.count = count
    }
}

extension [RepeatedQuery] {
    /// Sums up a log: each different question and answer once, in the order of their first appearance, its time counted from
    /// `start`.
    package init(_ records: [QueryRecord], since start: Instant) {
        self.init()
        var places: [QueryRecord: Int] = [:]
        for record in records {
            guard let query = RepeatedQuery(record.counted(from: start)) else { continue }
            let substance = record.substance
            if let place = places[substance] {
                self[place].count += 1
            } else {
                places[substance] = count
                append(query)
            }
        }
    }
}

extension QueryRecord {
    /// The same with its time counted from `start`.
    fileprivate func counted(from start: Instant) -> QueryRecord {
        var query = self
        query.time = .zero + (time - start)
        return query
    }

    /// What it has in common with others that asked the same and were answered the same: nothing of when it came, from which
    /// socket, with which flags, and how long the answer may be kept.
    fileprivate var substance: QueryRecord {
        var query = QueryRecord(
            time: .zero, client: Endpoint(client.address, port: 0), transport: transport, question: question,
            responseCode: responseCode, source: source, rule: rule)
        query.answer = answer.map {
            var record = $0
            record.ttl = 0
            return record
        }
        (query.synthesisedFrom, query.faults, query.refusal, query.reason) = (synthesisedFrom, faults, refusal, reason)
        return query
    }
}

extension RepeatedQuery {
    /// Of an address query, the addresses are the answer, and the aliases on the way are not.
    package var answer: [RecordData] {
        let wanted = first.answer.filter { $0.type == question.type }
        return (wanted.isEmpty ? first.answer : wanted).map(\.data)
    }

    /// The addresses of the answer.
    package var addresses: [IPAddress] { answer.compactMap(\.address) }
}

/// The queries of a run, one by one: the latest of them, if there were very many.
package struct QueryExcerpt: Codable, Hashable, Sendable {
    /// In the order in which they came.
    package var queries: [QueryRecord]
    /// Earlier ones that are not kept.
    package var omitted: Int

    /// More of them would not be read.
    package static let maximum = 4096

    package init(_ queries: [QueryRecord] = [], omitted: Int = 0) {
        self.queries = queries
        self.omitted = omitted
    }

    /// The latest of `queries`, their times counted from `start`.
    package init(_ queries: [QueryRecord], since start: Instant, lost: Int) {
        self.queries = queries.suffix(Self.maximum).map { $0.counted(from: start) }
        omitted = queries.count - self.queries.count + lost
    }
}
