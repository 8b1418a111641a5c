// SPDX-License-Identifier: Apache-2.0
/// An IPv6 address, as the 128-bit number on the wire (most significant octet first).
///
/// It is stored as two halves: Swift 6.3.1 returns small structs around a `UInt128` through a stack slot that is aligned to 8 octets, and
/// reads it as if aligned to 16, which traps.
public struct IPv6Address: Hashable, Sendable {
    @usableFromInline var upperHalf: UInt64
    @usableFromInline var lowerHalf: UInt64

    @inline(always)
    public init(bits: UInt128) {
        upperHalf = UInt64(truncatingIfNeeded: bits >> 64)
        lowerHalf = UInt64(truncatingIfNeeded: bits)
    }

    @inlinable @inline(always)
    init(upperHalf: UInt64, lowerHalf: UInt64) {
        self.upperHalf = upperHalf
        self.lowerHalf = lowerHalf
    }

    @inline(always)
    public var bits: UInt128 {
        get { UInt128(upperHalf) << 64 | UInt128(lowerHalf) }
        set { self = IPv6Address(bits: newValue) }
    }

    /// The eight 16-bit groups of the text form, leftmost first.
    public init(
        _ a: UInt16, _ b: UInt16, _ c: UInt16, _ d: UInt16, _ e: UInt16, _ f: UInt16, _ g: UInt16, _ h: UInt16
    ) {
        var bits: UInt128 = 0
        for group in [a, b, c, d, e, f, g, h] { bits = bits << 16 | UInt128(group) }
        self.init(bits: bits)
    }

    /// The group at `index`, with 0 for the leftmost.
    public func group(_ index: Int) -> UInt16 {
        precondition((0..<8).contains(index))
        return UInt16(truncatingIfNeeded: bits >> UInt128(16 * (7 - index)))
    }

    /// The octet at `index`, with 0 for the leftmost.
    public func octet(_ index: Int) -> UInt8 {
        precondition((0..<16).contains(index))
        return UInt8(truncatingIfNeeded: bits >> UInt128(8 * (15 - index)))
    }

    public static let unspecified = IPv6Address(bits: 0)
    public static let loopback = IPv6Address(bits: 1)

    /// ff00::/8
    public var isMulticast: Bool { bits >> 120 == 0xff }
    /// fe80::/10
    public var isLinkLocal: Bool { bits >> 118 == 0x3fa }
    /// The IPv4 address of an IPv4-mapped one (RFC 4291 §2.5.5.2).
    public var mapped: IPv4Address? { bits >> 32 == 0xffff ? IPv4Address(bits: UInt32(truncatingIfNeeded: bits)) : nil }
}

// MARK: - Text (RFC 4291 §2.2 to read, RFC 5952 to write)

extension IPv6Address {
    /// Reads every form of RFC 4291 §2.2; a zone id or brackets are not part of an address.
    public init?(_ text: some StringProtocol) {
        var head: [UInt16] = []
        var tail: [UInt16] = []
        var sawGap = false
        var rest = Array(text.utf8)[...]
        let colon = UInt8(ascii: ":")

        if rest.starts(with: [colon, colon]) {
            sawGap = true
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let word = rest.prefix { $0 != colon }
            rest = rest[word.endIndex...]
            if rest.isEmpty, word.contains(UInt8(ascii: ".")) {
                guard let quad = IPv4Address(utf8: word) else { return nil }
                let groups = [UInt16(quad.bits >> 16), UInt16(truncatingIfNeeded: quad.bits)]
                if sawGap { tail += groups } else { head += groups }
                break
            }
            guard (1...4).contains(word.count), let group = Self.hexadecimal(word) else { return nil }
            if sawGap { tail.append(group) } else { head.append(group) }
            if head.count + tail.count > 8 { return nil }
            if rest.isEmpty { break }
            rest = rest.dropFirst()
            if rest.first == colon {
                if sawGap { return nil }
                sawGap = true
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }

        let missing = 8 - head.count - tail.count
        // "::" represents one or more groups of zeros.
        guard sawGap ? missing >= 1 : missing == 0 else { return nil }
        let groups = head + Array(repeating: 0, count: missing) + tail
        self.init(bits: groups.reduce(0) { $0 << 16 | UInt128($1) })
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        for digit in digits {
            guard let nibble = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            value = value << 4 | UInt16(nibble)
        }
        return value
    }
}

extension IPv6Address: CustomStringConvertible {
    /// RFC 5952 §4: lower case, no leading zeros, the longest run of two or more zero groups as "::", the first one if several are equally
    /// long.
    public var description: String {
        // RFC 5952 §5: the IPv4-mapped prefix is well known, so its addresses are in mixed notation.
        if bits >> 32 == 0xffff { return "::ffff:" + IPv4Address(bits: UInt32(truncatingIfNeeded: bits)).description }
        var gap = 0..<0
        var index = 0
        while index < 8 {
            var end = index
            while end < 8, group(end) == 0 { end += 1 }
            if end - index > max(gap.count, 1) { gap = index..<end }
            index = max(end, index + 1)
        }
        let colon = UInt8(ascii: ":")
        var text: [UInt8] = []
        text.reserveCapacity(39)
        index = 0
        while index < 8 {
            if index == gap.lowerBound, !gap.isEmpty {
                text += [colon, colon]
                index = gap.upperBound
            } else {
                if index > 0, index != gap.upperBound { text.append(colon) }
                Self.append(group(index), to: &text)
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends hexadecimal digits, without leading zeros.
    private static func append(_ group: UInt16, to text: inout [UInt8]) {
        var shift: UInt16 = 12
        while shift > 0, group >> shift == 0 { shift -= 4 }
        while true {
            let digit = UInt8(truncatingIfNeeded: group >> shift & 15)
            text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            if shift == 0 { return }
            shift -= 4
        }
    }
}

extension IPv6Address: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}
