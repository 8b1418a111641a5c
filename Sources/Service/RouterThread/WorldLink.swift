// SPDX-License-Identifier: Apache-2.0
package import LinuxNet
package import Router
package import Uplink
import Wire

/// One place's link to the world, and who lives behind it.
///
/// One link serves a client after the other; only one packet path uses it at a time.
package final class WorldLink: Sendable {
    let device: LinkDevice
    /// Its number in the world's namespace.
    package let interface: Int
    /// The world's hosts; the path learns from the board what is let through beside them.
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

    /// Throws away what came after the last client of this place had gone: it is not the next one's.
    package func forget() {
        var buffer = PacketBuffer()
        // What the queue of a link holds; a flood must not keep us here.
        for _ in 0..<2048 {
            switch device.read(into: &buffer) {
            case .packet, .malformed: continue
            case .wouldBlock, .deleted, .error: return
            }
        }
    }
}
