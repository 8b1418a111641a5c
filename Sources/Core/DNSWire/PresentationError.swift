// SPDX-License-Identifier: Apache-2.0
/// Why a text is not a record. The descriptions are for the text's author: the error, and its correction.
public enum PresentationError: Error, Equatable, Sendable {
    case emptyLine
    case missingType
    case unknownType(String)
    case metaType(RecordType)
    case badName(String, DomainNameError)
    /// The text ends before the data is complete.
    case missingField(RecordType, expected: String)
    case badField(RecordType, text: String, expected: String)
    /// More text than the data has fields.
    case excessText(RecordType, text: String)
    case unbalancedQuote
    case unbalancedParenthesis
    /// More than one record instead of a single one.
    case excessLine
    /// Data in the \# form of RFC 3597 whose length does not match, or which is invalid for this type.
    case badOpaqueData(RecordType)
    /// Data that does not fit into the 65,535 octets of a record.
    case dataTooLong(RecordType, length: Int)
    case badDirective(String)
}

extension PresentationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .emptyLine: "no record: \(Self.example)"
        case .missingType: "no record type: \(Self.example)"
        case .unknownType(let text):
            "\"\(text)\" is no record type, class or TTL: \(Self.example); a type without a name is written TYPE and its number"
        case .metaType(let type): "\(type) is a type to ask with, not one of a record"
        case .badName(let text, let error): "\"\(text)\" is no domain name: \(error)"
        case .missingField(let type, let expected):
            "the data of the \(type) record is incomplete: \(expected) is missing"
        case .badField(let type, let text, let expected):
            "\"\(text)\" does not belong into the \(type) record: expected \(expected)"
        case .excessText(let type, let text): "\"\(text)\" is more than the data of the \(type) record takes"
        case .unbalancedQuote: "a quotation mark is not closed"
        case .unbalancedParenthesis: "a parenthesis is not closed, or was not opened"
        case .excessLine: "more than one line: one record was expected"
        case .badOpaqueData(let type):
            "the data of the \(type) record behind \\# is not that type's, or not of the length it says: "
                + "write \\# LENGTH HEXADECIMAL, such as \\# 4 C0000201"
        case .dataTooLong(let type, let length):
            "the data of the \(type) record has \(length) octets; 65535 is the most"
        case .badDirective(let text):
            "\"\(text)\" is no directive, or its value is wrong: write $ORIGIN NAME or $TTL TIME"
        }
    }

    private static let example = "write NAME [TTL] [CLASS] TYPE DATA, such as shop.test. 300 IN A 192.0.2.1"
}
