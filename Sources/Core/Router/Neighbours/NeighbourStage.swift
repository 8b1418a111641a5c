// SPDX-License-Identifier: Apache-2.0
import NAT64
import Translation
import Wire

/// The router as a neighbour on a link of Ethernet: it answers who looks for one of its addresses (RFC 4861 §7.2.4), or wants one of them for
/// itself (RFC 4862 §5.4.3).
///
/// It looks for nobody: the device on the link is known by its Ethernet address, and whatever is of the prefix that is its alone goes there
/// (RFC 8273).
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
    ///   - addresses: the router's on the link.
    ///   - ethernet: that all of them have.
    init(_ addresses: [IPv6Address], at ethernet: EthernetAddress) {
        self.addresses = addresses
        self.ethernet = ethernet
    }

    /// Whether the packet was a solicitation of one of the router's addresses, and has become the answer.
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
    /// `nil` where the client's link has no neighbours.
    init?(_ configuration: RouterConfiguration) {
        guard let link = configuration.advertisedLink, let ethernet = link.ethernet else { return nil }
        self.init([link.router, configuration.errors.ipv6Source], at: ethernet)
    }
}
