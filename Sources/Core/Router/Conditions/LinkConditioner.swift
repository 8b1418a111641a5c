// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Topology
import Translation
import Wire

/// The world's link if it has conditions: both directions, and the packets that are held back.
final class LinkConditioner {
    private var link: ConditionedLink
    private let ipv6Router: IPv6Address
    private let ipv4Router: IPv4Address
    /// Buffers for packets that are due. One for each direction, as a packet to the client may be answered at once by one to the world.
    private var downBuffer: PacketBuffer
    private var upBuffer: PacketBuffer

    /// `nil` if there are no conditions.
    init?(_ configuration: RouterConfiguration, now: Instant) {
        if configuration.conditions.areNone { return nil }
        // Allocated only now: most runs have no conditions and need no buffers.
        downBuffer = PacketBuffer()
        upBuffer = PacketBuffer()
        ipv6Router = configuration.errors.ipv6Source
        ipv4Router = configuration.errors.ipv4Source
        link = ConditionedLink(
            configuration.conditions, seeds: (configuration.seed, ~configuration.seed),
            rooms: (LateRoom(configuration.latePackets), LateRoom(configuration.latePackets)), start: now)
    }

    /// Changes the conditions to those of the client's next network, which may have none.
    func change(to conditions: Conditions) { link.change(to: conditions) }

    var nextDeadline: Instant { link.nextDeadline }

    /// The effects of the conditions on packets.
    var counts: (down: ConditionCounts, up: ConditionCounts) { link.counts }

    /// Takes a packet to the client.
    func takeDown(_ packet: borrowing PacketBuffer, at now: Instant) -> DropReason? {
        let delay = link.conditions.dnsDelay
        return link.take(packet, to: .client, at: now, extra: delay > .zero && Self.isDNSReply(packet) ? delay : nil)
    }

    /// Takes a packet to the world.
    func takeUp(_ packet: borrowing PacketBuffer, at now: Instant) -> DropReason? {
        link.take(packet, to: .world, at: now, isCut: !link.conditions.hasUplink && !isForRouter(packet))
    }

    /// Passes on the packets to the client that are due.
    func sendDown(at now: Instant, _ send: (inout PacketBuffer) -> Void) {
        while link.next(to: .client, into: &downBuffer, at: now) { send(&downBuffer) }
    }

    /// Passes on the packets to the world that are due.
    func sendUp(at now: Instant, _ send: (inout PacketBuffer) -> Void) {
        while link.next(to: .world, into: &upBuffer, at: now) { send(&upBuffer) }
    }

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
