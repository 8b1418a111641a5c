// SPDX-License-Identifier: Apache-2.0
import Wire

// The fields of record data, from their octets to their words in a zone file.

enum RecordFieldText {
    /// `nil` if the type is opaque, or the octets do not have its layout.
    static func text(of type: RecordType, _ octets: [UInt8]) -> String? {
        guard let fields = type.fields else { return nil }
        var reader = RecordReader(octets.span)
        var words: [String] = []
        for field in fields {
            guard let text = try? take(field, from: &reader) else { return nil }
            if !text.isEmpty { words.append(text) }
        }
        return reader.available == 0 ? words.joined(separator: " ") : nil
    }

    private static func take(_ field: RecordField, from reader: inout RecordReader) throws(MessageError) -> String? {
        switch field {
        case .ipv4, .ipv6: return nil
        case .integer8: return try reader.takeInteger8().description
        case .integer16: return try reader.takeInteger16().description
        case .integer32, .duration: return try reader.takeInteger32().description
        case .timestamp: return PresentationTime.text(timestamp: try reader.takeInteger32())
        case .recordType: return RecordType(rawValue: try reader.takeInteger16()).description
        case .name: return try reader.takeName().description
        case .string: return quoted(try reader.takeString())
        case .strings:
            var words = [quoted(try reader.takeString())]
            while reader.available > 0 { words.append(quoted(try reader.takeString())) }
            return words.joined(separator: " ")
        case .text: return quoted(try reader.takeRest())
        case .hexadecimal: return Hexadecimal.encode(try reader.takeRest())
        case .salt:
            let salt = try reader.takeString()
            return salt.isEmpty ? "-" : Hexadecimal.encode(salt)
        case .hash: return BitEncoding.base32Hex.encode(try reader.takeString())
        case .base64: return BitEncoding.base64.encode(try reader.takeRest())
        case .typeBitmap:
            return TypeBitmap.decode(try reader.takeRest()[...])?.map(\.description).joined(separator: " ")
        case .serviceParameters:
            guard let parameters = ServiceParameter.decode(try reader.takeRest()[...]) else { return nil }
            let words = parameters.compactMap(\.presentation)
            return words.count == parameters.count ? words.joined(separator: " ") : nil
        }
    }

    private static func quoted(_ octets: [UInt8]) -> String { "\"\(escapedText(octets[...]))\"" }
}

extension RecordReader {
    /// A character-string (RFC 1035 §3.3), without its length octet.
    mutating func takeString() throws(MessageError) -> [UInt8] { try take(Int(try takeInteger8())) }

    mutating func takeRest() throws(MessageError) -> [UInt8] { try take(available) }
}

/// Octets as the inside of a quoted string.
func escapedText(_ octets: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    for octet in octets {
        if octet == UInt8(ascii: " ") {
            text.append(octet)
        } else {
            appendEscaped(octet, to: &text, special: quotedSpecials)
        }
    }
    return String(decoding: text, as: UTF8.self)
}

private let quotedSpecials = Array(#""\"#.utf8)
