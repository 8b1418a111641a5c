// SPDX-License-Identifier: Apache-2.0
import Wire

/// The answer to a device that asks for IPv4 by DHCP and signals that it can do without: it is to do without (RFC 8925 §3.3). The offer has
/// no address (`yiaddr` is 0.0.0.0), and other devices get no answer.
struct IPv6OnlyOffer {
    /// The whole frame.
    let frame: [UInt8]

    /// Offsets in a DHCP message (RFC 2131 §2).
    private enum Offset {
        static let transaction = 4
        static let flags = 10
        static let relay = 24
        static let hardware = 28
        static let cookie = 236
        static let options = 240
    }

    private enum Option {
        static let end: UInt8 = 255
        static let messageType: UInt8 = 53
        static let leaseTime: UInt8 = 51
        static let server: UInt8 = 54
        static let wanted: UInt8 = 55
        static let ipv6OnlyPreferred: UInt8 = 108
        static let autoConfigure: UInt8 = 116
    }

    private enum Port {
        static let server: UInt16 = 67
        static let client: UInt16 = 68
    }

    private static let discover: UInt8 = 1
    private static let offer: UInt8 = 2
    private static let cookie: [UInt8] = [0x63, 0x82, 0x53, 0x63]
    /// The "IPv4 dummy address", which no host has (RFC 7600 §4.8).
    private static let server: [UInt8] = [192, 0, 0, 8]
    /// Lengths of the Ethernet header and of UDP's, in octets.
    private static let ethernet = 14
    private static let udp = 8

    /// `nil` if the frame is not such a request.
    init?(asked frame: Span<UInt8>, by device: EthernetAddress, from own: EthernetAddress, time: UInt32) {
        guard frame.count >= Self.ethernet + IPv4Header.length, frame[Self.ethernet] >> 4 == 4 else { return nil }
        let start = Self.ethernet + Int(frame[Self.ethernet] & 0xf) * 4
        let message = start + Self.udp
        guard start >= Self.ethernet + IPv4Header.length, frame.count >= message + Offset.options,
            frame[Self.ethernet + IPv4Header.protocolNumber] == IPProtocol.udp.rawValue,
            frame.uint16(at: start + 2) == Port.server
        else { return nil }
        // BOOTREQUEST on Ethernet; a relayed message comes from another link.
        guard frame[message] == 1, frame[message + 1] == 1, frame[message + 2] == 6,
            (0..<4).allSatisfy({ frame[message + Offset.relay + $0] == 0 }),
            (0..<4).allSatisfy({ frame[message + Offset.cookie + $0] == Self.cookie[$0] })
        else { return nil }
        let asked = Self.options(frame, from: message + Offset.options)
        guard asked.isDiscover, asked.canDoWithout else { return nil }
        func copy(_ offset: Int, _ count: Int) -> [UInt8] { (0..<count).map { frame[message + offset + $0] } }
        var reply: [UInt8] = [2, 1, 6, 0]
        reply += copy(Offset.transaction, 4) + [0, 0]
        reply += copy(Offset.flags, 2)
        reply += [UInt8](repeating: 0, count: Offset.hardware - reply.count)
        reply += copy(Offset.hardware, 16)
        reply += [UInt8](repeating: 0, count: Offset.cookie - reply.count)
        reply += Self.cookie
        reply += [Option.messageType, 1, Self.offer, Option.server, 4] + Self.server
        reply += [Option.leaseTime, 4] + NeighbourMessage.octets(time)
        reply += [Option.ipv6OnlyPreferred, 4] + NeighbourMessage.octets(time)
        // DoNotAutoConfigure, for devices that ask (RFC 2563 §2.3)
        if asked.autoConfigures { reply += [Option.autoConfigure, 1, 0] }
        reply.append(Option.end)
        self.frame = EthernetFrame.header(to: device, from: own, EtherType.ipv4) + Self.datagram(of: reply)
    }

    private static func options(
        _ frame: Span<UInt8>, from start: Int
    ) -> (isDiscover: Bool, canDoWithout: Bool, autoConfigures: Bool) {
        var found = (isDiscover: false, canDoWithout: false, autoConfigures: false)
        var offset = start
        while offset < frame.count, frame[offset] != Option.end {
            // Pad
            if frame[offset] == 0 {
                offset += 1
                continue
            }
            guard offset + 1 < frame.count else { break }
            let (contents, end) = (offset + 2, offset + 2 + Int(frame[offset + 1]))
            guard end <= frame.count else { break }
            switch frame[offset] {
            case Option.messageType where contents < end: found.isDiscover = frame[contents] == discover
            case Option.wanted:
                for index in contents..<end where frame[index] == Option.ipv6OnlyPreferred { found.canDoWithout = true }
            case Option.autoConfigure: found.autoConfigures = true
            default: break
            }
            offset = end
        }
        return found
    }

    private static func datagram(of message: [UInt8]) -> [UInt8] {
        let length = udp + message.count
        var header: [UInt8] = [0x45, 0]
        header += NeighbourMessage.octets(UInt16(IPv4Header.length + length))
        header += [0, 0, 0, 0, 64, IPProtocol.udp.rawValue, 0, 0]
        header += server + [255, 255, 255, 255]
        var sum = InternetChecksum()
        sum.add(header.span, in: 0..<header.count)
        header.replaceSubrange(IPv4Header.checksum..<IPv4Header.source, with: NeighbourMessage.octets(sum.checksum))
        // Without a checksum, which UDP on IPv4 permits (RFC 768).
        header += NeighbourMessage.octets(Port.server) + NeighbourMessage.octets(Port.client)
        header += NeighbourMessage.octets(UInt16(length)) + [0, 0]
        return header + message
    }
}
