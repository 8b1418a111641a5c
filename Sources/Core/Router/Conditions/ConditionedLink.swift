// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology
import Translation
import Wire

/// Both directions of a link with conditions, and its outages.
struct ConditionedLink {
    private(set) var conditions: Conditions
    private var down: ConditionedDirection
    private var up: ConditionedDirection
    private let start: Instant

    /// - Parameters:
    ///   - seeds: for the random events of each direction.
    ///   - rooms: the octets that packets may take while they wait; both directions and other links may share one.
    ///   - start: the time from which outages are counted.
    init(
        _ conditions: Conditions, seeds: (down: UInt64, up: UInt64), rooms: (down: LateRoom, up: LateRoom),
        start: Instant
    ) {
        self.conditions = conditions
        down = ConditionedDirection(conditions.down, seed: seeds.down, in: rooms.down)
        up = ConditionedDirection(conditions.up, seed: seeds.up, in: rooms.up)
        self.start = start
    }

    /// Applies from the next packet on.
    mutating func change(to conditions: Conditions) {
        self.conditions = conditions
        down.change(to: conditions.down)
        up.change(to: conditions.up)
    }

    /// - Parameters:
    ///   - end: the link that the packet goes to.
    ///   - isCut: whether the packet is stopped for a reason other than an outage.
    ///   - extra: extra delay of a DNS server's reply; `nil` for all other packets.
    /// - Returns: the reason why the packet is lost, `nil` if it is not.
    mutating func take(
        _ packet: borrowing PacketBuffer, to end: Link, at now: Instant, isCut: Bool = false, extra: Duration? = nil
    ) -> DropReason? {
        let isCut = isCut || conditions.isOut(at: now - start)
        return switch end {
        case .client: down.take(packet, at: now, isCut: isCut, extra: extra)
        case .world: up.take(packet, at: now, isCut: isCut, extra: extra)
        }
    }

    /// `.distantFuture` if no packet waits.
    var nextDeadline: Instant { min(down.nextDeadline, up.nextDeadline) }

    /// - Returns: whether a packet for that end was due, and is in the buffer now.
    mutating func next(to end: Link, into buffer: inout PacketBuffer, at now: Instant) -> Bool {
        switch end {
        case .client: down.next(into: &buffer, at: now)
        case .world: up.next(into: &buffer, at: now)
        }
    }

    /// The effects of the conditions on packets.
    var counts: (down: ConditionCounts, up: ConditionCounts) { (down.counts, up.counts) }
}
