// SPDX-License-Identifier: Apache-2.0
import Wire

/// Router Solicitation messages (RFC 4861 §4.1): type, code, checksum, four reserved octets, options.
enum RouterSolicitation {
    static let allRouters = IPv6Address(0xff02, 0, 0, 0, 0, 0, 0, 2)

    private static let options = 8
    private static let sourceLinkLayerAddress: UInt8 = 1

    /// Whether this is one that a router must not discard (RFC 4861 §6.1.1). The checksum is completed where that was left to do.
    static func isValid(_ packet: inout PacketBuffer, _ layout: IPv6Layout) -> Bool {
        let start = layout.transport.offset
        guard layout.transport.kind == .icmpOther,
            packet.bytes[start + ICMPHeader.type] == ICMPv6Type.routerSolicitation,
            packet.bytes[IPv6Header.hopLimit] == 255, packet.bytes[start + ICMPHeader.code] == 0,
            layout.transport.count >= options, packet.completeChecksum()
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
            if bytes[offset] == sourceLinkLayerAddress, layout.source == .unspecified { return false }
            offset += Int(bytes[offset + 1]) * 8
        }
        return offset == layout.end
    }
}
