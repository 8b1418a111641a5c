// SPDX-License-Identifier: Apache-2.0
/// The latest queries: a ring that never grows, and says how many it forgot. Each query has a number, from 1, which stays its own.
package struct QueryLog: Sendable {
    package let capacity: Int
    private var records: [QueryRecord] = []
    /// Where the oldest record is, once the ring is full.
    private var oldest = 0
    /// Records that made room for later ones.
    package private(set) var lost: UInt64 = 0

    package init(capacity: Int = 65_536) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    package mutating func append(_ record: QueryRecord) {
        if records.count < capacity {
            records.append(record)
        } else {
            records[oldest] = record
            oldest = (oldest + 1) % capacity
            lost += 1
        }
    }

    /// The number that the next query will have.
    package var next: UInt64 { lost + UInt64(records.count) + 1 }

    /// All records that are kept, oldest first.
    package var all: [QueryRecord] { Array(records[oldest...] + records[..<oldest]) }

    /// A part of the log.
    package struct Excerpt: Sendable {
        /// Oldest first.
        package var records: [QueryRecord]
        /// The number of the first of them.
        package var first: UInt64
        /// Records that were asked for and are forgotten.
        package var lost: UInt64
        /// The number behind the last of them: what to ask for next.
        package var next: UInt64 { first + UInt64(records.count) }
    }

    /// The records from `number` on, `limit` of them at most.
    package func records(from number: UInt64, limit: Int = .max) -> Excerpt {
        let first = min(max(number, lost + 1), next)
        let places = Int(first - lost - 1)..<records.count
        let excerpt = places.prefix(max(0, limit)).map { records[(oldest + $0) % records.count] }
        return Excerpt(records: excerpt, first: first, lost: first > number ? first - max(number, 1) : 0)
    }
}
