// SPDX-License-Identifier: Apache-2.0
/// One counter for each `DropReason`. Fixed in size, so that counting allocates nothing.
public struct DropCounters: Sendable {
    private var counts = InlineArray<64, UInt64>(repeating: 0)

    public init() {}

    /// The number of packets dropped for `reason`.
    public private(set) subscript(reason: DropReason) -> UInt64 {
        get { counts[Int(reason.rawValue)] }
        set { counts[Int(reason.rawValue)] = newValue }
    }

    /// Counts one drop.
    public mutating func count(_ reason: DropReason) {
        self[reason] &+= 1
    }

    /// Adds the counts of another one.
    public mutating func add(_ other: DropCounters) {
        for reason in DropReason.allCases { self[reason] &+= other[reason] }
    }

    /// Packets dropped, for all reasons together.
    public var total: UInt64 {
        var total: UInt64 = 0
        for reason in DropReason.allCases { total &+= self[reason] }
        return total
    }
}
