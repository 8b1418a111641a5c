// SPDX-License-Identifier: Apache-2.0
/// The contents of a message's OPT record (RFC 6891 §6.1).
///
///     name    root            class   the sender's UDP payload size
///     TTL     +----------------+---------+--+---------+
///             | extended RCODE | version |DO| zero    |
///             +----------------+---------+--+---------+
///     data    options: code, length, data
public struct EDNS: Hashable, Sendable {
    /// Sizes below 512 mean 512 (RFC 6891 §6.2.3).
    public var udpPayloadSize: UInt16
    public var version: UInt8
    /// DO: the client wants DNSSEC's records (RFC 3225).
    public var dnssecOK: Bool
    public var options: [EDNSOption]

    public init(
        udpPayloadSize: UInt16 = EDNS.defaultPayloadSize, version: UInt8 = 0, dnssecOK: Bool = false,
        options: [EDNSOption] = []
    ) {
        self.udpPayloadSize = udpPayloadSize
        self.version = version
        self.dnssecOK = dnssecOK
        self.options = options
    }

    /// Fits into the minimum IPv6 packet that every link carries, which avoids fragmentation (RFC 9715 §3).
    public static let defaultPayloadSize: UInt16 = 1232
    /// The size without EDNS, and the minimum with it (RFC 1035 §2.3.4).
    public static let smallestPayloadSize = 512

    static let dnssecOKBit: UInt32 = 0x8000
}

public struct EDNSOption: Hashable, Sendable {
    public var code: UInt16
    public var data: [UInt8]

    public init(code: UInt16, data: [UInt8]) {
        self.code = code
        self.data = data
    }
}

/// The reason for an answer, as a number and as text (RFC 8914).
public struct ExtendedError: Codable, Hashable, Sendable {
    public var infoCode: UInt16
    public var text: String

    public init(infoCode: UInt16, text: String = "") {
        self.infoCode = infoCode
        self.text = text
    }

    public static let optionCode: UInt16 = 15
    /// The answer was synthesised.
    /// "DNSSEC Bogus".
    public static let bogus: UInt16 = 6
    public static let synthesized: UInt16 = 29

    public var option: EDNSOption { EDNSOption(code: Self.optionCode, data: bigEndian(infoCode) + text.utf8) }

    /// `nil` if it is another option, or too short.
    public init?(_ option: EDNSOption) {
        guard option.code == Self.optionCode, option.data.count >= 2 else { return nil }
        infoCode = UInt16(option.data[0]) << 8 | UInt16(option.data[1])
        text = String(decoding: option.data[2...], as: UTF8.self)
    }
}

extension EDNS {
    public var extendedErrors: [ExtendedError] { options.compactMap(ExtendedError.init) }
}
