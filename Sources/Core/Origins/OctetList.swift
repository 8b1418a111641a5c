// SPDX-License-Identifier: Apache-2.0

/// Four numbers between commas, in one line, as IPv4 addresses appear in programs: `Ipv4Addr::new(198, 51, 100, 10)`, `{198,51,100,10}`, and
/// in Java `{(byte) 198, 51, 100, 10}`.
struct OctetList {
    private var bits: UInt32 = 0
    private var count = 0
    /// The current number, while it continues.
    private var number: UInt32?
    private var isBehindComma = false
    /// The octets of a cast that have been read.
    private var castLength = 0
    /// The start of the first number.
    private var start = 0

    /// Calls `body` with every list of four octets, as the bits of an address.
    static func forEach(in octets: Span<UInt8>, _ body: (_ bits: UInt32, _ offset: Int) -> Void) {
        var list = OctetList()
        for offset in octets.indices {
            if let bits = list.append(octets[offset], at: offset) { body(bits, list.start) }
        }
        if let bits = list.append(0, at: octets.count) { body(bits, list.start) }
    }

    /// - Returns: the numbers as an address, if this octet follows the fourth of four.
    private mutating func append(_ octet: UInt8, at offset: Int) -> UInt32? {
        if number == nil, Self.cast.indices.contains(castLength), octet == Self.cast[castLength] {
            castLength += 1
            return nil
        }
        castLength = 0
        switch octet {
        case 0x30...0x39:
            if number == nil, count > 0, !isBehindComma { count = 0 }
            if number == nil, count == 0 { start = offset }
            isBehindComma = false
            number = min(1000, (number ?? 0) * 10 + UInt32(octet - 0x30))
            return nil
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            take()
            return nil
        case UInt8(ascii: ","):
            take()
            isBehindComma = true
            return nil
        default:
            take()
            defer { (count, isBehindComma) = (0, false) }
            return count == 4 && !isBehindComma ? bits : nil
        }
    }

    /// Java needs it for a number above 127.
    private static let cast = Array("(byte)".utf8)

    private mutating func take() {
        guard let ended = number.take() else { return }
        // More than four numbers are another list, which continues to its own end.
        (bits, count) = ended < 256 && count < 5 ? (bits << 8 | ended, count + 1) : (0, 5)
    }
}
