import Evidence
import NAT64
import Topology
import Translation
import Wire

/// The world's link where it has conditions: both directions, and what holds back the packets that are on their way.
final class LinkConditioner {
    private var conditions: Conditions
    private let start: Instant
    private let ipv6Router: IPv6Address
    private let ipv4Router: IPv4Address
    private(set) var down: ConditionedDirection
    private(set) var up: ConditionedDirection
    /// For packets whose time has come. Two, as one that is on its way down may be answered by one up.
    private var downBuffer = PacketBuffer()
    private var upBuffer = PacketBuffer()

    /// `nil` where everything is as on a cable.
    init?(_ configuration: RouterConfiguration, now: Instant) {
        if configuration.conditions.areNone { return nil }
        conditions = configuration.conditions
        start = now
        ipv6Router = configuration.errors.ipv6Source
        ipv4Router = configuration.errors.ipv4Source
        down = ConditionedDirection(conditions.down, seed: configuration.seed, limit: configuration.latePackets)
        up = ConditionedDirection(conditions.up, seed: ~configuration.seed, limit: configuration.latePackets)
    }

    /// The client has a network with other conditions, or with none.
    func change(to conditions: Conditions) {
        self.conditions = conditions
        down.change(to: conditions.down)
        up.change(to: conditions.up)
    }

    var nextDeadline: Instant { min(down.nextDeadline, up.nextDeadline) }

    /// A packet to the client.
    func takeDown(_ packet: borrowing PacketBuffer, at now: Instant) -> DropReason? {
        let extra = conditions.dnsDelay > .zero && Self.isDNSReply(packet) ? conditions.dnsDelay : nil
        return down.take(packet, at: now, isCut: isOut(at: now), extra: extra)
    }

    /// A packet to the world.
    func takeUp(_ packet: borrowing PacketBuffer, at now: Instant) -> DropReason? {
        up.take(packet, at: now, isCut: isOut(at: now) || !conditions.hasUplink && !isForRouter(packet))
    }

    /// Hands over what is due to the client.
    func sendDown(at now: Instant, _ send: (inout PacketBuffer) -> Void) {
        while down.next(into: &downBuffer, at: now) { send(&downBuffer) }
    }

    /// Hands over what is due to the world.
    func sendUp(at now: Instant, _ send: (inout PacketBuffer) -> Void) {
        while up.next(into: &upBuffer, at: now) { send(&upBuffer) }
    }

    private func isOut(at now: Instant) -> Bool { conditions.isOut(at: now - start) }

    private static func isDNSReply(_ packet: borrowing PacketBuffer) -> Bool {
        let transport =
            switch packet.family {
            case .ipv6: (try? IPv6Layout(packet.bytes))?.transport
            case .ipv4: (try? IPv4Layout(packet.bytes))?.transport
            case nil: TransportLayout?.none
            }
        guard let transport else { return false }
        return transport.kind == .udp && transport.sourcePort == 53
    }

    private func isForRouter(_ packet: borrowing PacketBuffer) -> Bool {
        switch packet.family {
        case .ipv6: (try? IPv6Layout(packet.bytes))?.destination == ipv6Router
        case .ipv4: (try? IPv4Layout(packet.bytes))?.destination == ipv4Router
        case nil: false
        }
    }
}
