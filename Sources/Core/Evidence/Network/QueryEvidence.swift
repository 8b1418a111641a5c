// SPDX-License-Identifier: Apache-2.0
package import DNS64
package import DNSWire
package import Wire

/// Queries with the same question and the same answer.
package struct RepeatedQuery: Codable, Hashable, Sendable {
    /// The first of them.
    package var first: QueryRecord
    package var question: Question
    package var count: Int

    /// `nil` if the query's question could not be read.
    package init?(_ first: QueryRecord, count: Int = 1) {
        guard let question = first.question else { return nil }
        self.first = first
        self.question = question
        self.count = count
    }
}

extension RepeatedQuery {
    /// The records of the answer. For a query for addresses these are the addresses, without the aliases before them.
    package var answer: [RecordData] {
        let wanted = first.answer.filter { $0.type == question.type }
        return (wanted.isEmpty ? first.answer : wanted).map(\.data)
    }

    /// The addresses of the answer.
    package var addresses: [IPAddress] { answer.compactMap(\.address) }
}

/// The queries of a run, one by one: only the latest, if there were very many.
package struct QueryExcerpt: Codable, Hashable, Sendable {
    /// In the order in which they came.
    package var queries: [QueryRecord]
    /// Earlier ones that are not kept.
    package var omitted: Int

    /// More would not be read.
    package static let maximum = 2048

    package init(_ queries: [QueryRecord] = [], omitted: Int = 0) {
        self.queries = queries
        self.omitted = omitted
    }

    var isEmpty: Bool { queries.isEmpty && omitted == 0 }
}
