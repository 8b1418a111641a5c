// SPDX-License-Identifier: Apache-2.0
import Wire

/// The conditions of a network that is further away than a cable: the delay, loss and rate of its path to the world.
package struct Conditions: Hashable, Sendable {
    /// One direction of the world's link.
    package struct Direction: Hashable, Sendable {
        /// Delay of each packet; 0 to a minute.
        package var delay = Duration.zero
        /// Maximum deviation from the delay, up and down; no more than the delay.
        package var jitter = Duration.zero
        /// Packets lost, per million.
        package var loss = 0
        /// Packets that skip the delay, and so overtake others, per million.
        package var reorder = 0
        /// Packets that are duplicated, per million.
        package var duplicate = 0
        /// Packets in which one bit is flipped, per million.
        package var corrupt = 0
        /// Bits of IP packets per second; `nil` is unlimited.
        package var rate: Int?

        package init() {}
    }

    /// To the client.
    package var down = Direction()
    /// From the client.
    package var up = Direction()
    /// Additional delay of the replies of DNS servers over UDP.
    package var dnsDelay = Duration.zero
    /// When nothing passes, relative to the client's connection.
    package var outage: Range<Duration>?
    /// How long the link is up, and then down, in turns; `nil` if it stays up.
    package var flap: Duration?
    /// Whether the router has a link to the world.
    package var hasUplink = true

    package init() {}

    /// Whether nothing passes at this time after the client's connection.
    package func isOut(at time: Duration) -> Bool {
        if outage?.contains(time) == true { return true }
        guard let flap else { return false }
        return time.wholeNanoseconds / flap.wholeNanoseconds % 2 == 1
    }

    /// Whether the network behaves like a cable.
    package var areNone: Bool { self == Conditions() }

    /// The contradiction among the conditions, `nil` if there is none.
    var objection: String? {
        for direction in [down, up] {
            if direction.jitter > direction.delay {
                return "the jitter is larger than the delay: give a delay of at least as much"
            }
            if direction.reorder > 0, direction.delay == .zero {
                return "reorder needs a delay: what is reordered overtakes packets that are late"
            }
        }
        return nil
    }
}
