import LinuxNet
import NAT64
import Translation
import Wire

/// Sends what the gateway lets go.
///
/// A Unix socket has room for a dozen packets only. Where there is none, the output waits, and nothing is read meanwhile: that
/// is the back-pressure. A side that takes nothing in time is not waited for again until it takes a packet.
final class DescriptorOutput: PacketOutput {
    /// How long one packet may hold up all others.
    private static let writeTimeout = Duration.milliseconds(100)

    private let ends: any PacketEnds
    /// Packets that went nowhere: the translator's, and those that nobody took.
    private(set) var drops = DropLog()
    /// Of those, the ones that the gateway had let go.
    private(set) var lost = LinkCounters.BySide()
    /// Sides whose other ends turned out to be gone when a packet was sent there.
    private(set) var goneSides: Set<Side> = []
    /// Sides that have taken no packet since one was waited for in vain.
    private var stalledSides: Set<Side> = []

    init(_ ends: any PacketEnds) {
        self.ends = ends
    }

    func emit(_ packet: inout PacketBuffer, to side: Side) {
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
        case .wouldBlock: lose(packet, side, .queueFull)
        case .closed:
            goneSides.insert(side)
            lose(packet, side, .addressUnreachable)
        case .failed: lose(packet, side, .addressUnreachable)
        }
    }

    private func lose(_ packet: borrowing PacketBuffer, _ side: Side, _ reason: DropReason) {
        lost[side] += 1
        drops.record(reason, packet)
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        drops.record(reason, packet)
    }
}
