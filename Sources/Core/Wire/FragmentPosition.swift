// SPDX-License-Identifier: Apache-2.0
/// The part of its datagram that a packet carries.
public struct FragmentPosition: Hashable, Sendable {
    /// In octets.
    public var offset: Int
    public var moreFollow: Bool
    /// 16 bits in IPv4, 32 in IPv6; 0 for an IPv6 packet without a Fragment header.
    public var identification: UInt32

    @inline(always)
    public init(offset: Int, moreFollow: Bool, identification: UInt32) {
        self.offset = offset
        self.moreFollow = moreFollow
        self.identification = identification
    }

    /// Whether the packet is the whole datagram, possibly with an IPv6 Fragment header nevertheless (an atomic fragment, RFC 6946).
    @inline(always)
    public var isWhole: Bool { offset == 0 && !moreFollow }

    /// RFC 791 §3.2, RFC 8200 §4.5: no datagram is longer than this. Whether a length is a multiple of 8 is checked by the code that
    /// reassembles.
    @inline(always)
    func check(length: Int) throws(WireError) {
        if offset + length > 65_535 { throw .fragmentBeyondLimit(end: offset + length) }
    }
}
