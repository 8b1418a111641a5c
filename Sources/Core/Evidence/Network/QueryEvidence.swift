// SPDX-License-Identifier: Apache-2.0
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
    package static let maximum = 2048

    package init(_ queries: [QueryRecord] = [], omitted: Int = 0) {
        self.queries = queries
        self.omitted = omitted
    }

    var isEmpty: Bool { queries.isEmpty && omitted == 0 }
}
