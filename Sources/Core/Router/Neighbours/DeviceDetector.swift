// SPDX-License-Identifier: Apache-2.0
import Topology
package import Wire

/// Detects devices on an Ethernet link that have no router yet, and makes the frames that are sent to them.
///
/// Its input is a whole frame with arbitrary contents.
package struct DeviceDetector: Sendable {
    /// A frame's sender, and its meaning for the router.
    package enum Sighting: Hashable, Sendable {
        /// The frame is not of interest.
        case nothing
        /// A device is there.
        case device(EthernetAddress)
        /// A device that can do without IPv4 asks for it; `answer` is the frame that asks the device to do without.
        case askedForIPv4(EthernetAddress, answer: [UInt8])
        /// Another device advertises itself as a router.
        case otherRouter(EthernetAddress, IPv6Address)
        /// Another device claims the router's address.
        case routersAddress(EthernetAddress)
    }

    private let own: EthernetAddress
    private let ipv6OnlyTime: UInt32?

    /// - Parameters:
    ///   - own: the router's address.
    ///   - ipv6OnlyTime: see `LANPlan`.
    package init(own: EthernetAddress, ipv6OnlyTime: UInt32?) {
        self.own = own
        self.ipv6OnlyTime = ipv6OnlyTime
    }

    private enum Offset {
        static let source = 6
        static let type = 12
        static let packet = 14
        static let icmp = packet + IPv6Header.length
    }

    package func read(_ frame: Span<UInt8>) -> Sighting {
        guard frame.count > Offset.packet else { return .nothing }
        let sender = EthernetAddress((Offset.source..<Offset.type).map { frame[$0] })
        if sender.isGroup || sender == own || sender.bits == 0 { return .nothing }
        switch frame.uint16(at: Offset.type) {
        case EtherType.ipv6: return readIPv6(frame, from: sender)
        case EtherType.ipv4:
            guard let time = ipv6OnlyTime else { return .nothing }
            return IPv6OnlyOffer(asked: frame, by: sender, from: own, time: time)
                .map { .askedForIPv4(sender, answer: $0.frame) } ?? .nothing
        default: return .nothing
        }
    }

    private func readIPv6(_ frame: Span<UInt8>, from sender: EthernetAddress) -> Sighting {
        guard frame.count >= Offset.icmp, frame[Offset.packet] >> 4 == 6 else { return .nothing }
        let isNeighbours = frame[Offset.packet + IPv6Header.hopLimit] == NeighbourMessage.hopLimit
        if frame[Offset.packet + IPv6Header.nextHeader] == IPProtocol.icmpv6.rawValue, isNeighbours,
            frame.count > Offset.icmp
        {
            switch frame[Offset.icmp] {
            case ICMPv6Type.routerAdvertisement:
                return .otherRouter(sender, frame.ipv6Address(at: Offset.packet + IPv6Header.source))
            case ICMPv6Type.neighbourAdvertisement:
                let target = Offset.icmp + NeighbourMessage.Offset.target
                if frame.count >= target + 16, frame.ipv6Address(at: target) == NetworkPlan.linkLocalRouter {
                    return .routersAddress(sender)
                }
            default: break
            }
        }
        return .device(sender)
    }

    /// A query that every device with IPv6 answers: which groups it listens to (RFC 3810 §5.1). So devices that were there before are
    /// detected, too.
    package var query: [UInt8] {
        let (source, destination) = (NetworkPlan.linkLocalRouter, NeighbourMessage.allHosts)
        // Maximum Response Code: one second; no group, no sources; QRV 2, QQIC 125 s
        var message: [UInt8] = [130, 0, 0, 0] + NeighbourMessage.octets(1000 as UInt16)
        message += [UInt8](repeating: 0, count: 18)
        message += [2, 125, 0, 0]
        var sum = InternetChecksum(pseudoHeaderFrom: source, to: destination, of: .icmpv6, length: message.count)
        sum.add(message.span, in: 0..<message.count)
        message.replaceSubrange(
            ICMPHeader.checksum..<ICMPHeader.checksum + 2, with: NeighbourMessage.octets(sum.checksum))
        // Router Alert in a Hop-by-Hop Options header (RFC 2711 §2.1), a hop limit of 1
        let options: [UInt8] = [IPProtocol.icmpv6.rawValue, 0, 5, 2, 0, 0, 1, 0]
        var frame = EthernetFrame.header(to: EthernetAddress(bits: 0x3333_0000_0001), from: own, EtherType.ipv6)
        frame += [0x60, 0, 0, 0] + NeighbourMessage.octets(UInt16(options.count + message.count)) + [0, 1]
        frame += NeighbourMessage.octets(source.bits)
        frame += NeighbourMessage.octets(destination.bits)
        return frame + options + message
    }
}

enum EtherType {
    static let ipv4: UInt16 = 0x0800
    static let ipv6: UInt16 = 0x86dd
}

enum EthernetFrame {
    static func header(to destination: EthernetAddress, from source: EthernetAddress, _ type: UInt16) -> [UInt8] {
        destination.octets + source.octets + NeighbourMessage.octets(type)
    }
}
