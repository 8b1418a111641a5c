// SPDX-License-Identifier: Apache-2.0
/// The payload of an IP packet, without its checksum, which depends on the IP header.
package struct UpperLayer {
    package var protocolNumber: UInt8
    package var octets: [UInt8]
    /// Offset of the checksum; nil if there is none.
    package var checksumOffset: Int?

    package static let icmpv4: UInt8 = 1
    package static let tcp: UInt8 = 6
    package static let udp: UInt8 = 17
    package static let icmpv6: UInt8 = 58

    /// - Parameter checksumOffset: nil for none.
    package init(protocolNumber: UInt8, octets: [UInt8], checksumOffset: Int? = nil) {
        self.protocolNumber = protocolNumber
        self.octets = octets
        self.checksumOffset = checksumOffset
    }

    /// Where a protocol's checksum is; nil where it has none that we know.
    package static func checksumOffset(of protocolNumber: UInt8) -> Int? {
        switch protocolNumber {
        case tcp: 16
        case udp: 6
        case icmpv4, icmpv6: 2
        default: nil
        }
    }

    package static func udp(
        _ source: UInt16, _ destination: UInt16, _ payload: [UInt8] = [1, 2, 3, 4, 5]
    ) -> UpperLayer {
        let header = bigEndian(source) + bigEndian(destination) + bigEndian(UInt16(8 + payload.count)) + [0, 0]
        return UpperLayer(protocolNumber: udp, octets: header + payload, checksumOffset: 6)
    }

    package static func tcp(
        _ source: UInt16, _ destination: UInt16, _ flags: TCPFlags, sequence: UInt32 = 1, acknowledgment: UInt32 = 9,
        window: UInt16 = 0xffff, options: [UInt8] = [], payload: [UInt8] = []
    ) -> UpperLayer {
        var header = bigEndian(source) + bigEndian(destination) + bigEndian(sequence) + bigEndian(acknowledgment)
        header += [UInt8(5 + options.count / 4) << 4, flags.rawValue] + bigEndian(window) + [0, 0, 0, 0] + options
        return UpperLayer(protocolNumber: tcp, octets: header + payload, checksumOffset: 16)
    }

    package static func icmpv4(_ type: UInt8, _ code: UInt8, _ rest: [UInt8]) -> UpperLayer {
        UpperLayer(protocolNumber: icmpv4, octets: [type, code, 0, 0] + rest, checksumOffset: 2)
    }

    package static func icmpv6(_ type: UInt8, _ code: UInt8, _ rest: [UInt8]) -> UpperLayer {
        UpperLayer(protocolNumber: icmpv6, octets: [type, code, 0, 0] + rest, checksumOffset: 2)
    }

    package static func echoRequest4(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> UpperLayer {
        .icmpv4(8, 0, bigEndian(identifier) + [0, 1] + payload)
    }

    package static func echoReply4(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> UpperLayer {
        .icmpv4(0, 0, bigEndian(identifier) + [0, 1] + payload)
    }

    package static func echoRequest6(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> UpperLayer {
        .icmpv6(128, 0, bigEndian(identifier) + [0, 1] + payload)
    }

    package static func echoReply6(_ identifier: UInt16, payload: [UInt8] = [7, 7]) -> UpperLayer {
        .icmpv6(129, 0, bigEndian(identifier) + [0, 1] + payload)
    }

    /// The octets with their checksum, over the pseudo-header given; as they are where they are too short for it.
    package func summed(_ pseudoHeader: [UInt8]) -> [UInt8] {
        guard let checksumOffset, checksumOffset + 2 <= octets.count else { return octets }
        let field = checksumOffset..<checksumOffset + 2
        var result = octets
        result.replaceSubrange(field, with: [0, 0])
        // ICMPv4 sums no pseudo-header.
        let sum = slowChecksum((protocolNumber == Self.icmpv4 ? [] : pseudoHeader) + result)
        // RFC 768: a computed checksum of zero is sent as all ones.
        result.replaceSubrange(field, with: bigEndian(protocolNumber == Self.udp && sum == 0 ? 0xffff : sum))
        return result
    }
}

package struct TCPFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let fin = TCPFlags(rawValue: 0x01)
    package static let syn = TCPFlags(rawValue: 0x02)
    package static let rst = TCPFlags(rawValue: 0x04)
    package static let ack = TCPFlags(rawValue: 0x10)
}
