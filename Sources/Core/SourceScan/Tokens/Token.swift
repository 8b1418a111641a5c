// SPDX-License-Identifier: Apache-2.0
/// A word of a source.
struct Token: Equatable {
    enum Kind: Equatable {
        case identifier
        case number
        /// With its quotes and prefix; `contents` is the part between the quotes.
        case string
        /// A regular expression between slashes.
        case pattern
        case symbol
        case comment
    }

    var kind: Kind
    /// Its octets in the source.
    var range: Range<Int>
    /// For a string, a pattern or a comment: the part between its delimiters. Otherwise the same as `range`.
    var contents: Range<Int>
    /// From 1.
    var line: Int
    /// The octet at which its line begins.
    var lineStart: Int
}

/// A source as words: the input of every check.
struct TokenizedSource {
    let octets: [UInt8]
    let language: SourceLanguage
    /// Without comments.
    let tokens: [Token]
    let comments: [Token]
    /// Whether an identifier or the name of a network is for IPv6 or for both families.
    private(set) var knowsIPv6 = false

    init(octets: [UInt8], language: SourceLanguage, tokens: [Token], comments: [Token]) {
        self.octets = octets
        self.language = language
        self.tokens = tokens
        self.comments = comments
        knowsIPv6 = tokens.contains(where: isForIPv6)
    }

    private static let forBothFamilies: Set<String> = [
        "getaddrinfo", "GetAddrInfo", "sockaddr_storage", "AF_UNSPEC", "PF_UNSPEC", "create_connection", "ipaddress",
        "inet_pton", "inet_ntop", "getnameinfo", "gethostbyname2", "getipnodebyname", "evutil_getaddrinfo",
    ]

    private func isForIPv6(_ token: Token) -> Bool {
        switch token.kind {
        case .identifier:
            let word = text(token)
            if Self.forBothFamilies.contains(word) { return true }
            guard word.utf8.contains(UInt8(ascii: "6")) else { return false }
            // `min64` is not about IPv6.
            let lower = word.lowercased().replacing("64", with: "")
            return ["ip6", "inet6", "in6", "v6", "resolve6", "ip_6"].contains { lower.contains($0) }
        case .string: return ["tcp6", "udp6", "ip6"].contains { octets[token.contents].elementsEqual($0.utf8) }
        default: return false
        }
    }

    /// Whether the file mentions a protocol that exists for IPv4 only: DHCPv4 and its predecessor BOOTP.
    var isAboutIPv4: Bool {
        tokens.contains { token in
            guard token.kind == .identifier || token.kind == .string, token.contents.count < 64 else { return false }
            let text = text(token).lowercased()
            return text.hasPrefix("bootp") || text.hasPrefix("dhcp")
        }
    }

    func text(_ token: Token) -> String { String(decoding: octets[token.contents], as: UTF8.self) }

    func isWord(_ index: Int, _ word: String) -> Bool {
        tokens.indices.contains(index) && tokens[index].kind != .string
            && octets[tokens[index].range].elementsEqual(word.utf8)
    }

    /// The words of the statement around `index`, as far as separators show it; at most 64 words on each side.
    func statement(around index: Int) -> Range<Int> {
        // In languages without semicolons, a statement ends with its line, but not within brackets.
        let isByLine = [.python, .swift, .go, .kotlin, .yaml].contains(language)
        var start = index
        var lineStart: Int?
        // Brackets that are closed before `index` and are open here, and brackets in which `index` is.
        var closed = 0
        var enclosing = 0
        while start > 0, index - start < 64, !endsStatement(start - 1) {
            if isByLine, closed == 0, tokens[start - 1].line != tokens[start].line { lineStart = lineStart ?? start }
            start -= 1
            switch bracket(start) {
            case .closing: closed += 1
            case .opening where closed > 0: closed -= 1
            case .opening where isByLine && !isDeclarationGroup(start):
                enclosing += 1
                lineStart = nil
            case .opening, nil: break
            }
        }
        var end = index + 1
        while end < tokens.count, end - index < 64, !endsStatement(end) {
            if isByLine, enclosing <= 0, tokens[end].line != tokens[end - 1].line { break }
            switch bracket(end) {
            case .opening: enclosing += 1
            case .closing: enclosing -= 1
            case nil: break
            }
            end += 1
        }
        return (lineStart ?? start)..<end
    }

    private func endsStatement(_ index: Int) -> Bool {
        switch symbol(index) {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"): true
        default: false
        }
    }

    private enum Bracket { case opening, closing }

    /// A YAML text has brackets in its prose, too.
    private func bracket(_ index: Int) -> Bracket? {
        if language == .yaml { return nil }
        return switch symbol(index) {
        case .openingParenthesis, .openingBracket: .opening
        case .closingParenthesis, .closingBracket: .closing
        default: nil
        }
    }

    /// `const (` of Go, in which each line is a statement.
    private func isDeclarationGroup(_ index: Int) -> Bool {
        language == .go && ["import", "const", "var", "type"].contains { isWord(index - 1, $0) }
    }

    private func symbol(_ index: Int) -> UInt8? {
        tokens[index].kind == .symbol ? octets[tokens[index].range.lowerBound] : nil
    }

    /// Whether one of `words` is an identifier in `range`.
    func has(_ words: Set<String>, in range: Range<Int>) -> Bool {
        range.contains { tokens[$0].kind == .identifier && words.contains(text(tokens[$0])) }
    }
}
