// SPDX-License-Identifier: Apache-2.0
import Wire

// The fields of record data, from their words in a zone file to their octets.

/// The words of one record's data, taken one by one.
struct PresentationFields {
    let type: RecordType
    let recordClass: RecordClass
    let origin: DomainName
    var tokens: ArraySlice<PresentationToken>

    /// The octets of the data, names uncompressed.
    mutating func takeData() throws(PresentationError) -> [UInt8] {
        if let first = tokens.first, !first.isQuoted, first.string == "\\#" { return try takeOpaque() }
        guard let fields = type.fields(in: recordClass) else {
            guard let first = tokens.first else { throw .missingField(type, expected: Self.opaqueExpectation) }
            throw .badField(type, text: first.string, expected: Self.opaqueExpectation)
        }
        var octets: [UInt8] = []
        for field in fields { octets += try take(field) }
        if let excess = tokens.first { throw .excessText(type, text: excess.string) }
        return octets
    }

    private static let opaqueExpectation = "\\# LENGTH HEXADECIMAL, the form for types without one of their own"

    /// `\# LENGTH HEXADECIMAL…` (RFC 3597 §5).
    private mutating func takeOpaque() throws(PresentationError) -> [UInt8] {
        tokens.removeFirst()
        guard let length = tokens.popFirst().flatMap({ Int($0.string) }),
            let octets = Hexadecimal.decode(tokens.flatMap(\.text)), octets.count == length
        else { throw .badOpaqueData(type) }
        tokens = []
        return octets
    }

    private mutating func take(_ field: RecordField) throws(PresentationError) -> [UInt8] {
        switch field {
        case .strings:
            var octets = try take(.string)
            while !tokens.isEmpty { octets += try take(.string) }
            return octets
        case .hexadecimal, .base64:
            // The text may be split by blanks (RFC 4034 §2.2).
            let joined = tokens.flatMap(\.text)
            guard !tokens.isEmpty else { throw .missingField(type, expected: field.expectation) }
            tokens = []
            let octets = field == .base64 ? BitEncoding.base64.decode(joined) : Hexadecimal.decode(joined)
            guard let octets else {
                throw .badField(type, text: String(decoding: joined, as: UTF8.self), expected: field.expectation)
            }
            return octets
        case .typeBitmap:
            var types: [RecordType] = []
            while let token = tokens.popFirst() {
                guard let listed = RecordType(token.string) else {
                    throw .badField(type, text: token.string, expected: field.expectation)
                }
                types.append(listed)
            }
            return TypeBitmap.encode(types)
        case .serviceParameters:
            var parameters: [ServiceParameter] = []
            while let token = tokens.popFirst() {
                guard let parameter = ServiceParameter(presentation: token.text),
                    !parameters.contains(where: { $0.key == parameter.key })
                else { throw .badField(type, text: token.string, expected: field.expectation) }
                parameters.append(parameter)
            }
            return ServiceParameter.encode(parameters)
        default:
            guard let token = tokens.popFirst() else { throw .missingField(type, expected: field.expectation) }
            if field == .name { return try DomainName(token: token, origin: origin).wire }
            guard let octets = Self.octets(of: field, token) else {
                throw .badField(type, text: token.string, expected: field.expectation)
            }
            return octets
        }
    }

    /// The octets of a field that is one word.
    private static func octets(of field: RecordField, _ token: PresentationToken) -> [UInt8]? {
        let string = token.string
        switch field {
        case .ipv4: return IPv4Address(string).map { bigEndian($0.bits) }
        case .ipv6: return IPv6Address(string).map { bigEndian($0.bits) }
        case .integer8: return UInt8(digits: string).map { [$0] }
        case .integer16: return UInt16(digits: string).map(bigEndian)
        case .integer32: return UInt32(digits: string).map(bigEndian)
        case .duration: return PresentationTime.seconds(string).map(bigEndian)
        case .timestamp: return PresentationTime.timestamp(string).map(bigEndian)
        case .recordType: return RecordType(string).map { bigEndian($0.rawValue) }
        case .string: return unescaped(token.text).flatMap(lengthPrefixed)
        case .text: return unescaped(token.text)
        case .salt: return string == "-" ? [0] : Hexadecimal.decode(token.text).flatMap(lengthPrefixed)
        case .hash: return BitEncoding.base32Hex.decode(token.text).flatMap(lengthPrefixed)
        default: return nil
        }
    }

    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = text
        var octets: [UInt8] = []
        while let character = rest.first {
            // Outside names, octets above ASCII are literal.
            if character >= 0x80 {
                octets.append(character)
                rest = rest.dropFirst()
            } else if let octet = try? DomainName.takeOctet(from: &rest) {
                octets.append(octet)
            } else {
                return nil
            }
        }
        return octets
    }

    private static func lengthPrefixed(_ octets: [UInt8]) -> [UInt8]? {
        UInt8(exactly: octets.count).map { [$0] + octets }
    }
}

extension DomainName {
    init(token: PresentationToken, origin: DomainName) throws(PresentationError) {
        do {
            self = try DomainName(presentation: token.text, origin: origin)
        } catch {
            throw .badName(token.string, error)
        }
    }
}

extension FixedWidthInteger {
    /// Decimal digits alone: no sign.
    init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text, radix: 10)
    }
}

/// The octets of a number in network order.
func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
}
