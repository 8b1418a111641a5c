// SPDX-License-Identifier: Apache-2.0
import Wire

/// A set of IPv4 addresses: ranges in order that neither touch nor overlap.
struct AddressRanges: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>] = []

    init(_ prefixes: some Sequence<IPv4Prefix>) {
        for range in prefixes.map(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    /// A binary search: called for each packet, it does not allocate, and takes logarithmic time.
    func contains(_ address: IPv4Address) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < address.bits { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= address.bits
    }
}

extension IPv4Prefix {
    fileprivate var range: ClosedRange<UInt32> {
        address.bits...(address.bits | UInt32(truncatingIfNeeded: UInt64(UInt32.max) >> UInt64(length)))
    }
}
