import Topology
import Evidence
import LinuxNet
import NAT64
import Translation
import Wire

/// Where packets leave: the two TUNs, with everything that is noted on the way.
///
/// Owned by the packet path's thread; read after that has ended.
final class PathOutput: PacketOutput {
    let client: TUNDevice
    let world: WorldLink
    var translator: AddressTranslator
    private let faults: LinkFaults
    private let tap: (any PacketTap)?
    private(set) var flows = FlowLog()
    private(set) var drops = DropLog()
    private(set) var traffic = LinkTraffic()
    /// The links that are no more, and since when.
    private(set) var deleted: [DeletedLink.Side: Instant] = [:]

    init(
        client: consuming TUNDevice, world: WorldLink, translator: AddressTranslator, faults: LinkFaults,
        tap: (any PacketTap)?
    ) {
        self.client = client
        self.world = world
        self.translator = translator
        self.faults = faults
        self.tap = tap
    }

    // MARK: What the NAT64 asks for

    func emit(_ packet: inout PacketBuffer, to side: Side) {
        switch side {
        case .ipv6: sendToClient(&packet)
        case .ipv4:
            tap?.record(packet)
            sendToWorld(&packet)
        }
    }

    func dropped(_ packet: borrowing PacketBuffer, from side: Side, because reason: DropReason) {
        refuse(packet, reason)
    }

    // MARK: What the path asks for

    func arrivedFromClient(_ packet: borrowing PacketBuffer) {
        tap?.record(packet)
        traffic.fromClient.count(packet)
        note(packet, isFromClient: true)
    }

    /// Whether a packet that has arrived was lost on the way.
    func isLost(_ packet: borrowing PacketBuffer) -> Bool {
        guard faults.swallow(packet, isIPv6: packet.bytes[0] >> 4 == 6) else { return false }
        refuse(packet, .faultBlackHole)
        return true
    }

    /// A packet that is only forwarded is captured once, on the client's side.
    func arrivedFromWorld(_ packet: borrowing PacketBuffer) {
        if translator.isActive, packet.bytes[0] >> 4 == 4 { tap?.record(packet) }
    }

    func sendToClient(_ packet: inout PacketBuffer) {
        tap?.record(packet)
        if isLost(packet) { return }
        traffic.toClient.count(packet)
        note(packet, isFromClient: false)
        finish(client.write(&packet), packet)
    }

    func sendToWorld(_ packet: inout PacketBuffer) {
        if isLost(packet) { return }
        finish(world.tun.write(&packet), packet)
    }

    /// A TUN has turned out to be deleted; true where that is new.
    func noteDeleted(_ side: DeletedLink.Side, at now: Instant) -> Bool {
        if deleted[side] != nil { return false }
        deleted[side] = now
        return true
    }

    func refuse(_ packet: borrowing PacketBuffer, _ reason: DropReason) {
        drops.record(reason, packet)
    }

    private func finish(_ result: TUNDevice.WriteResult, _ packet: borrowing PacketBuffer) {
        switch result {
        // The loop, which reads from it as well, notes that it is gone.
        case .written, .error(.EBADFD): break
        case .wouldBlock: refuse(packet, .queueFull)
        case .error: refuse(packet, .unsupportedOffload)
        }
    }

    private func note(_ packet: borrowing PacketBuffer, isFromClient: Bool) {
        let bytes = packet.bytes
        if bytes.isEmpty { return }
        if bytes[0] >> 4 == 6 {
            guard let layout = try? IPv6Layout(bytes) else { return }
            // What it asked the resolver stands in the DNS service's log, with the answers.
            if layout.transport.isDNS, layout.source == NetworkPlan.router || layout.destination == NetworkPlan.router {
                return
            }
            flows.record(bytes, layout, isFromClient: isFromClient) { translator.ipv4Address(behind: $0) }
        } else {
            guard let layout = try? IPv4Layout(bytes) else { return }
            let router = NetworkPlan.ipv4Router
            if layout.transport.isDNS, layout.source == router || layout.destination == router { return }
            flows.record(bytes, layout, isFromClient: isFromClient)
        }
    }
}

extension TransportLayout {
    fileprivate var isDNS: Bool { (kind == .udp || kind == .tcp) && (sourcePort == 53 || destinationPort == 53) }
}
