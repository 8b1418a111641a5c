// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// Host and port joined by a colon to make a socket or a URL: an IPv6 address needs brackets there (RFC 3986 §3.2.2).
    ///
    ///     net.Dial("tcp", fmt.Sprintf("%s:%d", host, port))      net.Dial("tcp", host+":"+port)
    ///     requests.get(f"http://{address}:{port}/")              fetch(`http://${address}:8080/`)
    ///
    /// A text used otherwise is a message, a key or a name more often than a destination, and is not reported.
    static func joinedPorts(in source: TokenizedSource) -> [SourceFinding] {
        if [.c, .yaml].contains(source.language) { return [] }
        return source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            guard token.kind == .string, let joint = joint(at: index, in: source) else { return nil }
            let calls = source.enclosingCalls(of: index)
            let isTaken =
                !joint.isURL && calls.contains { takingBoth.contains($0) } || isTakenLater(index, in: source, joint)
            let isFetched = joint.isURL && joint.holdsAddress && calls.contains { takingURL.contains($0) }
            guard isTaken || isFetched else { return nil }
            return source.finding(
                .joinsWithoutBrackets, hasBrackets(near: index, in: source) ? .possible : .sure, at: token,
                "host and port are joined without the brackets that an IPv6 address needs; "
                    + (source.language == .go ? "use net.JoinHostPort" : "put an address with a colon in brackets"))
        }
    }

    /// Functions that take a host with a port as one text.
    private static let takingBoth: Set<String> = [
        "Dial", "DialTimeout", "DialContext", "DialWithDialer", "DialTLS", "ResolveTCPAddr", "ResolveUDPAddr",
        "Listen", "ListenPacket", "NewClient", "insecure_channel", "secure_channel", "forTarget",
    ]

    /// Functions that take a URL: those of `literals`, and more.
    private static let takingURL = fetching.union(["NewRequestWithContext", "create", "axios"])

    private struct Joint {
        var isURL: Bool
        /// Whether the name before the colon is that of an address: a host name needs no brackets.
        var holdsAddress: Bool
    }

    /// The host and port that a string joins; `nil` if it joins none.
    private static func joint(at index: Int, in source: TokenizedSource) -> Joint? {
        let text = source.octets[source.tokens[index].contents]
        guard text.count < 256 else { return nil }
        var rest = text
        if rest.first == .colon {
            // "http://" + host + ":" + port
            rest = rest.dropFirst().drop(while: \.isDigit)
            let hasPort = text.count - rest.count > 1
            guard source.isWord(index - 1, "+"), hasPort || source.isWord(index + 1, "+"),
                source.tokens.indices.contains(index - 2), source.tokens[index - 2].kind == .identifier
            else { return nil }
            let isURL = (source.statement(around: index).lowerBound..<index).contains { place in
                source.tokens[place].kind == .string
                    && source.octets[source.tokens[place].contents].suffix(3).elementsEqual("://".utf8)
            }
            guard rest.isEmpty || isURL && hasPort && rest.first == .slash else { return nil }
            return Joint(isURL: isURL, holdsAddress: namesAddress(source.text(source.tokens[index - 2])))
        }
        let isURL = dropScheme(&rest)
        guard let host = dropPlaceholder(&rest, in: source), rest.popFirst() == .colon else { return nil }
        let digits = rest.prefix(while: \.isDigit)
        if digits.isEmpty {
            guard dropPlaceholder(&rest, in: source) != nil else { return nil }
        } else {
            rest = rest.dropFirst(digits.count)
        }
        guard rest.isEmpty || isURL && rest.first == .slash else { return nil }
        // The values follow the format string, in the order of the placeholders.
        let name = host.isEmpty ? firstArgument(after: index, in: source) : host
        return Joint(isURL: isURL, holdsAddress: namesAddress(name))
    }

    private static func dropScheme(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let scheme = rest.prefix { $0.isIdentifier }
        guard (2...8).contains(scheme.count), rest.dropFirst(scheme.count).starts(with: "://".utf8) else {
            return false
        }
        rest = rest.dropFirst(scheme.count + 3)
        return true
    }

    /// `%s`, `%d`, `%v`, `{}`, `{host}`, `${host}`, `$host` or `\(host)`; returns its contents.
    private static func dropPlaceholder(_ rest: inout ArraySlice<UInt8>, in source: TokenizedSource) -> String? {
        func drop(_ opening: String, to closing: UInt8) -> String? {
            guard rest.starts(with: opening.utf8) else { return nil }
            let inner = rest.dropFirst(opening.utf8.count)
            guard let end = inner.firstIndex(of: closing) else { return nil }
            rest = inner[inner.index(after: end)...]
            return String(decoding: inner[..<end], as: UTF8.self)
        }
        switch source.language {
        case .swift: return drop("\\(", to: .closingParenthesis)
        case .javaScript: return drop("${", to: .closingBrace)
        case .kotlin:
            if let name = drop("${", to: .closingBrace) { return name }
            guard rest.first == UInt8(ascii: "$") else { return nil }
            let name = rest.dropFirst().prefix { $0.isIdentifier || $0.isDigit }
            rest = rest.dropFirst(1 + name.count)
            return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        default:
            if source.language == .python, let name = drop("{", to: .closingBrace) { return name }
            for verb in ["%s", "%d", "%v"] where rest.starts(with: verb.utf8) {
                rest = rest.dropFirst(verb.utf8.count)
                return ""
            }
            return nil
        }
    }

    /// The name after a format string: `Sprintf("%s:%d", address, port)`, `"…" % (address, port)`, `"…".format(address, port)`.
    private static func firstArgument(after index: Int, in source: TokenizedSource) -> String {
        let end = min(index + 6, source.tokens.count)
        guard index + 1 < end else { return "" }
        let names = (index + 1..<end).filter { source.tokens[$0].kind == .identifier }.map {
            source.text(source.tokens[$0])
        }
        return names.first { $0 != "format" } ?? ""
    }

    private static func namesAddress(_ name: String) -> Bool {
        words(of: name).contains { ["ip", "addr", "address"].contains($0) }
    }

    /// `addr := fmt.Sprintf("%s:%d", host, port)` and, within the next ten lines, `net.Dial("tcp", addr)`.
    private static func isTakenLater(_ index: Int, in source: TokenizedSource, _ joint: Joint) -> Bool {
        guard !joint.isURL else { return false }
        let statement = source.statement(around: index)
        guard let sign = statement.first(where: { $0 < index && source.isWord($0, "=") }) else { return false }
        let place = source.isWord(sign - 1, ":") ? sign - 2 : sign - 1
        guard statement.contains(place), source.tokens[place].kind == .identifier else { return false }
        let name = source.text(source.tokens[place])
        return nearby(index, in: source).contains { place in
            place >= statement.upperBound && source.isWord(place, name)
                && source.enclosingCalls(of: place).first.map(takingBoth.contains) == true
        }
    }

    /// Whether a text nearby has an opening bracket before a placeholder or at its end: the branch for IPv6.
    private static func hasBrackets(near index: Int, in source: TokenizedSource) -> Bool {
        nearby(index, in: source).contains { place in
            guard source.tokens[place].kind == .string else { return false }
            let text = source.octets[source.tokens[place].contents]
            guard text.count < 256, let bracket = text.firstIndex(of: .openingBracket) else { return false }
            let next = text[text.index(after: bracket)...].first
            return next == nil || next.map { "%{$\\]".utf8.contains($0) } == true
        }
    }

    /// The words of the ten lines before and after; at most 256 on each side.
    private static func nearby(_ index: Int, in source: TokenizedSource) -> Range<Int> {
        let line = source.tokens[index].line
        var (start, end) = (index, index + 1)
        while start > 0, index - start < 256, line - source.tokens[start - 1].line <= 10 { start -= 1 }
        while end < source.tokens.count, end - index < 256, source.tokens[end].line - line <= 10 { end += 1 }
        return start..<end
    }
}
