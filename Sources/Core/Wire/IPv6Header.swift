// SPDX-License-Identifier: Apache-2.0
/// The offsets of the fields of the IPv6 header (RFC 8200 §3).
///
///      0               8               16              24           31
///     +-------+---------------+---------------------------------------+
///  0  |Version| Traffic Class | Flow Label                            |
///     +-------+---------------+-------+---------------+---------------+
///  4  | Payload Length                | Next Header   | Hop Limit     |
///     +-------------------------------+---------------+---------------+
///  8  | Source Address (16 octets)                                    |
///     +---------------------------------------------------------------+
/// 24  | Destination Address (16 octets)                               |
///     +---------------------------------------------------------------+
public enum IPv6Header {
    @inlinable public static var versionClassAndFlow: Int { 0 }
    @inlinable public static var payloadLength: Int { 4 }
    @inlinable public static var nextHeader: Int { 6 }
    @inlinable public static var hopLimit: Int { 7 }
    @inlinable public static var source: Int { 8 }
    @inlinable public static var destination: Int { 24 }
    @inlinable public static var length: Int { 40 }

    /// The smallest MTU that an IPv6 link may have (RFC 8200 §5).
    @inlinable public static var minimumMTU: Int { 1280 }

    /// The fields of a header, for building one.
    public struct Fields: Hashable, Sendable {
        public var trafficClass: UInt8 = 0
        /// 20 bits.
        public var flowLabel: UInt32 = 0
        public var payloadLength: UInt16
        public var nextHeader: IPProtocol
        public var hopLimit: UInt8 = 64
        public var source: IPv6Address
        public var destination: IPv6Address

        @inlinable
        public init(payloadLength: UInt16, nextHeader: IPProtocol, source: IPv6Address, destination: IPv6Address) {
            self.payloadLength = payloadLength
            self.nextHeader = nextHeader
            self.source = source
            self.destination = destination
        }

        /// Writes 40 octets at `offset`.
        @inlinable
        public func write(to bytes: inout MutableSpan<UInt8>, at offset: Int = 0) {
            let first = 6 << 28 | UInt32(trafficClass) << 20 | flowLabel & 0xf_ffff
            bytes.setUInt32(first, at: offset + versionClassAndFlow)
            bytes.setUInt16(payloadLength, at: offset + IPv6Header.payloadLength)
            bytes.setUInt16(
                UInt16(nextHeader.rawValue) << 8 | UInt16(hopLimit), at: offset + IPv6Header.nextHeader)
            bytes.setAddress(source, at: offset + IPv6Header.source)
            bytes.setAddress(destination, at: offset + IPv6Header.destination)
        }
    }
}

/// The Fragment header of IPv6 (RFC 8200 §4.5).
///
///      0               8               16                      29   31
///     +---------------+---------------+-------------------------+---+-+
///  0  | Next Header   | Reserved      | Fragment Offset         |Res|M|
///     +---------------+---------------+-------------------------+---+-+
///  4  | Identification                                                |
///     +---------------------------------------------------------------+
public enum IPv6FragmentHeader {
    @inlinable public static var nextHeader: Int { 0 }
    @inlinable public static var offsetAndFlag: Int { 2 }
    @inlinable public static var identification: Int { 4 }
    @inlinable public static var length: Int { 8 }

    @inlinable public static var moreFragments: UInt16 { 1 }
    /// The field masked with these bits is the offset in octets.
    @inlinable public static var offsetMask: UInt16 { 0xfff8 }

    /// The fields of a header, for building one.
    public struct Fields: Hashable, Sendable {
        public var nextHeader: IPProtocol
        /// In octets, a multiple of 8.
        public var fragmentOffset: Int
        public var moreFragments: Bool
        public var identification: UInt32

        @inlinable
        public init(nextHeader: IPProtocol, fragmentOffset: Int, moreFragments: Bool, identification: UInt32) {
            self.nextHeader = nextHeader
            self.fragmentOffset = fragmentOffset
            self.moreFragments = moreFragments
            self.identification = identification
        }

        /// Writes 8 octets at `offset`.
        @inlinable
        public func write(to bytes: inout MutableSpan<UInt8>, at offset: Int) {
            bytes.setUInt16(UInt16(nextHeader.rawValue) << 8, at: offset + IPv6FragmentHeader.nextHeader)
            let field = UInt16(truncatingIfNeeded: fragmentOffset) & offsetMask | (moreFragments ? 1 : 0)
            bytes.setUInt16(field, at: offset + offsetAndFlag)
            bytes.setUInt32(identification, at: offset + IPv6FragmentHeader.identification)
        }
    }
}

/// The common fields of the extension headers of RFC 8200 §4, and the Routing header's own fields (§4.4).
///
///      0               8               16              24           31
///     +---------------+---------------+---------------+---------------+
///  0  | Next Header   | Hdr Ext Len   | Routing Type  | Segments Left |
///     +---------------+---------------+---------------+---------------+
public enum IPv6ExtensionHeader {
    @inlinable public static var nextHeader: Int { 0 }
    /// In units of 8 octets, not counting the first one.
    @inlinable public static var extensionLength: Int { 1 }
    @inlinable public static var segmentsLeft: Int { 3 }
    @inlinable public static var unit: Int { 8 }
}
