// SPDX-License-Identifier: Apache-2.0
/// The ICMP header, the same for both families (RFC 792, RFC 4443 §2.1).
///
///      0               8               16              24           31
///     +---------------+---------------+-------------------------------+
///  0  | Type          | Code          | Checksum                      |
///     +---------------+---------------+-------------------------------+
///  4  | by type: identifier and sequence number, or pointer, or MTU   |
///     +---------------------------------------------------------------+
public enum ICMPHeader {
    @inlinable public static var type: Int { 0 }
    @inlinable public static var code: Int { 1 }
    @inlinable public static var checksum: Int { 2 }
    @inlinable public static var rest: Int { 4 }
    @inlinable public static var length: Int { 8 }

    // Echo and Echo Reply.
    @inlinable public static var identifier: Int { 4 }
    @inlinable public static var sequenceNumber: Int { 6 }

    /// RFC 4884 §3: the length of the quoted datagram, in 32-bit words in ICMPv4.
    @inlinable public static var quoteLength4: Int { 5 }
    /// RFC 4884 §3: the length of the quoted datagram, in 64-bit words in ICMPv6.
    @inlinable public static var quoteLength6: Int { 4 }

    /// The fields of a header, for building one. The caller fills in the checksum.
    public struct Fields: Hashable, Sendable {
        public var type: UInt8
        public var code: UInt8
        public var rest: UInt32

        @inlinable
        public init(type: UInt8, code: UInt8 = 0, rest: UInt32 = 0) {
            self.type = type
            self.code = code
            self.rest = rest
        }

        /// Writes 8 octets at `offset`, with a checksum field of zero.
        public func write(to bytes: inout MutableSpan<UInt8>, at offset: Int) {
            bytes.setUInt16(UInt16(type) << 8 | UInt16(code), at: offset + ICMPHeader.type)
            bytes.setUInt16(0, at: offset + checksum)
            bytes.setUInt32(rest, at: offset + ICMPHeader.rest)
        }
    }
}

/// The types of ICMPv4 (RFC 792 and the registry).
public enum ICMPv4Type {
    @inlinable public static var echoReply: UInt8 { 0 }
    @inlinable public static var destinationUnreachable: UInt8 { 3 }
    @inlinable public static var sourceQuench: UInt8 { 4 }
    @inlinable public static var redirect: UInt8 { 5 }
    @inlinable public static var echoRequest: UInt8 { 8 }
    @inlinable public static var timeExceeded: UInt8 { 11 }
    @inlinable public static var parameterProblem: UInt8 { 12 }

    /// The types that quote a packet (RFC 1122 §3.2.2).
    @inlinable public static func isError(_ type: UInt8) -> Bool {
        type == destinationUnreachable || type == sourceQuench || type == redirect || type == timeExceeded
            || type == parameterProblem
    }

    /// The types with a length attribute (RFC 4884 §4).
    @inlinable public static func mayHaveExtensions(_ type: UInt8) -> Bool {
        type == destinationUnreachable || type == timeExceeded || type == parameterProblem
    }
}

/// The types of ICMPv6 (RFC 4443).
public enum ICMPv6Type {
    @inlinable public static var destinationUnreachable: UInt8 { 1 }
    @inlinable public static var packetTooBig: UInt8 { 2 }
    @inlinable public static var timeExceeded: UInt8 { 3 }
    @inlinable public static var parameterProblem: UInt8 { 4 }
    @inlinable public static var echoRequest: UInt8 { 128 }
    @inlinable public static var echoReply: UInt8 { 129 }
    @inlinable public static var routerSolicitation: UInt8 { 133 }
    @inlinable public static var routerAdvertisement: UInt8 { 134 }
    @inlinable public static var neighbourSolicitation: UInt8 { 135 }
    @inlinable public static var neighbourAdvertisement: UInt8 { 136 }
    @inlinable public static var redirect: UInt8 { 137 }

    /// RFC 4443 §2.1: "Error messages are identified as such by a zero in the high-order bit of their message Type field
    /// values."
    @inlinable public static func isError(_ type: UInt8) -> Bool { type < 128 }

    /// The types with a length attribute (RFC 4884 §4).
    @inlinable public static func mayHaveExtensions(_ type: UInt8) -> Bool {
        type == destinationUnreachable || type == timeExceeded
    }
}
