// SPDX-License-Identifier: Apache-2.0
import TestPackets

/// Checks the quote of an ICMP error, parsed independently of Wire's layouts.
enum QuoteVerdict {
    /// Why the error's quote is wrong; `nil` if it is right. `error` must be an ICMP error.
    static func problem(of error: PacketVerdict) -> String? {
        let isIPv6 = error.source.count == 16
        let quote = error.payload.dropFirst(8)
        guard let version = quote.first.map({ $0 >> 4 }) else { return "nothing is quoted" }
        if version != (isIPv6 ? 6 : 4) { return "a packet of the other family is quoted" }
        let header = isIPv6 ? 40 : Int(quote[quote.startIndex] & 0xf) * 4
        if quote.count < header { return "\(quote.count) octets of a header of \(header) are quoted" }
        if !isIPv6 && slowChecksum(Array(quote.prefix(header))) != 0 { return "the quoted header's checksum is wrong" }
        return lengthProblem(of: error, isIPv6: isIPv6)
    }

    /// RFC 4884 §4: a length other than 0 is at least 128 octets, and extensions follow.
    private static func lengthProblem(of error: PacketVerdict, isIPv6: Bool) -> String? {
        let types: [UInt8] = isIPv6 ? [1, 3] : [3, 11, 12]
        guard let type = error.payload.first, types.contains(type) else { return nil }
        let length = isIPv6 ? Int(error.payload[4]) * 8 : Int(error.payload[5]) * 4
        if length == 0 { return nil }
        let quoted = error.payload.count - 8
        return length >= 128 && length <= quoted ? nil : "a length of \(length) for \(quoted) octets"
    }
}
