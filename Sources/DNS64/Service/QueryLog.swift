/// The latest queries: a ring that never grows, and says how many it forgot.
public struct QueryLog: Sendable {
    public let capacity: Int
    private var records: [QueryRecord] = []
    /// Where the oldest record is, once the ring is full.
    private var oldest = 0
    /// Records that made room for later ones.
    public private(set) var lost: UInt64 = 0

    public init(capacity: Int = 65_536) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    public mutating func append(_ record: QueryRecord) {
        if records.count < capacity {
            records.append(record)
        } else {
            records[oldest] = record
            oldest = (oldest + 1) % capacity
            lost += 1
        }
    }

    /// All records that are kept, oldest first.
    public var all: [QueryRecord] { Array(records[oldest...] + records[..<oldest]) }
}
