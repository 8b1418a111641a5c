// SPDX-License-Identifier: Apache-2.0
/// The latest queries: a ring that never grows, and counts those that it drops. Each query has a permanent number, from 1.
package struct QueryLog: Sendable {
    package let capacity: Int
    private var records: [QueryRecord] = []
    /// Index of the oldest record, once the ring is full.
    private var oldest = 0
    /// Records that were replaced by later ones.
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

    /// The number of the next query.
    package var next: UInt64 { lost + UInt64(records.count) + 1 }

    /// All records that are kept, oldest first.
    package var all: [QueryRecord] { Array(records[oldest...] + records[..<oldest]) }

    /// A part of the log.
    package struct Excerpt: Sendable {
        /// Oldest first.
        package var records: [QueryRecord]
        /// The number of the first of them.
        package var first: UInt64
        /// Records that were asked for, but have been replaced.
        package var lost: UInt64
        /// The number behind the last of them: the one to ask for next.
        package var next: UInt64 { first + UInt64(records.count) }
    }

    /// At most `limit` records, from `number` on.
    package func records(from number: UInt64, limit: Int = .max) -> Excerpt {
        let first = min(max(number, lost + 1), next)
        let places = Int(first - lost - 1)..<records.count
        let excerpt = places.prefix(max(0, limit)).map { records[(oldest + $0) % records.count] }
        return Excerpt(records: excerpt, first: first, lost: first > number ? first - max(number, 1) : 0)
    }
}
