// SPDX-License-Identifier: Apache-2.0
/// An IPv4 address, as the 32-bit number on the wire (most significant octet first).
public struct IPv4Address: Hashable, Sendable {
    public var bits: UInt32

    @inline(always)
    public init(bits: UInt32) {
        self.bits = bits
    }

    @inline(always)
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
        bits = UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)
    }

    /// Reads the strict dotted quad of `inet_pton`: four decimal numbers from 0 to 255 without leading zeros.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: text.utf8)
    }

    init?(utf8 text: some Collection<UInt8>) {
        var bits: UInt32 = 0
        var octets = 0
        var value = 0
        var digits = 0
        for character in text {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if digits > 0 && value == 0 { return nil }
                value = value * 10 + Int(character - UInt8(ascii: "0"))
                digits += 1
                if value > 255 { return nil }
            case UInt8(ascii: "."):
                if digits == 0 || octets == 3 { return nil }
                bits = bits << 8 | UInt32(value)
                octets += 1
                value = 0
                digits = 0
            default:
                return nil
            }
        }
        if digits == 0 || octets != 3 { return nil }
        self.bits = bits << 8 | UInt32(value)
    }

    /// The four octets in network order.
    public var octets: (UInt8, UInt8, UInt8, UInt8) {
        (
            UInt8(truncatingIfNeeded: bits >> 24), UInt8(truncatingIfNeeded: bits >> 16),
            UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits)
        )
    }
}

extension IPv4Address: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}

extension IPv4Address: CustomStringConvertible {
    public var description: String {
        let (a, b, c, d) = octets
        return "\(a).\(b).\(c).\(d)"
    }
}
