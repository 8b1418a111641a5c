// SPDX-License-Identifier: Apache-2.0
extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let `return` = UInt8(ascii: "\r")
    static let tab = UInt8(ascii: "\t")
    static let space = UInt8(ascii: " ")
    static let slash = UInt8(ascii: "/")
    static let star = UInt8(ascii: "*")
    static let hash = UInt8(ascii: "#")
    static let dot = UInt8(ascii: ".")
    static let colon = UInt8(ascii: ":")
    static let backslash = UInt8(ascii: "\\")
    static let quotationMark = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let backtick = UInt8(ascii: "`")
    static let openingParenthesis = UInt8(ascii: "(")
    static let closingParenthesis = UInt8(ascii: ")")
    static let openingBracket = UInt8(ascii: "[")
    static let closingBracket = UInt8(ascii: "]")
    static let closingBrace = UInt8(ascii: "}")

    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Letters, the underscore, the dollar sign, and all non-ASCII octets.
    var isIdentifier: Bool {
        (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) || self == 0x5f || self == 0x24 || self >= 0x80
    }
}
