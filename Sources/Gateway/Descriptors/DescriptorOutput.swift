import LinuxNet
import NAT64
import Translation
import Wire

/// The two sockets between which packets are translated.
final class DescriptorOutput: PacketOutput {
    let ipv6: PacketSocket
    let ipv4: PacketSocket
    /// Packets that went nowhere: the translator's, and those that a socket did not take.
    private(set) var drops = DropLog()
    /// Sides whose other ends turned out to be gone when a packet was sent there.
    private(set) var goneSides: Set<Side> = []

    init(ipv6: consuming PacketSocket, ipv4: consuming PacketSocket) {
        self.ipv6 = ipv6
        self.ipv4 = ipv4
    }

    func emit(_ packet: inout PacketBuffer, to side: Side) {
        let result = side == .ipv6 ? ipv6.write(&packet) : ipv4.write(&packet)
        switch result {
        case .written: break
        case .wouldBlock: drops.record(.queueFull, packet)
        case .closed:
            goneSides.insert(side)
            drops.record(.addressUnreachable, packet)
        // The socket takes no packet as large as this one.
        case .error: drops.record(.addressUnreachable, packet)
        }
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        drops.record(reason, packet)
    }
}
