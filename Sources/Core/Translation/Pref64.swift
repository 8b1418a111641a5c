// SPDX-License-Identifier: Apache-2.0
public import Wire

/// A prefix under which IPv4 addresses appear as IPv6 addresses (RFC 6052 §2.2).
///
///     +--+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+
///     |PL| 0-------------32--40--48--56--64--72--80--88--96--104---------|
///     +--+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+
///     |32|     prefix    |v4(32)         | u | suffix                    |
///     |40|     prefix        |v4(24)     | u |(8)| suffix                |
///     |48|     prefix            |v4(16) | u | (16)  | suffix            |
///     |56|     prefix                |(8)| u |  v4(24)   | suffix        |
///     |64|     prefix                    | u |   v4(32)      | suffix    |
///     |96|     prefix                                    |    v4(32)     |
///     +--+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+
public struct Pref64: Hashable, Sendable {
    public let prefix: IPv6Prefix

    /// 64:ff9b::/96, the well-known prefix (RFC 6052 §2.1).
    public static let wellKnown = Pref64(unchecked: IPv6Address(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), length: 96)

    /// The lengths that RFC 6052 §2.2 allows.
    public static let lengths = [32, 40, 48, 56, 64, 96]

    /// Why a prefix is no Pref64, with a hint at a valid one.
    public enum Invalid: Error, Hashable, Sendable {
        /// Not an IPv6 prefix in `address/length` form, or with bits set beyond its length.
        case notAPrefix(String)
        case length(Int)
        /// Bits 64 to 71 are set, which must be zero (RFC 6052 §2.2).
        case octetUNotZero(IPv6Prefix)
        /// No host sends to such addresses, or not to a router.
        case notUsable(IPv6Prefix, because: Use)
    }

    /// The other uses of addresses that exclude a NAT64 (RFC 4291 §2.4).
    public enum Use: Hashable, Sendable {
        case multicast
        case linkLocal
        /// ::/64, which contains the unspecified address, the loopback and the IPv4-mapped addresses (RFC 4291 §2.5).
        case reserved
    }

    public init(_ prefix: IPv6Prefix) throws(Invalid) {
        guard Self.lengths.contains(prefix.length) else { throw .length(prefix.length) }
        guard prefix.address.octet(8) == 0 else { throw .octetUNotZero(prefix) }
        if let use = Self.otherUse(of: prefix) { throw .notUsable(prefix, because: use) }
        self.prefix = prefix
    }

    /// Parses `64:ff9b::/96`.
    public init(_ text: some StringProtocol) throws(Invalid) {
        // An address alone would be a /128; a forgotten length is more likely.
        guard text.contains("/"), let prefix = IPv6Prefix(text) else { throw .notAPrefix(String(text)) }
        try self.init(prefix)
    }

    /// The other use that addresses of the prefix have; `nil` if a NAT64 can have them.
    private static func otherUse(of prefix: IPv6Prefix) -> Use? {
        let bits = prefix.address.bits
        if bits >> 120 == 0xff { return .multicast }
        if bits >> 118 == 0xfe80 >> 6 { return .linkLocal }
        // Shorter prefixes that begin with these bits contain these addresses.
        if bits >> 64 == 0 { return .reserved }
        return nil
    }

    private init(unchecked address: IPv6Address, length: Int) {
        prefix = IPv6Prefix(address, length: length)!
    }

    @inline(always)
    public var isWellKnown: Bool { self == .wellKnown }

    @inline(always)
    public func contains(_ address: IPv6Address) -> Bool { prefix.contains(address) }

    /// The IPv6 address that represents `address`: octet u and the suffix are zero (RFC 6052 §2.2).
    public func embed(_ address: IPv4Address) -> IPv6Address {
        let bits = UInt128(address.bits)
        if prefix.length == 96 { return IPv6Address(bits: prefix.address.bits | bits) }
        // The octets before octet u, and those after it; a /64 has all of them after it.
        let upper = bits << UInt128(96 - prefix.length) & Self.aboveOctetU
        let lower = bits << UInt128(88 - prefix.length) & Self.belowOctetU
        return IPv6Address(bits: prefix.address.bits | upper | lower)
    }

    /// The IPv4 address that `address` represents, `nil` outside the prefix. The suffix is ignored (RFC 6052 §2.2).
    public func extract(_ address: IPv6Address) -> IPv4Address? {
        guard contains(address) else { return nil }
        if prefix.length == 96 { return IPv4Address(bits: UInt32(truncatingIfNeeded: address.bits)) }
        let upper = (address.bits & Self.aboveOctetU) >> UInt128(96 - prefix.length)
        let lower = (address.bits & Self.belowOctetU) >> UInt128(88 - prefix.length)
        return IPv4Address(bits: UInt32(truncatingIfNeeded: upper | lower))
    }

    private static let aboveOctetU: UInt128 = ~0 << 64
    private static let belowOctetU: UInt128 = ~0 >> 72
}

extension Pref64: CustomStringConvertible {
    public var description: String { prefix.description }
}

extension Pref64.Invalid: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAPrefix(let text):
            "'\(text)' is not an IPv6 prefix such as 64:ff9b::/96 (an address whose bits behind the length are zero)"
        case .length(let length):
            "a Pref64 has a length of 32, 40, 48, 56, 64 or 96, not \(length) (RFC 6052 §2.2)"
        case .octetUNotZero(let prefix): "bits 64 to 71 of the Pref64 \(prefix) must be zero (RFC 6052 §2.2)"
        case .notUsable(let prefix, let use):
            "\(prefix) cannot be a Pref64: \(use); give 64:ff9b::/96, or a prefix of the network's own"
        }
    }
}

extension Pref64.Use: CustomStringConvertible {
    public var description: String {
        switch self {
        case .multicast: "these are multicast addresses (ff00::/8)"
        case .linkLocal: "these are link-local addresses (fe80::/10), which no router forwards"
        case .reserved: "::/64 is reserved for ::, ::1 and IPv4-mapped addresses"
        }
    }
}
