// SPDX-License-Identifier: Apache-2.0
/// A word of a zone file. Escapes are still in it, because their meaning depends on the field: `\.` is part of a label in a name and a dot
/// in a string.
struct PresentationToken {
    var text: ArraySlice<UInt8>
    var isQuoted = false

    var string: String { String(decoding: text, as: UTF8.self) }
}

/// One record or directive, which may span lines in parentheses (RFC 1035 §5.1).
struct PresentationEntry {
    var tokens: [PresentationToken] = []
    /// Whether it starts with blanks, which means the previous record's name.
    var startsWithBlank = false
    /// The line at which it starts, from 1.
    var line: Int
}

/// Splits a zone file into entries and words: quotes, escapes, parentheses and comments of RFC 1035 §5.1.
struct PresentationScanner {
    private let text: [UInt8]
    private var position = 0
    private(set) var line = 1
    /// The number of open parentheses.
    private var depth = 0

    init(_ text: some StringProtocol) {
        self.text = Array(text.utf8)
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    /// The next entry with any words, `nil` at the end of the text.
    mutating func nextEntry() throws(PresentationError) -> PresentationEntry? {
        var entry = PresentationEntry(line: line)
        depth = 0
        var isAtLineStart = true
        while let character = next {
            switch character {
            case UInt8(ascii: "\n"):
                position += 1
                line += 1
                if depth > 0 { continue }
                if !entry.tokens.isEmpty { return entry }
                entry = PresentationEntry(line: line)
                isAtLineStart = true
                continue
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                position += 1
                if isAtLineStart { entry.startsWithBlank = true }
            case UInt8(ascii: ";"):
                while let skipped = next, skipped != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "("):
                position += 1
                depth += 1
            case UInt8(ascii: ")"):
                position += 1
                if depth == 0 { throw .unbalancedParenthesis }
                depth -= 1
            default:
                entry.tokens.append(try takeToken())
            }
            isAtLineStart = false
        }
        if depth > 0 { throw .unbalancedParenthesis }
        return entry.tokens.isEmpty ? nil : entry
    }

    /// Skips the rest of an invalid entry: to the end of its line, or until its parentheses close.
    mutating func skipEntry() {
        while let character = next, character != UInt8(ascii: "\n") || depth > 0 {
            position += 1
            switch character {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth = max(0, depth - 1)
            default: break
            }
        }
    }

    /// Takes a word. It may contain a quoted part, as in `alpn="h2,h3"`; a wholly quoted word loses its quotes.
    private mutating func takeToken() throws(PresentationError) -> PresentationToken {
        let quote = UInt8(ascii: "\"")
        let start = position
        let isQuoted = next == quote
        var isInside = false
        scan: while let character = next {
            switch character {
            case UInt8(ascii: "\\"):
                position = min(position + 2, text.count)
                continue
            case quote:
                isInside.toggle()
                if isQuoted, !isInside {
                    position += 1
                    return PresentationToken(text: text[(start + 1)..<(position - 1)], isQuoted: true)
                }
            case UInt8(ascii: "\n"):
                break scan
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ";"), UInt8(ascii: "("),
                UInt8(ascii: ")"):
                if !isInside { break scan }
            default:
                break
            }
            position += 1
        }
        if isInside { throw .unbalancedQuote }
        return PresentationToken(text: text[start..<position])
    }
}
