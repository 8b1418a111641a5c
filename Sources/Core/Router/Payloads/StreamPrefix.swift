// SPDX-License-Identifier: Apache-2.0
import Evidence
import Wire

/// The first octets of one direction, in order.
///
/// Theory of operation. `base` is the sequence number of the first octet, from the SYN, or else from the first segment. A segment adds its
/// octets beyond the current end; one that leaves a gap waits until that is filled. If octets are sent twice, the first copy is kept.
struct StreamPrefix {
    private(set) var stream = Conversation.Stream()
    private var base: UInt32?
    private var waiting: [(offset: Int, octets: [UInt8], time: Duration)] = []

    /// Maximum number of segments that wait, and of pieces that are distinguished.
    private static let limits = (waiting: 16, pieces: 256)

    var isEmpty: Bool { stream.octets.isEmpty && waiting.isEmpty }

    mutating func begin(at sequence: UInt32) { base = sequence &+ 1 }

    /// Whether a SYN with this number belongs to another connection than the one that has begun.
    func isOfAnother(_ sequence: UInt32) -> Bool { base.map { $0 != sequence &+ 1 } ?? false }

    /// - Parameters:
    ///   - room: maximum octets of the whole stream.
    /// - Returns: octets that were kept.
    mutating func add(
        _ octets: Span<UInt8>, sequence: UInt32, at time: Duration, room: Int
    ) -> Int {
        if octets.isEmpty { return 0 }
        let base = base ?? sequence
        self.base = base
        let offset = Int(Int32(bitPattern: sequence &- base))
        guard offset < room, offset + octets.count > stream.octets.count else { return 0 }
        if offset > stream.octets.count {
            guard waiting.count < Self.limits.waiting else { return 0 }
            waiting.append((offset, octets.array(from: 0, to: min(octets.count, room - offset)), time))
            return 0
        }
        var kept = append(
            octets.array(from: stream.octets.count - offset, to: min(octets.count, room - offset)), at: time)
        // Each iteration but the last removes a segment.
        while let next = waiting.firstIndex(where: { $0.offset <= stream.octets.count }) {
            let segment = waiting.remove(at: next)
            let known = stream.octets.count - segment.offset
            if known < segment.octets.count { kept += append(Array(segment.octets[known...]), at: segment.time) }
        }
        return kept
    }

    /// Adds a datagram, which is a piece of its own.
    mutating func add(datagram octets: Span<UInt8>, at time: Duration, room: Int) -> Int {
        append(octets.array(from: 0, to: min(octets.count, max(0, room - stream.octets.count))), at: time)
    }

    private mutating func append(_ octets: [UInt8], at time: Duration) -> Int {
        if octets.isEmpty { return 0 }
        if stream.pieces.count < Self.limits.pieces {
            stream.pieces.append(Conversation.Stream.Piece(offset: stream.octets.count, time: time))
        }
        stream.octets.bytes += octets
        return octets.count
    }
}

extension Span<UInt8> {
    /// The octets of a range; empty if the range is not inside.
    fileprivate func array(from start: Int, to end: Int) -> [UInt8] {
        guard start >= 0, start < end, end <= count else { return [] }
        var array: [UInt8] = []
        array.reserveCapacity(end - start)
        for index in start..<end { array.append(self[index]) }
        return array
    }
}
