// SPDX-License-Identifier: Apache-2.0
import Wire

/// Messages of neighbour discovery (RFC 4861 §4): ICMPv6 header, four octets that depend on the message, options.
enum NeighbourMessage {
    static let allHosts = IPv6Address(0xff02, 0, 0, 0, 0, 0, 0, 1)
    static let allRouters = IPv6Address(0xff02, 0, 0, 0, 0, 0, 0, 2)

    /// A packet that a router has forwarded has a lower one, so messages from other links are detected (RFC 4861 §3.1).
    static let hopLimit: UInt8 = 255

    /// Offsets in a message.
    enum Offset {
        /// The target of a Neighbor Solicitation or Advertisement.
        static let target = 8
        /// The options of a Router Solicitation.
        static let solicitationOptions = 8
        static let targetOptions = 24
    }

    /// The numbers of options (IANA, IPv6 Neighbor Discovery Option Formats).
    enum Option {
        static let sourceLinkLayerAddress: UInt8 = 1
        static let targetLinkLayerAddress: UInt8 = 2
        static let prefixInformation: UInt8 = 3
        static let mtu: UInt8 = 5
        static let recursiveServers: UInt8 = 25
        static let searchList: UInt8 = 31

        /// Type, length in units of eight octets, and contents, padded with zeros (RFC 4861 §4.6).
        static func octets(_ type: UInt8, _ contents: [UInt8]) -> [UInt8] {
            let units = (2 + contents.count + 7) / 8
            let padding = [UInt8](repeating: 0, count: units * 8 - 2 - contents.count)
            return [type, UInt8(units)] + contents + padding
        }
    }

    /// In network byte order.
    static func octets<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }

    /// The address to which neighbours send solicitations for this one (RFC 4291 §2.7.1).
    static func solicitedNode(of address: IPv6Address) -> IPv6Address {
        IPv6Address(bits: IPv6Address(0xff02, 0, 0, 0, 0, 1, 0xff00, 0).bits | address.bits & 0xff_ffff)
    }

    /// Whether this is a solicitation that its receiver must not discard (RFC 4861 §6.1.1, §7.1.1), by the rules that both kinds have in
    /// common. A checksum that was left to do is completed.
    /// - Parameter options: the offset of the options.
    static func isValid(
        _ packet: inout PacketBuffer, _ layout: IPv6Layout, type: UInt8, options: Int
    ) -> Bool {
        let start = layout.transport.offset
        guard layout.transport.kind == .icmpOther, layout.transport.count >= options,
            packet.bytes[start + ICMPHeader.type] == type, packet.bytes[IPv6Header.hopLimit] == hopLimit,
            packet.bytes[start + ICMPHeader.code] == 0, packet.completeChecksum()
        else { return false }
        let bytes = packet.bytes
        var sum = InternetChecksum(
            pseudoHeaderFrom: layout.source, to: layout.destination, of: .icmpv6, length: layout.transport.count)
        sum.add(bytes, in: start..<layout.end)
        guard sum.checksum == 0 else { return false }

        // "All included options have a length that is greater than zero"
        var offset = start + options
        while offset < layout.end {
            guard offset + 2 <= layout.end, bytes[offset + 1] > 0 else { return false }
            // "If the IP source address is the unspecified address, there is no source link-layer address option in the message."
            if bytes[offset] == Option.sourceLinkLayerAddress, layout.source == .unspecified { return false }
            offset += Int(bytes[offset + 1]) * 8
        }
        return offset == layout.end
    }

    /// Makes a packet of a message whose checksum is still missing.
    static func write(
        _ message: [UInt8], from source: IPv6Address, to destination: IPv6Address, into packet: inout PacketBuffer
    ) {
        var header = IPv6Header.Fields(
            payloadLength: UInt16(message.count), nextHeader: .icmpv6, source: source, destination: destination)
        header.hopLimit = hopLimit
        packet.reset()
        packet.resize(to: IPv6Header.length + message.count)
        var sum = InternetChecksum(pseudoHeaderFrom: source, to: destination, of: .icmpv6, length: message.count)
        sum.add(message.span, in: 0..<message.count)
        var bytes = packet.mutableBytes
        header.write(to: &bytes)
        for index in message.indices { bytes[IPv6Header.length + index] = message[index] }
        bytes.setUInt16(sum.checksum, at: IPv6Header.length + ICMPHeader.checksum)
    }
}
