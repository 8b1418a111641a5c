// SPDX-License-Identifier: Apache-2.0
/// The fixed part of a message (RFC 1035 §4.1.1, flags AD and CD from RFC 4035 §3.1).
///
///      0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
///     +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
///     |                      ID                       |
///     |QR|   Opcode  |AA|TC|RD|RA| 0|AD|CD|   RCODE   |
///     |                    QDCOUNT                    |
///     |                    ANCOUNT                    |
///     |                    NSCOUNT                    |
///     |                    ARCOUNT                    |
///     +--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+--+
public struct MessageHeader: Hashable, Sendable {
    public static let length = 12

    public var id: UInt16
    public var flags: MessageFlags
    public var questionCount: UInt16
    public var answerCount: UInt16
    public var authorityCount: UInt16
    public var additionalCount: UInt16

    /// Reads the header alone. If this succeeds, a reply is possible, as its identifier is known, whatever follows.
    public init(_ bytes: Span<UInt8>) throws(MessageError) {
        guard bytes.count >= Self.length else {
            throw .truncated(needed: Self.length, available: bytes.count)
        }
        var reader = RecordReader(bytes)
        id = try reader.takeInteger16()
        flags = MessageFlags(rawValue: try reader.takeInteger16())
        questionCount = try reader.takeInteger16()
        answerCount = try reader.takeInteger16()
        authorityCount = try reader.takeInteger16()
        additionalCount = try reader.takeInteger16()
    }
}

/// The second word of the header.
public struct MessageFlags: OptionSet, Codable, Hashable, Sendable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// QR
    public static let response = MessageFlags(rawValue: 0x8000)
    /// AA
    public static let authoritativeAnswer = MessageFlags(rawValue: 0x0400)
    /// TC
    public static let truncated = MessageFlags(rawValue: 0x0200)
    /// RD
    public static let recursionDesired = MessageFlags(rawValue: 0x0100)
    /// RA
    public static let recursionAvailable = MessageFlags(rawValue: 0x0080)
    /// AD: in a query, the client understands the bit (RFC 6840 §5.7).
    public static let authenticData = MessageFlags(rawValue: 0x0020)
    /// CD
    public static let checkingDisabled = MessageFlags(rawValue: 0x0010)

    public var opcode: Opcode {
        get { Opcode(rawValue: UInt8(rawValue >> 11) & 15) }
        set { rawValue = rawValue & ~0x7800 | UInt16(newValue.rawValue & 15) << 11 }
    }

    /// The lower four bits of the response code; EDNS contains the rest (RFC 6891 §6.1.3).
    var lowResponseCode: UInt16 {
        get { rawValue & 15 }
        set { rawValue = rawValue & ~15 | newValue & 15 }
    }
}

/// The kind of query (RFC 1035 §4.1.1).
public struct Opcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let query = Opcode(rawValue: 0)
    public static let notify = Opcode(rawValue: 4)
    public static let update = Opcode(rawValue: 5)
}

/// The result of a query: 12 bits, four of them in the header (RFC 6895 §2.3).
public struct ResponseCode: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: UInt16

    @inline(always)
    public init(rawValue: UInt16) {
        self.rawValue = rawValue & 0xfff
    }

    public static let noError = ResponseCode(rawValue: 0)
    public static let formatError = ResponseCode(rawValue: 1)
    public static let serverFailure = ResponseCode(rawValue: 2)
    public static let nameError = ResponseCode(rawValue: 3)
    public static let notImplemented = ResponseCode(rawValue: 4)
    public static let refused = ResponseCode(rawValue: 5)
    public static let nameShouldNotExist = ResponseCode(rawValue: 6)
    public static let badVersion = ResponseCode(rawValue: 16)

    private static let names = [
        "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED", "YXDOMAIN", "YXRRSET", "NXRRSET", "NOTAUTH",
        "NOTZONE", "DSOTYPENI",
    ]
}

extension ResponseCode: CustomStringConvertible {
    /// The name as in `dig`, or `RCODE` and the number.
    public var description: String {
        if self == .badVersion { return "BADVERS" }
        return Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "RCODE\(rawValue)"
    }

    /// Reads a name in any case, or `RCODE` and a number.
    public init?(_ text: some StringProtocol) {
        let upper = text.uppercased()
        if upper == "BADVERS" {
            self = .badVersion
        } else if let index = Self.names.firstIndex(of: upper) {
            self.init(rawValue: UInt16(index))
        } else if upper.hasPrefix("RCODE"), let number = UInt16(digits: upper.dropFirst(5)), number < 4096 {
            self.init(rawValue: number)
        } else {
            return nil
        }
    }
}
