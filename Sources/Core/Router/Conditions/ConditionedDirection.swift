// SPDX-License-Identifier: Apache-2.0
import Evidence
import Randomness
import Topology
import Translation
import Wire

/// One direction of a link with conditions.
///
/// Theory of operation. A packet is, in this order: lost by chance, or not; sent, which takes its time where there is a rate, behind
/// those that came before; late by the delay. It waits in one of three lines, each in its own order, until `next` is called at its time or
/// later. All is counted on the caller's clock, so a caller that comes late changes no rate. A packet whose checksums or segments the
/// kernel has left undone is one packet all the same.
struct ConditionedDirection {
    private var conditions: Conditions.Direction
    private var random: SplitMix64
    /// When the last packet has been sent that came.
    private var idleAt = Instant.zero
    /// How long the queue before the slow link can be.
    private var longestQueue: Duration
    /// Those with the usual delay, those that overtake them, and the replies of DNS servers, which hold up no others.
    private var usual: LatePackets
    private var overtaking: LatePackets
    private var replies: LatePackets
    private(set) var counts = ConditionCounts()

    /// What a queue has room for at least: the first flight of a TCP connection (ten segments, RFC 6928 §2) and some more.
    private static let leastQueue = 16 * 1500
    private static let usualQueue = Duration.milliseconds(100)
    private static let million: UInt64 = 1_000_000

    /// - Parameter room: what its packets may take while they wait.
    init(_ conditions: Conditions.Direction, seed: UInt64, in room: LateRoom) {
        self.conditions = conditions
        usual = LatePackets(room)
        overtaking = LatePackets(room)
        replies = LatePackets(room)
        random = SplitMix64(seed: seed)
        longestQueue = Self.longestQueue(of: conditions)
    }

    private static func longestQueue(of conditions: Conditions.Direction) -> Duration {
        conditions.rate.map { max(usualQueue, sendingTime(of: leastQueue, at: $0)) } ?? .zero
    }

    /// From the next packet on; what is on its way arrives when it would have.
    mutating func change(to conditions: Conditions.Direction) {
        self.conditions = conditions
        longestQueue = Self.longestQueue(of: conditions)
    }

    /// - Parameters:
    ///   - isCut: whether nothing passes now.
    ///   - extra: what is added to the delay of a DNS server's reply; `nil` for all else.
    /// - Returns: why the packet is lost, `nil` if it is not.
    mutating func take(
        _ packet: borrowing PacketBuffer, at now: Instant, isCut: Bool = false, extra: Duration? = nil
    ) -> DropReason? {
        counts.packets += 1
        if isCut || happens(conditions.loss) {
            counts.lost += 1
            return isCut ? .conditionOutage : .conditionLoss
        }
        let isTwice = happens(conditions.duplicate)
        if let reason = send(packet, at: now, extra) { return reason }
        // A copy for which there is no room is none.
        if isTwice, send(packet, at: now, extra) == nil { counts.duplicated += 1 }
        return nil
    }

    private mutating func send(_ packet: borrowing PacketBuffer, at now: Instant, _ extra: Duration?) -> DropReason? {
        var due = now
        if let rate = conditions.rate {
            let start = max(now, idleAt)
            if start - now > longestQueue {
                counts.queueFull += 1
                return .conditionQueueFull
            }
            idleAt = start + Self.sendingTime(of: packet.count, at: rate)
            due = idleAt
        }
        let bit = happens(conditions.corrupt) ? brokenBit(of: packet) : nil
        if bit != nil, packet.offload.segmentation != .none {
            // A train whose sums are yet to be made would have right ones over what is wrong. Its receiver throws it away all the same.
            counts.corrupted += 1
            return .conditionLoss
        }
        let isReordered = happens(conditions.reorder)
        if !isReordered { due = due + conditions.delay + jitter() }
        let isTaken =
            if let extra {
                replies.take(packet, until: due + extra, flipping: bit)
            } else if isReordered {
                overtaking.take(packet, until: due, flipping: bit)
            } else {
                usual.take(packet, until: due, flipping: bit)
            }
        guard isTaken else {
            counts.queueFull += 1
            return .conditionQueueFull
        }
        if extra != nil || due > now { counts.late += 1 }
        if isReordered { counts.reordered += 1 }
        if bit != nil { counts.corrupted += 1 }
        return nil
    }

    /// `.distantFuture` if none waits.
    var nextDeadline: Instant { min(usual.nextDeadline, overtaking.nextDeadline, replies.nextDeadline) }

    /// - Returns: whether a packet was due, and is in the buffer now.
    mutating func next(into buffer: inout PacketBuffer, at now: Instant) -> Bool {
        let deadline = nextDeadline
        if deadline > now { return false }
        if overtaking.nextDeadline == deadline { return overtaking.next(into: &buffer, at: now) }
        if usual.nextDeadline == deadline { return usual.next(into: &buffer, at: now) }
        return replies.next(into: &buffer, at: now)
    }

    /// The time that a packet of so many octets takes on a link of `rate` bits a second: at most 2 × 65,575 × 8 × 10⁹ / 1000 ns.
    private static func sendingTime(of octets: Int, at rate: Int) -> Duration {
        .nanoseconds(octets * 8 * 1_000_000_000 / rate)
    }

    /// The dice are thrown only where there is a condition, so that one does not change what another does.
    private mutating func happens(_ millionths: Int) -> Bool {
        guard millionths > 0 else { return false }
        return random.next().multipliedFullWidth(by: Self.million).high < UInt64(millionths)
    }

    /// Evenly spread.
    private mutating func jitter() -> Duration {
        let most = conditions.jitter.wholeNanoseconds
        return most > 0 ? .nanoseconds(Int64.random(in: -most...most, using: &random)) : .zero
    }

    /// One of the packet's payload, behind the IP header and the ports: the checksum shows it to the receiver, and the packet stays
    /// one of its connection.
    private mutating func brokenBit(of packet: borrowing PacketBuffer) -> Int? {
        let start = (packet.family == .ipv4 ? 20 : 40) + 4
        guard start < packet.count else { return nil }
        return Int.random(in: start * 8..<packet.count * 8, using: &random)
    }
}
