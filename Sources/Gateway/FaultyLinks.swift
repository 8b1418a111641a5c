import NAT64
import Translation
import Wire

/// The links behind a translator: what it emits passes them, unless they are faulty.
final class FaultyLinks: PacketOutput {
    let faults: LinkFaults
    private let output: any PacketOutput
    private(set) var drops = DropCounters()

    init(_ faults: LinkFaults, output: any PacketOutput) {
        self.faults = faults
        self.output = output
    }

    func emit(_ packet: inout PacketBuffer, to side: Side) {
        if faults.swallow(packet, on: side) {
            // It came from the other side, as far as there is only one way through.
            refuse(packet, from: side == .ipv6 ? .ipv4 : .ipv6, because: .faultBlackHole)
        } else {
            output.emit(&packet, to: side)
        }
    }

    /// The translator counts its own.
    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        output.dropped(packet, from: side, because: reason)
    }

    /// A packet that goes nowhere though the translator has let it go, or before it came there.
    func refuse(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        drops.count(reason)
        output.dropped(packet, from: side, because: reason)
    }
}
