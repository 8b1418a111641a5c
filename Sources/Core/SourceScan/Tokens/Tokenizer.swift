// SPDX-License-Identifier: Apache-2.0
/// Splits a source into comments, strings and identifiers, by the rules of its language.
///
/// It never fails. An unterminated token ends with its line or with the file; each step advances by at least one octet, and no octet is
/// examined more than a few times, whatever the source.
struct Tokenizer {
    private let octets: [UInt8]
    private let language: SourceLanguage
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var tokens: [Token] = []
    private var comments: [Token] = []
    /// Octets that may still be searched in vain for the end of a pattern. In a normal source, few slashes that could begin a pattern do
    /// not.
    private var patternBudget: Int

    /// The maximum number of marks before a Swift string.
    private static let hashLimit = 64

    /// - Parameter isLate: whether the time limit has passed.
    /// - Returns: `nil` if the time limit has passed.
    static func tokenize(
        _ octets: [UInt8], _ language: SourceLanguage, isLate: () -> Bool = { false }
    ) -> TokenizedSource? {
        var tokenizer = Tokenizer(octets: octets, language: language)
        guard tokenizer.run(isLate) else { return nil }
        return TokenizedSource(
            octets: octets, language: language, tokens: tokenizer.tokens, comments: tokenizer.comments)
    }

    private init(octets: [UInt8], language: SourceLanguage) {
        self.octets = octets
        self.language = language
        patternBudget = 8 * octets.count
    }

    private mutating func run(_ isLate: () -> Bool) -> Bool {
        var steps = 0
        while position < octets.count {
            steps += 1
            if steps.isMultiple(of: 4096), isLate() { return false }
            let octet = octets[position]
            if octet == .newline || octet == .space || octet == .tab || octet == .return {
                advance(to: position + 1)
            } else if let end = commentEnd() {
                let isBlock = octet == .slash && peek(1) == .star
                add(.comment, to: end, marks: language.commentsWithHash ? 1 : 2, closing: isBlock ? 2 : 0)
            } else if let string = string() {
                add(.string, to: string.end, marks: string.opening, closing: string.closing)
            } else if octet == .slash, language == .javaScript, isPatternExpected, let end = patternEnd() {
                add(.pattern, to: end, marks: 1, closing: 1)
            } else if octet.isIdentifier {
                var end = position + 1
                while end < octets.count, octets[end].isIdentifier || octets[end].isDigit { end += 1 }
                add(.identifier, to: end)
            } else if octet.isDigit {
                var end = position + 1
                while end < octets.count, octets[end].isIdentifier || octets[end].isDigit || octets[end] == .dot {
                    end += 1
                }
                add(.number, to: end)
            } else {
                add(.symbol, to: position + 1)
            }
        }
        return true
    }

    // MARK: - Positions

    private func peek(_ distance: Int) -> UInt8? {
        position + distance < octets.count ? octets[position + distance] : nil
    }

    private func isAt(_ text: StaticString, _ place: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= octets.count else { return false }
        return octets[place..<place + count].elementsEqual(text.description.utf8)
    }

    private mutating func advance(to end: Int) {
        for place in position..<end where octets[place] == .newline {
            line += 1
            lineStart = place + 1
        }
        position = end
    }

    private mutating func add(_ kind: Token.Kind, to end: Int, marks: Int = 0, closing: Int = 0) {
        let start = min(position + marks, end)
        let token = Token(
            kind: kind, range: position..<end, contents: start..<max(start, end - closing), line: line,
            lineStart: lineStart)
        if kind == .comment || kind == .string && isDocumentation {
            comments.append(token)
        } else {
            tokens.append(token)
        }
        advance(to: end)
    }

    /// A Python string that is a statement of its own: only people read it.
    private var isDocumentation: Bool {
        guard language == .python, isAt("\"\"\"", position) || isAt("'''", position) else { return false }
        guard let last = tokens.last else { return true }
        return last.line != line && !"(,=+[{%\\".utf8.contains(octets[last.range.upperBound - 1])
    }

    // MARK: - Comments

    private func commentEnd() -> Int? {
        if language.commentsWithHash { return octets[position] == .hash ? lineEnd(from: position) : nil }
        guard octets[position] == .slash else { return nil }
        if peek(1) == .slash { return lineEnd(from: position) }
        guard peek(1) == .star else { return nil }
        var depth = 1
        var end = position + 2
        while end + 1 < octets.count {
            switch (octets[end], octets[end + 1]) {
            case (.star, .slash):
                end += 2
                depth -= 1
                if depth == 0 { return end }
            case (.slash, .star) where language.nestsComments:
                end += 2
                depth += 1
            default: end += 1
            }
        }
        return octets.count
    }

    private func lineEnd(from place: Int) -> Int {
        var end = place
        while end < octets.count, octets[end] != .newline { end += 1 }
        return end
    }

    // MARK: - Strings

