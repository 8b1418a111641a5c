// SPDX-License-Identifier: Apache-2.0
import Evidence
import Randomness
import Topology
import Translation
import Wire

/// One direction of a link with conditions.
///
/// Theory of operation. A packet is, in this order: lost by chance, or not; sent behind those that came before, which takes time if there
/// is a rate; held back by the delay. It waits in one of three queues, each in its own order, until `next` is called at its time or later.
/// All times are on the caller's clock, so a late caller changes no rate. A packet whose checksums or segmentation are left to the kernel
/// counts as one packet.
struct ConditionedDirection {
    private var conditions: Conditions.Direction
    private var random: SplitMix64
    /// Time at which the last packet so far has been sent.
    private var idleAt = Instant.zero
    /// Longest queue before the slow link, as a time.
    private var longestQueue: Duration
    /// Queues of packets with the usual delay, of packets that overtake them, and of DNS servers' replies, which hold up no others.
    private var usual: LatePackets
    private var overtaking: LatePackets
    private var replies: LatePackets
    private(set) var counts = ConditionCounts()

    /// Least capacity of a queue, in octets: the first flight of a TCP connection (ten segments, RFC 6928 §2) and some more.
    private static let leastQueue = 16 * 1500
    private static let usualQueue = Duration.milliseconds(100)
    private static let million: UInt64 = 1_000_000

    /// - Parameter room: the octets that its packets may take while they wait.
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

    /// Applies from the next packet on; packets on their way arrive when they would have before.
    mutating func change(to conditions: Conditions.Direction) {
        self.conditions = conditions
        longestQueue = Self.longestQueue(of: conditions)
    }

    /// - Parameters:
    ///   - isCut: whether no packet passes now.
    ///   - extra: extra delay of a DNS server's reply; `nil` for all other packets.
    /// - Returns: the reason why the packet is lost, `nil` if it is not.
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
        // A duplicate for which there is no room does not count as one.
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
            // The kernel would compute valid checksums over the flipped bit, so drop the super-packet. Its receiver would discard it
            // anyway.
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

    /// `.distantFuture` if no packet waits.
    var nextDeadline: Instant { min(usual.nextDeadline, overtaking.nextDeadline, replies.nextDeadline) }

    /// - Returns: whether a packet was due, and is in the buffer now.
    mutating func next(into buffer: inout PacketBuffer, at now: Instant) -> Bool {
        let deadline = nextDeadline
        if deadline > now { return false }
        if overtaking.nextDeadline == deadline { return overtaking.next(into: &buffer, at: now) }
        if usual.nextDeadline == deadline { return usual.next(into: &buffer, at: now) }
        return replies.next(into: &buffer, at: now)
    }

    /// The time that a packet of `octets` takes on a link of `rate` bits a second: at most 2 × 65,575 × 8 × 10⁹ / 1000 ns.
    private static func sendingTime(of octets: Int, at rate: Int) -> Duration {
        .nanoseconds(octets * 8 * 1_000_000_000 / rate)
    }

    /// Draws a random number only if there is a condition, so that one condition does not change the outcome of another.
    private mutating func happens(_ millionths: Int) -> Bool {
        guard millionths > 0 else { return false }
        return random.next().multipliedFullWidth(by: Self.million).high < UInt64(millionths)
    }

    /// Uniformly distributed.
    private mutating func jitter() -> Duration {
        let most = conditions.jitter.wholeNanoseconds
        return most > 0 ? .nanoseconds(Int64.random(in: -most...most, using: &random)) : .zero
    }

    /// A bit of the packet's payload, behind the IP header and the ports: the receiver notices by the checksum, and the packet still
    /// belongs to its connection.
    private mutating func brokenBit(of packet: borrowing PacketBuffer) -> Int? {
        let start = (packet.family == .ipv4 ? 20 : 40) + 4
        guard start < packet.count else { return nil }
        return Int.random(in: start * 8..<packet.count * 8, using: &random)
    }
}
