// SPDX-License-Identifier: Apache-2.0
/// The offsets of the fields of the IPv4 header (RFC 791 §3.1).
///
///      0               8               16              24           31
///     +-------+-------+---------------+-------------------------------+
///  0  |Version|  IHL  | TOS           | Total Length                  |
///     +-------+-------+---------------+-----+-------------------------+
///  4  | Identification                |0 D M| Fragment Offset         |
///     +---------------+---------------+-----+-------------------------+
///  8  | Time to Live  | Protocol      | Header Checksum               |
///     +---------------+---------------+-------------------------------+
/// 12  | Source Address                                                |
///     +---------------------------------------------------------------+
/// 16  | Destination Address                                           |
///     +---------------------------------------------------------------+
/// 20  | Options, up to IHL × 4 octets in all                          |
///     +---------------------------------------------------------------+
public enum IPv4Header {
    @inlinable public static var versionAndLength: Int { 0 }
    @inlinable public static var tos: Int { 1 }
    @inlinable public static var totalLength: Int { 2 }
    @inlinable public static var identification: Int { 4 }
    @inlinable public static var flagsAndOffset: Int { 6 }
    @inlinable public static var ttl: Int { 8 }
    @inlinable public static var protocolNumber: Int { 9 }
    @inlinable public static var checksum: Int { 10 }
    @inlinable public static var source: Int { 12 }
    @inlinable public static var destination: Int { 16 }
    /// Octets of a header without options.
    @inlinable public static var length: Int { 20 }

    @inlinable public static var dontFragment: UInt16 { 0x4000 }
    @inlinable public static var moreFragments: UInt16 { 0x2000 }
    /// The offset, in units of 8 octets.
    @inlinable public static var offsetMask: UInt16 { 0x1fff }

    /// RFC 1812 §5.3.1: decrements the TTL, and updates the header checksum (RFC 1624).
    public static func decrementTTL(_ bytes: inout MutableSpan<UInt8>) {
        let before = bytes.uint16(at: ttl)
        bytes[ttl] &-= 1
        var difference = InternetChecksum()
        difference.subtract(before)
        difference.add(bytes.uint16(at: ttl))
        bytes.setUInt16(difference.applied(toChecksum: bytes.uint16(at: checksum)), at: checksum)
    }

    /// The fields of a header without options, for building one.
    public struct Fields: Hashable, Sendable {
        public var tos: UInt8 = 0
        public var totalLength: UInt16
        public var identification: UInt16 = 0
        public var dontFragment = false
        public var moreFragments = false
        /// In octets, a multiple of 8.
        public var fragmentOffset = 0
        public var ttl: UInt8 = 64
        public var protocolNumber: IPProtocol
        public var source: IPv4Address
        public var destination: IPv4Address

        @inlinable
        public init(
            totalLength: UInt16, protocolNumber: IPProtocol, source: IPv4Address, destination: IPv4Address
        ) {
            self.totalLength = totalLength
            self.protocolNumber = protocolNumber
            self.source = source
            self.destination = destination
        }

        /// Writes 20 octets at `offset`, including the header checksum.
        @inlinable
        public func write(to bytes: inout MutableSpan<UInt8>, at offset: Int = 0) {
            let flagsAndOffset =
                UInt16(truncatingIfNeeded: fragmentOffset >> 3) & offsetMask
                | (IPv4Header.dontFragment * (dontFragment ? 1 : 0))
                | (IPv4Header.moreFragments * (moreFragments ? 1 : 0))
            var sum = InternetChecksum()
            sum.add(0x4500 | UInt16(tos))
            sum.add(totalLength)
            sum.add(identification)
            sum.add(flagsAndOffset)
            sum.add(UInt16(ttl) << 8 | UInt16(protocolNumber.rawValue))
            sum.add(source)
            sum.add(destination)
            bytes.setUInt16(0x4500 | UInt16(tos), at: offset + versionAndLength)
            bytes.setUInt16(totalLength, at: offset + IPv4Header.totalLength)
            bytes.setUInt16(identification, at: offset + IPv4Header.identification)
            bytes.setUInt16(flagsAndOffset, at: offset + IPv4Header.flagsAndOffset)
            bytes.setUInt16(UInt16(ttl) << 8 | UInt16(protocolNumber.rawValue), at: offset + IPv4Header.ttl)
            bytes.setUInt16(sum.checksum, at: offset + IPv4Header.checksum)
            bytes.setAddress(source, at: offset + IPv4Header.source)
            bytes.setAddress(destination, at: offset + IPv4Header.destination)
        }
    }
}
