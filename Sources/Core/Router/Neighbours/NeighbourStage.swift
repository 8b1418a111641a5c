// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// The router as a neighbour on an Ethernet link: it answers hosts that look for one of its addresses (RFC 4861 §7.2.4), or want one of
/// them for themselves (RFC 4862 §5.4.3).
///
/// It sends no solicitations: the device on the link is known by its Ethernet address, and gets all packets for the prefix that it alone
/// has (RFC 8273).
struct NeighbourStage: Sendable {
    private let addresses: [IPv6Address]
    private let ethernet: EthernetAddress

    /// R, S, O (RFC 4861 §4.4).
    private enum Flag {
        static let router: UInt8 = 0x80
        static let solicited: UInt8 = 0x40
        static let override: UInt8 = 0x20
    }

    /// - Parameters:
    ///   - addresses: the router's addresses on the link.
    ///   - ethernet: the Ethernet address of all of them.
    init(_ addresses: [IPv6Address], at ethernet: EthernetAddress) {
        self.addresses = addresses
        self.ethernet = ethernet
    }

    /// Whether the packet was a solicitation for one of the router's addresses, and has become the answer.
    func answer(_ packet: inout PacketBuffer, _ layout: IPv6Layout) -> Bool {
        guard layout.transport.kind == .icmpOther,
            NeighbourMessage.isValid(
                &packet, layout, type: ICMPv6Type.neighbourSolicitation, options: NeighbourMessage.Offset.targetOptions)
        else { return false }
        let target = packet.bytes.ipv6Address(at: layout.transport.offset + NeighbourMessage.Offset.target)
        let group = NeighbourMessage.solicitedNode(of: target)
        let isProbe = layout.source == .unspecified
        guard addresses.contains(target), layout.destination == group || layout.destination == target && !isProbe else {
            return false
        }
        let flags = Flag.router | Flag.override | (isProbe ? 0 : Flag.solicited)
        let message =
            [ICMPv6Type.neighbourAdvertisement, 0, 0, 0, flags, 0, 0, 0] + NeighbourMessage.octets(target.bits)
            + NeighbourMessage.Option.octets(NeighbourMessage.Option.targetLinkLayerAddress, ethernet.octets)
        NeighbourMessage.write(
            message, from: target, to: isProbe ? NeighbourMessage.allHosts : layout.source, into: &packet)
        return true
    }
}

extension NeighbourStage {
    /// `nil` if the client's link has no neighbours.
    init?(_ configuration: RouterConfiguration) {
        guard let link = configuration.advertisedLink, let ethernet = link.ethernet else { return nil }
        self.init([link.router, configuration.errors.ipv6Source], at: ethernet)
    }
}
