/// A word of a source.
struct Token: Equatable {
    enum Kind: Equatable {
        case identifier
        case number
        /// With its quotes and what stands before them; `contents` is what is between.
        case string
        /// A regular expression between slashes.
        case pattern
        case symbol
        case comment
    }

    var kind: Kind
    /// Octets of the source.
    var range: Range<Int>
    /// Of a string, a pattern or a comment: what is between its marks. Else the same as `range`.
    var contents: Range<Int>
    /// From 1.
    var line: Int
    /// The octet at which the line begins.
    var lineStart: Int
}

/// A source as words: what every check reads.
struct TokenizedSource {
    let octets: [UInt8]
    let language: SourceLanguage
    /// Without comments.
    let tokens: [Token]
    let comments: [Token]

    func text(_ token: Token) -> String { String(decoding: octets[token.contents], as: UTF8.self) }

    func isWord(_ index: Int, _ word: String) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind != .string
            && octets[tokens[index].range].elementsEqual(word.utf8)
    }

    /// The first word after the end of the statement before `index`, as far as separators tell; 64 words at most.
    func statement(around index: Int) -> Range<Int> {
        func ends(_ index: Int) -> Bool {
            guard tokens[index].kind == .symbol else { return false }
            let octet = octets[tokens[index].range.lowerBound]
            return octet == UInt8(ascii: ";") || octet == UInt8(ascii: "{") || octet == UInt8(ascii: "}")
        }
        // Where no semicolon is needed, a statement ends with its line, unless a bracket is open.
        let isByLine = [.python, .swift, .go, .kotlin, .yaml].contains(language)
        var start = index
        while start > 0, index - start < 64, !ends(start - 1) {
            if isByLine, tokens[start - 1].line != tokens[index].line { break }
            start -= 1
        }
        var end = index + 1
        while end < tokens.count, end - index < 64, !ends(end) {
            if isByLine, tokens[end].line != tokens[index].line { break }
            end += 1
        }
        return start..<end
    }

    /// Whether one of `words` is an identifier in `range`.
    func has(_ words: Set<String>, in range: Range<Int>) -> Bool {
        range.contains { tokens[$0].kind == .identifier && words.contains(text(tokens[$0])) }
    }
}
