// SPDX-License-Identifier: Apache-2.0
import Wire

/// The PREF64 option of a router advertisement (RFC 8781 §4).
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---------------+---------------+-------------------------+-----+
///     |   Type = 38   |  Length = 2   |     Scaled lifetime     | PLC |
///     +---------------+---------------+-------------------------+-----+
///     |              Highest 96 bits of the prefix                    |
///     |                                                               |
///     |                                                               |
///     +---------------------------------------------------------------+
package struct Pref64Option: Hashable, Sendable {
    package static let type: UInt8 = 38
    /// Length of the whole option, in octets.
    package static let length = 16

    private enum Offset {
        static let type = 0
        static let length = 1
        static let lifetime = 2
        static let prefix = 4
    }

    /// Lifetimes are multiples of this many seconds.
    package static let lifetimeUnit: UInt16 = 8
    /// The largest 13-bit number of units.
    package static let maximumScaledLifetime: UInt16 = 8191

    package var prefix: Pref64
    /// In units of eight seconds, at most 8191; 0 withdraws the prefix.
    package private(set) var scaledLifetime: UInt16

    /// - Parameter lifetime: Seconds; rounded up to a whole unit, and cut to 65,528 (RFC 8781 §4.1).
    package init(_ prefix: Pref64, lifetime: UInt32) {
        self.prefix = prefix
        let units = lifetime / UInt32(Self.lifetimeUnit) + (lifetime % UInt32(Self.lifetimeUnit) > 0 ? 1 : 0)
        scaledLifetime = UInt16(min(units, UInt32(Self.maximumScaledLifetime)))
    }

    /// The lifetime in seconds.
    package var lifetime: UInt32 { UInt32(scaledLifetime) * UInt32(Self.lifetimeUnit) }

    /// The default lifetime that a router announces: three intervals between advertisements, in seconds (RFC 8781 §4.1).
    package static func defaultLifetime(maximumAdvertisementInterval interval: UInt32) -> UInt32 {
        let maximum = UInt32(maximumScaledLifetime) * UInt32(lifetimeUnit)
        return interval > maximum / 3 ? maximum : interval * 3
    }

    /// Reads an option. `nil` if it is of another type, does not have 16 octets, or has a prefix length code outside of 0 to 5: "the option
    /// MUST be ignored" (RFC 8781 §4).
    package init?(_ octets: Span<UInt8>) {
        guard octets.count == Self.length, octets[Offset.type] == Self.type,
            Int(octets[Offset.length]) * 8 == Self.length
        else { return nil }
        // Scaled lifetime, 13 bits; prefix length code, 3 bits
        let word = UInt16(octets[Offset.lifetime]) << 8 | UInt16(octets[Offset.lifetime + 1])
        let code = Int(word & 7)
        guard code < Self.lengths.count else { return nil }

        // Prefix ← 96 bits; those beyond its length have no meaning
        var bits: UInt128 = 0
        for index in Offset.prefix..<Self.length { bits = bits << 8 | UInt128(octets[index]) }
        guard let network = IPv6Prefix(IPv6Address(bits: bits << 32), length: Self.lengths[code]),
            let prefix = try? Pref64(network)
        else { return nil }
        self.prefix = prefix
        scaledLifetime = word >> 3
    }

    package var octets: [UInt8] {
        let code = UInt16(Self.lengths.firstIndex(of: prefix.prefix.length) ?? 0)
        let word = scaledLifetime << 3 | code
        let bits = prefix.prefix.address.bits
        let head = [Self.type, UInt8(Self.length / 8), UInt8(word >> 8), UInt8(word & 0xff)]
        return head + (0..<12).map { UInt8(truncatingIfNeeded: bits >> UInt128(120 - 8 * $0)) }
    }

    /// By prefix length code (RFC 8781 §4).
    private static let lengths = [96, 64, 56, 48, 40, 32]
}
