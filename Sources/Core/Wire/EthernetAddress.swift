// SPDX-License-Identifier: Apache-2.0

/// An Ethernet address (EUI-48 in IEEE 802), in the lower 48 bits of a number.
package struct EthernetAddress: Hashable, Sendable {
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits & 0xffff_ffff_ffff }

    /// - Parameter text: six octets, such as `02:00:5e:10:00:01`.
    package init?(_ text: some StringProtocol) {
        let octets = text.split(separator: ":", omittingEmptySubsequences: false)
        guard octets.count == 6, octets.allSatisfy({ (1...2).contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) })
        else { return nil }
        self.init(bits: octets.reduce(0) { $0 << 8 | UInt64($1, radix: 16)! })
    }

    /// From six octets in network order.
    package init(_ octets: some Collection<UInt8>) {
        self.init(bits: octets.prefix(6).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The octets in network order.
    package var octets: [UInt8] { (0..<6).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }

    /// Whether it is a group address, not that of an interface.
    package var isGroup: Bool { bits >> 40 & 1 == 1 }

    /// Whether it is locally administered; otherwise a manufacturer has assigned it.
    package var isLocal: Bool { bits >> 40 & 2 == 2 }

    /// Another address for the same interface, always the same: one that no manufacturer assigns.
    package var sibling: EthernetAddress {
        EthernetAddress(bits: isLocal ? bits ^ 0x64 : bits | 0x0200_0000_0000)
    }
}

extension EthernetAddress: CustomStringConvertible {
    package var description: String {
        let digits = Array("0123456789abcdef")
        return octets.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 0xf)])" }.joined(separator: ":")
    }
}
