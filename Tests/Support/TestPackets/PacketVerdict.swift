// SPDX-License-Identifier: Apache-2.0
package import Wire

/// A packet parsed like at its receiver, independently of Wire's layouts, and its mistakes.
package struct PacketVerdict {
    package private(set) var source: [UInt8] = []
    package private(set) var destination: [UInt8] = []
    package private(set) var protocolNumber: UInt8 = 0
    package private(set) var hopLimit: UInt8 = 0
    /// Offset of the payload of IP; its octets are in `payload`.
    package private(set) var payloadOffset = 0
    package var payload: [UInt8] = []
    /// The header of a fragment, or of an atomic fragment, which is a whole datagram.
    package private(set) var fragmentHeader: Fragment?
    /// Why the octets are not a packet; `nil` if they are.
    package private(set) var problem: String?

    /// The identification of a fragment's datagram, the fragment's offset, and whether more follow.
    package struct Fragment {
        package var identification: UInt32
        package var offset: Int
        package var moreFollow: Bool
    }

    package init(_ octets: [UInt8]) {
        switch octets.first.map({ $0 >> 4 }) {
        case 4 where octets.count >= 20: readIPv4(octets)
        case 6 where octets.count >= 40: readIPv6(octets)
        default: problem = "neither IPv4 nor IPv6"
        }
    }

    private mutating func readIPv4(_ octets: [UInt8]) {
        source = Array(octets[12..<16])
        destination = Array(octets[16..<20])
        protocolNumber = octets[9]
        hopLimit = octets[8]
        let length = Int(octets[0] & 0xf) * 4
        guard length >= 20, length <= octets.count else { return problem = "header length \(length)" }
        if number(octets, 2) != octets.count { problem = "total length \(number(octets, 2)) of \(octets.count)" }
        if slowChecksum(Array(octets[..<length])) != 0 { problem = "wrong header checksum" }
        payloadOffset = length
        payload = Array(octets[length...])
        let flagsAndOffset = number(octets, 6)
        if flagsAndOffset & 0x3fff != 0 {
            fragmentHeader = Fragment(
                identification: UInt32(number(octets, 4)), offset: (flagsAndOffset & 0x1fff) * 8,
                moreFollow: flagsAndOffset & 0x2000 != 0)
        }
    }

    /// Reads past extension headers as far as the first Fragment header.
    private mutating func readIPv6(_ octets: [UInt8]) {
        source = Array(octets[8..<24])
        destination = Array(octets[24..<40])
        protocolNumber = octets[6]
        hopLimit = octets[7]
        if number(octets, 4) != octets.count - 40 {
            problem = "payload length \(number(octets, 4)) of \(octets.count - 40)"
        }
        var offset = 40
        while fragmentHeader == nil, [0, 43, 44, 60].contains(protocolNumber) {
            guard offset + 8 <= octets.count else { return problem = "a truncated extension header" }
            if protocolNumber == 44 {
                let field = number(octets, offset + 2)
                let high = number(octets, offset + 4)
                fragmentHeader = Fragment(
                    identification: UInt32(high << 16 | number(octets, offset + 6)), offset: field & 0xfff8,
                    moreFollow: field & 1 != 0)
            }
            let length = protocolNumber == 44 ? 8 : 8 + Int(octets[offset + 1]) * 8
            protocolNumber = octets[offset]
            offset += length
            guard offset <= octets.count else { return problem = "a truncated extension header" }
        }
        payloadOffset = offset
        payload = Array(octets[offset...])
    }

    /// Nil for a whole datagram, which an atomic fragment is too (RFC 6946).
    package var fragment: Fragment? {
        guard let fragmentHeader, fragmentHeader.offset > 0 || fragmentHeader.moreFollow else { return nil }
        return fragmentHeader
    }

    private func number(_ octets: [UInt8], _ offset: Int) -> Int { Int(octets[offset]) << 8 | Int(octets[offset + 1]) }

    /// Whether this is a whole datagram with a valid transport checksum, or of a protocol without a known one.
    package func hasRightChecksum(offload: Offload = .none) -> Bool {
        if problem != nil || fragment != nil { return false }
        if offload.hasPartialChecksum {
            guard Int(offload.checksumStart) == payloadOffset else { return false }
        } else if offload.segmentation != .none {
            // A super-packet has a partial checksum: one checksum cannot be right for all its segments.
            return false
        }
        return Self.isRight(payload, from: source, to: destination, protocolNumber, offload: offload)
    }

    package var isICMPError: Bool {
        guard fragment == nil, let type = payload.first else { return false }
        return protocolNumber == UpperLayer.icmpv6
            ? type < 128 : protocolNumber == 1 && [3, 4, 5, 11, 12].contains(type)
    }

    /// The same for a reassembled datagram.
    package static func isRight(
        _ payload: [UInt8], from source: [UInt8], to destination: [UInt8], _ protocolNumber: UInt8,
        offload: Offload = .none
    ) -> Bool {
        var summed = payload
        var field: Int
        switch protocolNumber {
        case UpperLayer.udp:
            guard payload.count >= 8 else { return false }
            let length = Int(payload[4]) << 8 | Int(payload[5])
            // Zero means no checksum: IPv4 allows that, IPv6 forbids it (RFC 8200 §8.1).
            if payload[6] == 0 && payload[7] == 0 && !offload.hasPartialChecksum { return source.count == 4 }
            // Octets after the UDP datagram are not covered. A super-packet's length field is that of one segment.
            if offload.segmentation == .none {
                guard length >= 8, length <= payload.count else { return false }
                summed = Array(payload[..<length])
            }
            field = 6
        case UpperLayer.tcp:
            guard payload.count >= 20 else { return false }
            field = 16
        case UpperLayer.icmpv4 where source.count == 4:
            return payload.count >= 8 && slowChecksum(payload) == 0
        case UpperLayer.icmpv6 where source.count == 16:
            guard payload.count >= 8 else { return false }
            field = 2
        default:
            return true
        }
        let prefix = pseudoHeader(source, destination, protocolNumber, summed.count)
        if offload.hasPartialChecksum {
            let sum = slowSum(prefix)
            return Array(payload[field..<field + 2]) == bigEndian(sum) && Int(offload.checksumOffset) == field
        }
        return slowChecksum(prefix + summed) == 0
    }
}
