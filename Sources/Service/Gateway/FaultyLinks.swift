import Topology
import NAT64
import Translation
import Wire

/// The links behind a translator: what it emits passes them, unless they are faulty.
final class FaultyLinks: PacketOutput {
    var faults: LinkFaults
    private let output: any PacketOutput
    /// What the links add to the translator's counters: packets that it was not offered, or that it emitted in vain.
    private(set) var counters = LinkCounters()

    init(_ faults: LinkFaults, output: any PacketOutput) {
        self.faults = faults
        self.output = output
    }

    func emit(_ packet: inout PacketBuffer, to side: Side) {
        if faults.swallow(packet, isIPv6: side == .ipv6) {
            counters.swallowed[side] += 1
            // It came from the other side, as far as there is only one way through.
            drop(packet, from: side == .ipv6 ? .ipv4 : .ipv6, because: .faultBlackHole)
        } else {
            output.emit(&packet, to: side)
        }
    }

    /// A packet of the gateway's own, which the translator knows nothing of, leaves for where its cause came from.
    func answer(_ packet: inout PacketBuffer, to side: Side) {
        counters.received[side] += 1
        counters.answered[side] += 1
        emit(&packet, to: side)
    }

    /// The translator counts its own.
    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        output.dropped(packet, from: side, because: reason)
    }

    /// A packet that goes nowhere before it comes to the translator.
    func refuse(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        counters.received[side] += 1
        drop(packet, from: side, because: reason)
    }

    private func drop(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        counters.drops.count(reason)
        output.dropped(packet, from: side, because: reason)
    }
}

/// Packets that passed a gateway, but not its translator, or that did not leave though the translator let them go.
struct LinkCounters: Sendable {
    var received = BySide()
    var answered = BySide()
    var swallowed = BySide()
    var drops = DropCounters()

    /// One count for each side.
    struct BySide: Sendable {
        private var ipv6: UInt64 = 0
        private var ipv4: UInt64 = 0

        subscript(_ side: Side) -> UInt64 {
            get { side == .ipv6 ? ipv6 : ipv4 }
            set { if side == .ipv6 { ipv6 = newValue } else { ipv4 = newValue } }
        }
    }
}

extension Counters {
    mutating func add(_ links: LinkCounters) {
        receivedFromIPv6 &+= links.received[.ipv6]
        receivedFromIPv4 &+= links.received[.ipv4]
        emittedToIPv6 &+= links.answered[.ipv6]
        emittedToIPv4 &+= links.answered[.ipv4]
        drops.add(links.drops)
        discount(links.swallowed)
    }

    /// Takes off what was emitted and has not left.
    mutating func discount(_ lost: LinkCounters.BySide) {
        emittedToIPv6 &-= lost[.ipv6]
        emittedToIPv4 &-= lost[.ipv4]
    }
}
