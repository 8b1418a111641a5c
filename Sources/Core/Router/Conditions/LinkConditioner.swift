// SPDX-License-Identifier: Apache-2.0
import Evidence
import NAT64
import Topology
import Translation
import Wire

/// The world's link where it has conditions: both directions, and what holds back the packets that are on their way.
final class LinkConditioner {
    private var link: ConditionedLink
    private let ipv6Router: IPv6Address
    private let ipv4Router: IPv4Address
    /// For packets whose time has come. Two, as one that is on its way down may be answered by one up.
    private var downBuffer: PacketBuffer
    private var upBuffer: PacketBuffer

    /// `nil` where everything is as on a cable.
    init?(_ configuration: RouterConfiguration, now: Instant) {
        if configuration.conditions.areNone { return nil }
        // Not before: most runs have none, and would make and free them all the same.
        downBuffer = PacketBuffer()
        upBuffer = PacketBuffer()
        ipv6Router = configuration.errors.ipv6Source
        ipv4Router = configuration.errors.ipv4Source
        link = ConditionedLink(
            configuration.conditions, seeds: (configuration.seed, ~configuration.seed),
            rooms: (LateRoom(configuration.latePackets), LateRoom(configuration.latePackets)), start: now)
    }

    /// The client has a network with other conditions, or with none.
    func change(to conditions: Conditions) { link.change(to: conditions) }

    var nextDeadline: Instant { link.nextDeadline }

    /// What it did to packets.
    var counts: (down: ConditionCounts, up: ConditionCounts) { link.counts }

    /// A packet to the client.
    func takeDown(_ packet: borrowing PacketBuffer, at now: Instant) -> DropReason? {
        let delay = link.conditions.dnsDelay
        return link.take(packet, to: .client, at: now, extra: delay > .zero && Self.isDNSReply(packet) ? delay : nil)
    }

    /// A packet to the world.
    func takeUp(_ packet: borrowing PacketBuffer, at now: Instant) -> DropReason? {
        link.take(packet, to: .world, at: now, isCut: !link.conditions.hasUplink && !isForRouter(packet))
    }

    /// Hands over what is due to the client.
    func sendDown(at now: Instant, _ send: (inout PacketBuffer) -> Void) {
        while link.next(to: .client, into: &downBuffer, at: now) { send(&downBuffer) }
    }

    /// Hands over what is due to the world.
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
