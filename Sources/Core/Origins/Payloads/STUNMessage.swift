// SPDX-License-Identifier: Apache-2.0
import Wire

/// The addresses in a STUN message (RFC 8489 §5, §14), which are encoded: each is masked with the magic cookie.
///
///     0                   1                   2                   3
///     type (2)            length (2)          magic cookie (4)
///     transaction (12)                        then attributes: type (2), length (2), value, to 4 octets
struct STUNMessage {
    /// Each with the offset of its value.
    private(set) var addresses: [(offset: Int, isMapped: Bool, address: IPAddress)] = []

    static let cookie: UInt32 = 0x2112_a442
    private static let headerLength = 20
    /// MAPPED-ADDRESS, XOR-PEER-ADDRESS, XOR-RELAYED-ADDRESS, XOR-MAPPED-ADDRESS, ALTERNATE-SERVER
    private static let attributes: Set<UInt16> = [0x0001, 0x0012, 0x0016, 0x0020, 0x8023]
    private static let masked: Set<UInt16> = [0x0012, 0x0016, 0x0020]
    private static let mapped: Set<UInt16> = [0x0001, 0x0020]

    /// `nil` if it is no STUN message.
    init?(_ datagram: ArraySlice<UInt8>) {
        let octets = Array(datagram)
        guard octets.count >= Self.headerLength, octets[0] & 0xc0 == 0, octets.span.uint32(at: 4) == Self.cookie else {
            return nil
        }
        var position = Self.headerLength
        while position + 4 <= octets.count {
            let type = octets.span.uint16(at: position)
            let length = Int(octets.span.uint16(at: position + 2))
            let value = position + 4
            guard value + length <= octets.count else { return }
            if Self.attributes.contains(type), let address = Self.address(octets, value, length, type) {
                addresses.append((value, Self.mapped.contains(type), address))
            }
            position = value + (length + 3) / 4 * 4
        }
    }

    /// family (2), port (2), address
    private static func address(_ octets: [UInt8], _ value: Int, _ length: Int, _ type: UInt16) -> IPAddress? {
        let isMasked = masked.contains(type)
        if length == 8, octets[value + 1] == 1 {
            return .ipv4(IPv4Address(bits: octets.span.uint32(at: value + 4) ^ (isMasked ? cookie : 0)))
        }
        guard length == 20, octets[value + 1] == 2 else { return nil }
        let bits = (0..<16).reduce(UInt128(0)) { bits, index in
            bits << 8 | UInt128(octets[value + 4 + index] ^ (isMasked ? octets[4 + index] : 0))
        }
        return .ipv6(IPv6Address(bits: bits))
    }
}
