// SPDX-License-Identifier: Apache-2.0
import Evidence
import Topology
import Translation
import Wire

/// Both directions of a link with conditions, and when nothing passes it.
struct ConditionedLink {
    private(set) var conditions: Conditions
    private var down: ConditionedDirection
    private var up: ConditionedDirection
    private let start: Instant

    /// - Parameters:
    ///   - seeds: of what happens by chance in each direction.
    ///   - rooms: what packets may take while they wait; one may be of both, and of other links.
    ///   - start: from when outages are counted.
    init(
        _ conditions: Conditions, seeds: (down: UInt64, up: UInt64), rooms: (down: LateRoom, up: LateRoom),
        start: Instant
    ) {
        self.conditions = conditions
        down = ConditionedDirection(conditions.down, seed: seeds.down, in: rooms.down)
        up = ConditionedDirection(conditions.up, seed: seeds.up, in: rooms.up)
        self.start = start
    }

    /// From the next packet on.
    mutating func change(to conditions: Conditions) {
        self.conditions = conditions
        down.change(to: conditions.down)
        up.change(to: conditions.up)
    }

    /// - Parameters:
    ///   - end: where the packet goes.
    ///   - isCut: whether it does not pass, besides outages.
    ///   - extra: what is added to the delay of a DNS server's reply; `nil` for all else.
    /// - Returns: why the packet is lost, `nil` if it is not.
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

    /// - Returns: whether a packet was due that goes there, and is in the buffer now.
    mutating func next(to end: Link, into buffer: inout PacketBuffer, at now: Instant) -> Bool {
        switch end {
        case .client: down.next(into: &buffer, at: now)
        case .world: up.next(into: &buffer, at: now)
        }
    }

    /// What it did to packets.
    var counts: (down: ConditionCounts, up: ConditionCounts) { (down.counts, up.counts) }
}
