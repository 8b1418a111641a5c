// SPDX-License-Identifier: Apache-2.0
/// An IPv4 network: an address whose host bits are zero, and a length from 0 to 32.
public struct IPv4Prefix: Hashable, Sendable {
    public let address: IPv4Address
    public let length: Int

    /// `nil` if the length is out of range; host bits are cleared.
    public init?(_ address: IPv4Address, length: Int) {
        guard (0...32).contains(length) else { return nil }
        self.length = length
        self.address = IPv4Address(bits: address.bits & Self.mask(length))
    }

    /// Reads `192.0.2.0/24`, or an address alone as a /32. `nil` if host bits are set: that is most likely a typo.
    public init?(_ text: some StringProtocol) {
        guard let (address, length) = splitPrefix(text, defaultLength: 32), let address = IPv4Address(address),
            let prefix = IPv4Prefix(address, length: length), prefix.address == address
        else { return nil }
        self = prefix
    }

    @inline(always)
    public func contains(_ other: IPv4Address) -> Bool {
        other.bits & Self.mask(length) == address.bits
    }

    @inlinable
    static func mask(_ length: Int) -> UInt32 { length == 0 ? 0 : ~0 << UInt32(32 - length) }
}

/// An IPv6 network: an address whose host bits are zero, and a length from 0 to 128.
public struct IPv6Prefix: Hashable, Sendable {
    public let address: IPv6Address
    public let length: Int
    @usableFromInline let mask: UInt128

    /// `nil` if the length is out of range; host bits are cleared.
    public init?(_ address: IPv6Address, length: Int) {
        guard (0...128).contains(length) else { return nil }
        self.length = length
        mask = length == 0 ? 0 : ~0 << UInt128(128 - length)
        self.address = IPv6Address(bits: address.bits & mask)
    }

    /// Reads `2001:db8::/32`, or an address alone as a /128. `nil` if host bits are set: that is most likely a typo.
    public init?(_ text: some StringProtocol) {
        guard let (address, length) = splitPrefix(text, defaultLength: 128), let address = IPv6Address(address),
            let prefix = IPv6Prefix(address, length: length), prefix.address == address
        else { return nil }
        self = prefix
    }

    @inline(always)
    public func contains(_ other: IPv6Address) -> Bool {
        other.bits & mask == address.bits
    }
}

extension IPv4Prefix: CustomStringConvertible {
    public var description: String { "\(address)/\(length)" }
}

extension IPv6Prefix: CustomStringConvertible {
    public var description: String { "\(address)/\(length)" }
}

private func splitPrefix<Text: StringProtocol>(
    _ text: Text, defaultLength: Int
) -> (address: Text.SubSequence, length: Int)? {
    guard let slash = text.firstIndex(of: "/") else { return (text[...], defaultLength) }
    let digits = text[text.index(after: slash)...]
    guard (1...3).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let length = Int(digits)
    else { return nil }
    return (text[..<slash], length)
}
