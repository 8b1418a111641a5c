// SPDX-License-Identifier: Apache-2.0
/// The offsets of the fields of the TCP header (RFC 9293 §3.1).
///
///      0               8               16              24           31
///     +-------------------------------+-------------------------------+
///  0  | Source Port                   | Destination Port              |
///     +-------------------------------+-------------------------------+
///  4  | Sequence Number                                               |
///     +---------------------------------------------------------------+
///  8  | Acknowledgment Number                                         |
///     +-------+-------+---------------+-------------------------------+
/// 12  |DataOff| Rsrvd |C E U A P R S F| Window                        |
///     +-------+-------+---------------+-------------------------------+
/// 16  | Checksum                      | Urgent Pointer                |
///     +-------------------------------+-------------------------------+
public enum TCPHeader {
    @inlinable public static var sourcePort: Int { 0 }
    @inlinable public static var destinationPort: Int { 2 }
    @inlinable public static var sequenceNumber: Int { 4 }
    @inlinable public static var acknowledgmentNumber: Int { 8 }
    @inlinable public static var dataOffset: Int { 12 }
    @inlinable public static var flags: Int { 13 }
    @inlinable public static var window: Int { 14 }
    @inlinable public static var checksum: Int { 16 }
    /// Octets of a header without options.
    @inlinable public static var length: Int { 20 }

    /// The control bits.
    public struct Flags: OptionSet, Hashable, Sendable {
        public var rawValue: UInt8
        @inline(always)
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        @inlinable public static var fin: Flags { Flags(rawValue: 0x01) }
        @inlinable public static var syn: Flags { Flags(rawValue: 0x02) }
        @inlinable public static var rst: Flags { Flags(rawValue: 0x04) }
        @inlinable public static var psh: Flags { Flags(rawValue: 0x08) }
        @inlinable public static var ack: Flags { Flags(rawValue: 0x10) }
        @inlinable public static var urg: Flags { Flags(rawValue: 0x20) }
        @inlinable public static var ece: Flags { Flags(rawValue: 0x40) }
        @inlinable public static var cwr: Flags { Flags(rawValue: 0x80) }
    }

    /// The fields of a header without options, for building one. The caller fills in the checksum.
    public struct Fields: Hashable, Sendable {
        public var sourcePort: UInt16
        public var destinationPort: UInt16
        public var sequenceNumber: UInt32
        public var acknowledgmentNumber: UInt32
        public var flags: Flags
        public var window: UInt16

        @inlinable
        public init(
            sourcePort: UInt16, destinationPort: UInt16, sequenceNumber: UInt32 = 0, acknowledgmentNumber: UInt32 = 0,
            flags: Flags, window: UInt16 = 0
        ) {
            self.sourcePort = sourcePort
            self.destinationPort = destinationPort
            self.sequenceNumber = sequenceNumber
            self.acknowledgmentNumber = acknowledgmentNumber
            self.flags = flags
            self.window = window
        }

        /// Writes 20 octets at `offset`, with a checksum field of zero.
        public func write(to bytes: inout MutableSpan<UInt8>, at offset: Int) {
            bytes.setUInt16(sourcePort, at: offset + TCPHeader.sourcePort)
            bytes.setUInt16(destinationPort, at: offset + TCPHeader.destinationPort)
            bytes.setUInt32(sequenceNumber, at: offset + TCPHeader.sequenceNumber)
            bytes.setUInt32(acknowledgmentNumber, at: offset + TCPHeader.acknowledgmentNumber)
            bytes.setUInt16(0x5000 | UInt16(flags.rawValue), at: offset + dataOffset)
            bytes.setUInt16(window, at: offset + TCPHeader.window)
            bytes.setUInt32(0, at: offset + checksum)
        }
    }
}

/// The UDP header (RFC 768).
///
///      0               8               16              24           31
///     +-------------------------------+-------------------------------+
///  0  | Source Port                   | Destination Port              |
///     +-------------------------------+-------------------------------+
///  4  | Length                        | Checksum                      |
///     +-------------------------------+-------------------------------+
public enum UDPHeader {
    @inlinable public static var sourcePort: Int { 0 }
    @inlinable public static var destinationPort: Int { 2 }
    @inlinable public static var udpLength: Int { 4 }
    @inlinable public static var checksum: Int { 6 }
    @inlinable public static var length: Int { 8 }

    /// The fields of a header, for building one. The caller fills in the checksum.
    public struct Fields: Hashable, Sendable {
        public var sourcePort: UInt16
        public var destinationPort: UInt16
        public var udpLength: UInt16

        @inlinable
        public init(sourcePort: UInt16, destinationPort: UInt16, udpLength: UInt16) {
            self.sourcePort = sourcePort
            self.destinationPort = destinationPort
            self.udpLength = udpLength
        }

        /// Writes 8 octets at `offset`, with a checksum field of zero.
        public func write(to bytes: inout MutableSpan<UInt8>, at offset: Int) {
            bytes.setUInt16(sourcePort, at: offset + UDPHeader.sourcePort)
            bytes.setUInt16(destinationPort, at: offset + UDPHeader.destinationPort)
            bytes.setUInt16(udpLength, at: offset + UDPHeader.udpLength)
            bytes.setUInt16(0, at: offset + checksum)
        }
    }
}
