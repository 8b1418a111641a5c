// SPDX-License-Identifier: Apache-2.0
/// The one's complement sum of RFC 1071, accumulated and not yet folded.
///
/// One type serves three purposes: the sum over bytes, the sum over a pseudo-header, and the *difference* made by replacing some words (RFC
/// 1624), which is also a sum, containing the old words' complements.
///
///     var sum = InternetChecksum()
///     sum.add(address)
///     sum.add(bytes, in: 0..<bytes.count)
///     field = sum.checksum
///
/// 2³² words of up to 32 bits may be added before the accumulator could overflow.
public struct InternetChecksum: Sendable {
    @usableFromInline var sum: UInt64 = 0

    @inline(always)
    public init() {}

    @inline(always)
    public mutating func add(_ word: UInt16) {
        sum &+= UInt64(word)
    }

    @inline(always)
    public mutating func add(_ words: UInt32) {
        sum &+= UInt64(words)
    }

    @inline(always)
    public mutating func add(_ address: IPv4Address) {
        add(address.bits)
    }

    @inline(always)
    public mutating func add(_ address: IPv6Address) {
        // Adds four words of 32 bits instead of eight words of 16; the final folding gives the same sum.
        sum &+= (address.upperHalf >> 32) &+ (address.upperHalf & 0xffff_ffff)
        sum &+= (address.lowerHalf >> 32) &+ (address.lowerHalf & 0xffff_ffff)
    }

    @inline(always)
    public mutating func add(_ other: InternetChecksum) {
        sum &+= UInt64(other.folded)
    }

    /// Subtracts what was added: in one's complement, adds the complement.
    @inline(always)
    public mutating func subtract(_ word: UInt16) {
        sum &+= UInt64(~word)
    }

    @inline(always)
    public mutating func subtract(_ other: InternetChecksum) {
        sum &+= UInt64(~other.folded)
    }

    /// The sum in sixteen bits.
    @inline(always)
    public var folded: UInt16 {
        var folded = sum
        folded = (folded & 0xffff_ffff) &+ (folded >> 32)
        folded = (folded & 0xffff) &+ (folded >> 16)
        folded = (folded & 0xffff) &+ (folded >> 16)
        folded = (folded & 0xffff) &+ (folded >> 16)
        return UInt16(truncatingIfNeeded: folded)
    }

    /// The value of a header's checksum field. 0 over bytes that contain a correct checksum.
    @inline(always)
    public var checksum: UInt16 { ~folded }

    /// The field after a change of the covered words by this difference: HC' = ~(~HC + ~m + m') (RFC 1624 §3, eqn. 3).
    @inline(always)
    public func applied(toChecksum field: UInt16) -> UInt16 {
        var result = self
        result.add(~field)
        return result.checksum
    }

    /// The same for the field of a *partial* checksum, which contains the folded, uncomplemented sum of a pseudo-header.
    @inline(always)
    public func applied(toPartialChecksum field: UInt16) -> UInt16 {
        var result = self
        result.add(field)
        return result.folded
    }

    // MARK: - Bytes

    /// Adds the octets of `range`, as big-endian words from its start; an odd last octet counts as a word's upper half.
    public mutating func add(_ bytes: Span<UInt8>, in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        // The sum does not depend on the byte order, except for a swap of the result (RFC 1071 §2(B)): it is computed over the words in
        // memory order, eight octets at a time, with an end-around carry.
        var offset = range.lowerBound
        var low: UInt64 = 0
        var high: UInt64 = 0
        while range.upperBound - offset >= 16 {
            let first = bytes.nativeUInt64(at: offset)
            let second = bytes.nativeUInt64(at: offset + 8)
            low &+= (first & 0xffff_ffff) &+ (second & 0xffff_ffff)
            high &+= (first >> 32) &+ (second >> 32)
            offset += 16
        }
        var native = Self.carried(low) &+ Self.carried(high)
        while range.upperBound - offset >= 2 {
            native &+= UInt64(bytes.uint16(at: offset).bigEndian)
            offset += 2
        }
        if offset < range.upperBound { native &+= UInt64((UInt16(bytes[offset]) << 8).bigEndian) }
        var total = InternetChecksum()
        total.sum = native
        sum &+= UInt64(UInt16(bigEndian: total.folded))
    }

    private static func carried(_ sum: UInt64) -> UInt64 { (sum & 0xffff_ffff) &+ (sum >> 32) }
}

// MARK: - Pseudo-headers

extension InternetChecksum {
    /// The pseudo-header of IPv4 (RFC 9293 §3.1, RFC 768).
    @inline(always)
    public init(
        pseudoHeaderFrom source: IPv4Address, to destination: IPv4Address, of upperLayer: IPProtocol, length: Int
    ) {
        add(source)
        add(destination)
        add(UInt32(truncatingIfNeeded: length))
        add(UInt16(upperLayer.rawValue))
    }

    /// The pseudo-header of IPv6 (RFC 8200 §8.1).
    @inline(always)
    public init(
        pseudoHeaderFrom source: IPv6Address, to destination: IPv6Address, of upperLayer: IPProtocol, length: Int
    ) {
        add(source)
        add(destination)
        add(UInt32(truncatingIfNeeded: length))
        add(UInt16(upperLayer.rawValue))
    }
}
