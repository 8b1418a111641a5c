extension SourceScan {
    /// Strings that are an address, an address and a port, or a URL with an address for a host. Within other text an address is
    /// an example or a message more often than a destination.
    static func literals(in source: TokenizedSource) -> [SourceFinding] {
        if source.language == .yaml { return [] }
        return source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            guard token.kind == .string else { return nil }
            let contents = source.octets[token.contents]
            guard let start = hostStart(contents), let quad = DottedQuad(contents, at: start), quad.isRemote,
                isDestination(contents[quad.range.upperBound...], inURL: start > contents.startIndex),
                !isOther(index, in: source)
            else { return nil }
            let address = String(decoding: source.octets[quad.range], as: UTF8.self)
            return source.finding(
                .literalAddress, at: token, offset: start,
                "\(address) is an IPv4 address, which an IPv6-only network has no route to; give a host name")
        }
    }

    /// Where the host of a URL begins, or the text itself.
    private static func hostStart(_ text: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first else { return nil }
        if first.isDigit { return text.startIndex }
        // A scheme of any length that is used, and `//`.
        let scheme = text.prefix(16)
        guard let colon = scheme.firstIndex(of: .colon), text[text.startIndex..<colon].allSatisfy(\.isIdentifier),
            text[colon...].starts(with: "://".utf8), colon + 3 < text.endIndex
        else { return nil }
        return colon + 3
    }

    /// Whether what follows an address leaves it one: nothing, a port, or in a URL a path.
    private static func isDestination(_ rest: ArraySlice<UInt8>, inURL: Bool) -> Bool {
        guard let next = rest.first else { return true }
        if next == .slash { return inURL }
        guard next == .colon else { return false }
        let port = rest.dropFirst().prefix { $0.isDigit }
        let end = rest.dropFirst(1 + port.count)
        return (1...5).contains(port.count) && (end.isEmpty || inURL && end.first == .slash)
    }

    /// Whether the words around it say that four numbers are something else, or are no destination.
    private static func isOther(_ index: Int, in source: TokenizedSource) -> Bool {
        source.statement(around: index).contains { place in
            let token = source.tokens[place]
            guard token.kind == .identifier else { return false }
            let word = source.text(token).lowercased()
            return ["version", "oid", "mask", "user_agent", "useragent", "private", "reserved", "subnet"]
                .contains { word.contains($0) }
        }
    }
}
