// SPDX-License-Identifier: Apache-2.0
import Wire

/// Addresses in a payload in an unusual notation.
enum WrittenOtherwise {
    /// The octets without percent encoding (RFC 3986 §2.1) and JSON's `\u00XX` and `\/`, with the original offset of each; `nil` if there
    /// is no such encoding.
    static func unescaped(_ octets: [UInt8]) -> (octets: [UInt8], offsets: [Int])? {
        guard octets.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }) else { return nil }
        var result: [UInt8] = []
        var offsets: [Int] = []
        var position = 0
        while position < octets.count {
            var octet = octets[position]
            var count = 1
            if octet == UInt8(ascii: "%"), let value = number(octets, at: position + 1, digits: 2) {
                (octet, count) = (UInt8(truncatingIfNeeded: value), 3)
            } else if octet == UInt8(ascii: "\\"), position + 1 < octets.count {
                let next = octets[position + 1]
                if next == UInt8(ascii: "u"), let value = number(octets, at: position + 2, digits: 4), value < 128 {
                    (octet, count) = (UInt8(truncatingIfNeeded: value), 6)
                } else if next == UInt8(ascii: "/") {
                    (octet, count) = (next, 2)
                }
            }
            result.append(octet)
            offsets.append(position)
            position += count
        }
        return (result, offsets)
    }

    private static func number(_ octets: [UInt8], at start: Int, digits: Int) -> Int? {
        guard start + digits <= octets.count else { return nil }
        let text = octets[start..<(start + digits)]
        guard text.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xdf) }) else { return nil }
        return Int(String(decoding: text, as: UTF8.self), radix: 16)
    }

    /// Six numbers between commas, the first four of which are an address: `227 Entering Passive Mode (198,51,100,23,171,163)`.
    static func betweenCommas(_ octets: [UInt8]) -> [(offset: Int, address: IPv4Address)] {
        var found: [(offset: Int, address: IPv4Address)] = []
        var numbers: [Int] = []
        var start = 0
        var digits: Int?
        func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }
        for position in 0...octets.count {
            let octet = position < octets.count ? octets[position] : 0
            if isDigit(octet) {
                if digits == nil, numbers.isEmpty { start = position }
                digits = min(1000, (digits ?? 0) * 10 + Int(octet - 0x30))
                continue
            }
            if let number = digits { numbers.append(number) }
            let isNumber = digits != nil
            digits = nil
            if octet == UInt8(ascii: ","), isNumber { continue }
            if numbers.count == 6, numbers.allSatisfy({ $0 < 256 }) {
                found.append((start, IPv4Address(bits: numbers.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })))
            }
            numbers.removeAll()
        }
        return found
    }
}
