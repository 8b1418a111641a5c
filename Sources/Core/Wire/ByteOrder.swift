// SPDX-License-Identifier: Apache-2.0
// Numbers in network byte order (most significant octet first) at any offset, aligned or not.
//
// Each access makes one bounds check, and traps beyond the end: that would be a bug of ours, as a layout has verified the packet before.
// "Unsafe" is the standard library's name for the reinterpretation of bytes as an integer; every bit pattern is a valid one.

extension Span where Element == UInt8 {
    @inline(always)
    public func uint16(at offset: Int) -> UInt16 {
        UInt16(bigEndian: unsafe self.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inline(always)
    public func uint32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: unsafe self.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Eight octets in memory order, for sums that do not depend on the byte order.
    @inlinable @inline(always)
    func nativeUInt64(at offset: Int) -> UInt64 {
        unsafe self.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    @inline(always)
    public func ipv4Address(at offset: Int) -> IPv4Address {
        IPv4Address(bits: uint32(at: offset))
    }

    @inline(always)
    public func ipv6Address(at offset: Int) -> IPv6Address {
        IPv6Address(
            upperHalf: UInt64(bigEndian: nativeUInt64(at: offset)),
            lowerHalf: UInt64(bigEndian: nativeUInt64(at: offset + 8)))
    }
}

extension MutableSpan where Element == UInt8 {
    @inline(always)
    public func uint16(at offset: Int) -> UInt16 { self.span.uint16(at: offset) }

    @inline(always)
    public func uint32(at offset: Int) -> UInt32 { self.span.uint32(at: offset) }

    @inline(always)
    public mutating func setUInt16(_ value: UInt16, at offset: Int) {
        var raw = unsafe self.mutableBytes
        raw.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt16.self)
    }

    @inline(always)
    public mutating func setUInt32(_ value: UInt32, at offset: Int) {
        var raw = unsafe self.mutableBytes
        raw.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
    }

    @inline(always)
    public mutating func setAddress(_ address: IPv4Address, at offset: Int) {
        setUInt32(address.bits, at: offset)
    }

    @inline(always)
    public mutating func setAddress(_ address: IPv6Address, at offset: Int) {
        var raw = unsafe self.mutableBytes
        raw.storeBytes(of: address.upperHalf.bigEndian, toByteOffset: offset, as: UInt64.self)
        raw.storeBytes(of: address.lowerHalf.bigEndian, toByteOffset: offset + 8, as: UInt64.self)
    }

    /// Moves octets to another place, which may overlap the old one.
    public mutating func move(_ range: Range<Int>, to target: Int) {
        if target < range.lowerBound {
            for index in 0..<range.count { self[target + index] = self[range.lowerBound + index] }
        } else if target > range.lowerBound {
            for index in (0..<range.count).reversed() { self[target + index] = self[range.lowerBound + index] }
        }
    }
}
