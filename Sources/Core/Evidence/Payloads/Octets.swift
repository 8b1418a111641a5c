// SPDX-License-Identifier: Apache-2.0
/// Octets that JSON represents as one string, two lower-case hexadecimal digits per octet, and not as a list of numbers.
package struct Octets: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }
    package var isEmpty: Bool { bytes.isEmpty }
}

extension Octets: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var upper: UInt8?
        for digit in text.utf8 {
            guard let value = Self.value(digit) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not hexadecimal"))
            }
            if let half = upper {
                bytes.append(half << 4 | value)
                upper = nil
            } else {
                upper = value
            }
        }
        if upper != nil {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "half an octet"))
        }
        self.init(bytes)
    }

    package func encode(to encoder: any Encoder) throws {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: text, as: UTF8.self))
    }

    /// The value of a lower-case hexadecimal digit.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
