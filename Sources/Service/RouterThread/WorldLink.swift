// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
package import Router
package import Uplink
import Wire

/// One place's link to the world, and the hosts behind it.
///
/// One link serves one client after another; only one packet path uses it at a time.
package final class WorldLink: Sendable {
    let device: LinkDevice
    /// Its interface index in the world's namespace.
    package let interface: Int
    /// The world's hosts; the path learns from the board which destinations are allowed beside them.
    package let reach: Reach
    /// `nil` in a hermetic world.
    let destinations: DestinationBoard?

    package init(
        _ device: consuming LinkDevice, interface: Int, reach: Reach, destinations: DestinationBoard?
    ) {
        self.device = device
        self.interface = interface
        self.reach = reach
        self.destinations = destinations
    }

    /// Discards packets that arrived after the last client of this place had left: the next client must not get them.
    package func forget() {
        var buffer = PacketBuffer()
        // The capacity of a link's queue; a flood must not keep this loop running.
        for _ in 0..<2048 {
            switch device.read(into: &buffer) {
            case .packet, .malformed: continue
            case .wouldBlock, .deleted, .error: return
            }
        }
    }
}