    /// The end of the string at this position, and the number of octets of its delimiters; `nil` if there is no string here.
    private func string() -> (end: Int, opening: Int, closing: Int)? {
        var start = position
        switch language {
        case .c:
            if isAt("R\"", start) || isAt("LR\"", start) || isAt("u8R\"", start) { return rawString() }
        case .python:
            while start < octets.count, start - position < 2, "rRbBuUfF".utf8.contains(octets[start]) { start += 1 }
        case .swift:
            while start < octets.count, octets[start] == .hash, start - position < Self.hashLimit { start += 1 }
        default: break
        }
        guard start < octets.count else { return nil }
        let quote = octets[start]
        switch quote {
        case .quotationMark: break
        case .apostrophe:
            if language == .swift { return nil }
        case .backtick:
            guard language == .go || language == .javaScript else { return nil }
        default: return nil
        }
        let before = start - position
        if [.python, .swift, .java, .kotlin].contains(language), quote != .backtick,
            start + 2 < octets.count, octets[start + 1] == quote, octets[start + 2] == quote
        {
            let end = find(quote, times: 3, from: start + 3, escapes: language != .kotlin)
            return (min(octets.count, end + 3), before + 3, end < octets.count ? 3 : 0)
        }
        if quote == .backtick {
            let end = find(quote, times: 1, from: start + 1, escapes: language == .javaScript)
            return (min(octets.count, end + 1), before + 1, end < octets.count ? 1 : 0)
        }
        let hashes = language == .swift ? before : 0
        var end = start + 1
        while end < octets.count, octets[end] != .newline {
            if octets[end] == .backslash, hashes == 0 {
                if language == .swift, end + 1 < octets.count, octets[end + 1] == .openingParenthesis {
                    end = interpolationEnd(from: end + 2)
                } else {
                    end += 2
                }
            } else if octets[end] == quote, octets[end...].dropFirst().prefix(hashes).allSatisfy({ $0 == .hash }),
                octets.count - end > hashes
            {
                return (end + 1 + hashes, before + 1, 1 + hashes)
            } else {
                end += 1
            }
        }
        return (min(end, octets.count), before + 1, 0)
    }

    /// The next position at which `quote` is repeated `times` times, or the end of the file.
    private func find(_ quote: UInt8, times: Int, from start: Int, escapes: Bool) -> Int {
        var end = start
        while end < octets.count {
            if escapes, octets[end] == .backslash {
                end += 2
            } else if octets[end] == quote, octets[end...].prefix(times).allSatisfy({ $0 == quote }),
                octets.count - end >= times
            {
                return end
            } else {
                end += 1
            }
        }
        return octets.count
    }

    /// The position after the parenthesis that closes an interpolation, or the end of its line.
    private func interpolationEnd(from start: Int) -> Int {
        var depth = 1
        var end = start
        while end < octets.count, octets[end] != .newline {
            if octets[end] == .openingParenthesis { depth += 1 }
            if octets[end] == .closingParenthesis { depth -= 1 }
            end += 1
            if depth == 0 { break }
        }
        return end
    }

    /// `R"delimiter(…)delimiter"`; the standard allows sixteen octets of delimiter.
    private func rawString() -> (end: Int, opening: Int, closing: Int)? {
        var start = position
        while octets[start] != .quotationMark { start += 1 }
        let rest = octets[(start + 1)...].prefix(17)
        guard let open = rest.firstIndex(of: .openingParenthesis) else { return nil }
        let closing = [.closingParenthesis] + octets[(start + 1)..<open] + [.quotationMark]
        var end = open + 1
        while end < octets.count {
            if octets[end] == .closingParenthesis, octets[end...].starts(with: closing) {
                return (end + closing.count, open + 1 - position, closing.count)
            }
            end += 1
        }
        return (octets.count, open + 1 - position, 0)
    }

    // MARK: - Patterns of JavaScript

    /// Whether a slash begins a pattern and is no division.
    private var isPatternExpected: Bool {
        guard let last = tokens.last else { return true }
        switch last.kind {
        case .symbol:
            return ![.closingParenthesis, .closingBracket, .closingBrace].contains(octets[last.range.lowerBound])
        case .identifier:
            return ["return", "typeof", "case", "in", "of"].contains(
                String(decoding: octets[last.range], as: UTF8.self))
        default: return false
        }
    }

    private mutating func patternEnd() -> Int? {
        guard patternBudget > 0 else { return nil }
        var isClass = false
        var end = position + 1
        // A pattern is short; without a limit, many slashes in one long line would each be searched to its end.
        while end < octets.count, end - position < 4096, octets[end] != .newline {
            switch octets[end] {
            case .backslash: end += 1
            case .openingBracket: isClass = true
            case .closingBracket: isClass = false
            case .slash where !isClass: return end + 1
            default: break
            }
            end += 1
        }
        patternBudget -= end - position
        return nil
    }
}
