// SPDX-License-Identifier: Apache-2.0
import LinuxNet
import NAT64
import Router
import Translation
import Wire

/// Sends the router's output.
///
/// A Unix socket has room for a dozen packets only. If it is full, the output waits, and nothing is read meanwhile: that
/// is the back-pressure. A side that takes nothing in time is not waited for again until it takes a packet.
final class DescriptorOutput: RouterOutput {
    /// Limit of the time for which one packet may hold up all others.
    private static let writeTimeout = Duration.milliseconds(100)

    private let ends: any PacketEnds
    /// Sides whose other ends were found to be gone when a packet was sent.
    private(set) var goneSides: Set<Side> = []
    /// Sides that have taken no packet since the last wait timed out.
    private var stalledSides: Set<Side> = []

    init(_ ends: any PacketEnds) {
        self.ends = ends
    }

    func send(_ packet: inout PacketBuffer, to link: Link) -> DropReason? {
        let side = link.side
        var result = ends.write(&packet, to: side)
        if result == .wouldBlock, !stalledSides.contains(side) {
            if ends.waitUntilWritable(side, until: MonotonicClock.now() + Self.writeTimeout) {
                result = ends.write(&packet, to: side)
            } else {
                stalledSides.insert(side)
            }
        }
        switch result {
        case .written:
            if !stalledSides.isEmpty { stalledSides.remove(side) }
            return nil
        case .wouldBlock: return .queueFull
        case .closed:
            goneSides.insert(side)
            return .addressUnreachable
        case .failed: return .addressUnreachable
        }
    }

    /// Empty, as the router counts dropped packets.
    func dropped(_ packet: borrowing PacketBuffer, from link: Link, because reason: DropReason) {}
}
