// SPDX-License-Identifier: Apache-2.0
// Octets as text in the three encodings of zone files: hexadecimal, base64 (RFC 4648 §4) and base32hex (RFC 4648 §7); and in that of URLs:
// base64url (RFC 4648 §5).

enum Hexadecimal {
    static func encode(_ octets: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var octets: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let value = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
            if let upper = high {
                octets.append(upper << 4 | UInt8(value))
                high = nil
            } else {
                high = UInt8(value)
            }
        }
        return octets
    }
}

/// An encoding whose characters carry a whole number of bits each: base64 and base64url (6), and base32hex (5).
package struct BitEncoding: Sendable {
    let alphabet: [UInt8]
    let bitsPerCharacter: Int
    /// The number of characters that form whole octets together; base64 pads shorter ends to this.
    let groupLength: Int
    let isPadded: Bool
    let ignoresCase: Bool

    package static let base64 = BitEncoding(
        alphabet: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8),
        bitsPerCharacter: 6, groupLength: 4, isPadded: true, ignoresCase: false)
    /// Without padding, as in DNS over HTTPS (RFC 8484 §6).
    package static let base64URL = BitEncoding(
        alphabet: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8),
        bitsPerCharacter: 6, groupLength: 4, isPadded: false, ignoresCase: false)
    /// Without padding, as in NSEC3's hashes (RFC 5155 §3.3).
    package static let base32Hex = BitEncoding(
        alphabet: Array("0123456789ABCDEFGHIJKLMNOPQRSTUV".utf8),
        bitsPerCharacter: 5, groupLength: 8, isPadded: false, ignoresCase: true)

    package func encode(_ octets: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var pending = 0
        var bits = 0
        for octet in octets {
            pending = pending << 8 | Int(octet)
            bits += 8
            while bits >= bitsPerCharacter {
                bits -= bitsPerCharacter
                text.append(alphabet[pending >> bits])
                pending &= 1 << bits - 1
            }
        }
        if bits > 0 { text.append(alphabet[pending << (bitsPerCharacter - bits)]) }
        while isPadded, !text.count.isMultiple(of: groupLength) { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    package func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let padding = UInt8(ascii: "=")
        let characters = isPadded ? Array(text.prefix { $0 != padding }) : Array(text)
        if isPadded {
            guard text.count.isMultiple(of: groupLength), text.dropFirst(characters.count).allSatisfy({ $0 == padding })
            else { return nil }
        }
        // If the bits left over are at least as many as a character has, or not zero, the text was cut.
        guard characters.count * bitsPerCharacter % 8 < bitsPerCharacter else { return nil }
        var octets: [UInt8] = []
        var pending = 0
        var bits = 0
        for character in characters {
            guard let value = alphabet.firstIndex(of: folded(character)) else { return nil }
            pending = pending << bitsPerCharacter | value
            bits += bitsPerCharacter
            if bits >= 8 {
                bits -= 8
                octets.append(UInt8(pending >> bits))
                pending &= 1 << bits - 1
            }
        }
        return pending == 0 ? octets : nil
    }

    private func folded(_ character: UInt8) -> UInt8 {
        ignoresCase && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character) ? character & ~0x20 : character
    }
}
