// SPDX-License-Identifier: Apache-2.0
import Wire

/// What a network is like that is further away than a cable: how late, how lossy and how slow its way to the world is.
package struct Conditions: Hashable, Sendable {
    /// One direction of the world's link.
    package struct Direction: Hashable, Sendable {
        /// How late each packet is; 0 to a minute.
        package var delay = Duration.zero
        /// By how much the delay differs at most, up and down; no more than the delay.
        package var jitter = Duration.zero
        /// Of a million packets, so many are lost.
        package var loss = 0
        /// So many overtake those that are late.
        package var reorder = 0
        /// So many come twice.
        package var duplicate = 0
        /// Of so many a bit is another.
        package var corrupt = 0
        /// Bits of IP packets a second; `nil` is as many as come.
        package var rate: Int?

        package init() {}
    }

    /// To the client.
    package var down = Direction()
    /// From the client.
    package var up = Direction()
    /// How late replies of DNS servers over UDP are, beside all else.
    package var dnsDelay = Duration.zero
    /// When nothing passes, from the client's connection on.
    package var outage: Range<Duration>?
    /// How long the link is there, and then is not, in turns; `nil` where it stays.
    package var flap: Duration?
    /// Whether anything leads beyond the router.
    package var hasUplink = true

    package init() {}

    /// Whether nothing passes at this time after the client's connection.
    package func isOut(at time: Duration) -> Bool {
        if outage?.contains(time) == true { return true }
        guard let flap else { return false }
        return time.wholeNanoseconds / flap.wholeNanoseconds % 2 == 1
    }

    /// Whether everything is as on a cable.
    package var areNone: Bool { self == Conditions() }

    /// What is contradictory about them, `nil` for nothing.
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
