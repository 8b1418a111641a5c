// SPDX-License-Identifier: Apache-2.0
/// The octets of each fragmented datagram that have arrived, in sorted lists of bounded length.
///
/// A range is one fragment, never the union of several: this distinguishes an exact duplicate, which is harmless (RFC 8200 §4.5), from an
/// overlap, which condemns the datagram (RFC 5722 §4).
struct FragmentRanges: ~Copyable {
    /// Enough for 65,535 octets in IPv4 fragments of 552.
    static let maximum = 128

    enum Outcome: Equatable {
        case new, duplicate, overlap, tooMany
    }

    /// `maximum` slots for each datagram: first octet << 16 | octet after the last.
    private var ranges: [UInt32] = []
    private var counts: [UInt8] = []

    mutating func clear(_ datagram: UInt32) {
        let needed = Int(datagram) + 1
        while counts.count < needed {
            counts.append(0)
            ranges.append(contentsOf: repeatElement(0, count: Self.maximum))
        }
        counts[Int(datagram)] = 0
    }

    /// The octet after the last one that has arrived.
    func highestEnd(of datagram: UInt32) -> UInt32 {
        let count = Int(counts[Int(datagram)])
        return count == 0 ? 0 : ranges[Int(datagram) * Self.maximum + count - 1] & 0xffff
    }

    /// `first` and `end` are octets of the datagram's payload, `first` below `end`.
    mutating func insert(first: UInt16, end: UInt16, of datagram: UInt32) -> Outcome {
        let base = Int(datagram) * Self.maximum
        let count = Int(counts[Int(datagram)])
        let range = UInt32(first) << 16 | UInt32(end)
        var position = base + count
        while position > base, ranges[position - 1] >> 16 > UInt32(first) { position -= 1 }
        if position > base {
            let before = ranges[position - 1]
            if before == range { return .duplicate }
            if before & 0xffff > UInt32(first) { return .overlap }
        }
        if position < base + count, ranges[position] >> 16 < UInt32(end) { return .overlap }
        if count == Self.maximum { return .tooMany }
        var index = base + count
        while index > position {
            ranges[index] = ranges[index - 1]
            index -= 1
        }
        ranges[position] = range
        counts[Int(datagram)] += 1
        return .new
    }
}
