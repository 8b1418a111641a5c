extension SourceScan {
    /// A function that knows IPv4 only, and what does the same for both families.
    private struct OldCall {
        let rule: SourceRule
        let instead: String
    }

    private static let callsOfC: [String: OldCall] = [
        "gethostbyname": OldCall(rule: .asksForIPv4Only, instead: "getaddrinfo"),
        "gethostbyname_r": OldCall(rule: .asksForIPv4Only, instead: "getaddrinfo"),
        "inet_addr": OldCall(rule: .literalAddress, instead: "getaddrinfo"),
        "inet_aton": OldCall(rule: .literalAddress, instead: "getaddrinfo"),
        "inet_ntoa": OldCall(rule: .knowsIPv4SocketsOnly, instead: "getnameinfo"),
    ]

    private static let callsOfPython: [String: OldCall] = [
        "gethostbyname": OldCall(rule: .asksForIPv4Only, instead: "socket.getaddrinfo"),
        "gethostbyname_ex": OldCall(rule: .asksForIPv4Only, instead: "socket.getaddrinfo"),
        "inet_aton": OldCall(rule: .literalAddress, instead: "the ipaddress module"),
        "inet_ntoa": OldCall(rule: .knowsIPv4SocketsOnly, instead: "socket.inet_ntop"),
    ]

    private static let callsOfJavaScript: [String: OldCall] = [
        "resolve4": OldCall(rule: .asksForIPv4Only, instead: "dns.lookup")
    ]

    /// Calls of functions that know IPv4 only, in files that know no IPv6: the first of each function, as one cause has many.
    static func calls(in source: TokenizedSource) -> [SourceFinding] {
        let calls: [String: OldCall]
        switch source.language {
        case .c, .swift: calls = callsOfC
        case .python: calls = callsOfPython
        case .javaScript: calls = callsOfJavaScript
        default: calls = [:]
        }
        var found = networks(in: source) + families(in: source)
        if source.hasAny(twins.union(["inet_pton", "inet_ntop", "resolve6", "ipaddress", "gethostbyname2"])) {
            return found
        }
        var told: Set<String> = []
        for (index, token) in source.tokens.enumerated() where token.kind == .identifier {
            guard source.isWord(index + 1, "("), let call = calls[source.text(token)], isCall(index, in: source),
                told.insert(source.text(token)).inserted
            else { continue }
            found.append(
                source.finding(call.rule, at: token, "\(source.text(token)) knows IPv4 only; use \(call.instead)"))
        }
        return found
    }

    /// Whether an identifier with a parenthesis is a call, not a declaration, a definition or another object's method.
    private static func isCall(_ index: Int, in source: TokenizedSource) -> Bool {
        if ["const", "char", "struct", "void", "in_addr_t"].contains(where: { source.isWord(index + 2, $0) }) {
            return false
        }
        guard index > 0 else { return true }
        if ["def", "func", "function", "define"].contains(where: { source.isWord(index - 1, $0) }) { return false }
        if source.isWord(index - 1, ".") {
            return ["socket", "dns", "dnsPromises", "promises"].contains { source.isWord(index - 2, $0) }
        }
        // `in_addr_t inet_addr(cp)` declares it; `return inet_addr(cp)` calls it.
        let last = source.tokens[index - 1]
        return last.kind != .identifier || last.line != source.tokens[index].line
            || ["return", "await", "else", "in", "if", "not", "and", "or"].contains(source.text(last))
    }

    /// `tcp4` and `udp4`, by which Go and Node name the family.
    private static func networks(in source: TokenizedSource) -> [SourceFinding] {
        let words: [String: Set<String>]
        switch source.language {
        case .go:
            let functions: Set<String> = [
                "Dial", "DialTimeout", "DialContext", "Listen", "ListenPacket", "ListenTCP", "ListenUDP", "DialTCP",
                "DialUDP",
                "ResolveTCPAddr", "ResolveUDPAddr",
            ]
            words = ["tcp4": functions, "udp4": functions]
        case .javaScript: words = ["udp4": ["createSocket"]]
        default: return []
        }
        if source.tokens.contains(where: { token in
            token.kind == .string && ["tcp6", "udp6"].contains(source.text(token))
        }) {
            return []
        }
        return source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            guard token.kind == .string, token.contents.count == 4, let functions = words[source.text(token)],
                source.has(functions, in: source.statement(around: index))
            else { return nil }
            let name = source.text(token)
            return source.finding(
                .knowsIPv4SocketsOnly, at: token,
                "\"\(name)\" is for IPv4 only; "
                    + (source.language == .go ? "use \"\(name.dropLast())\"" : "use \"udp6\", which takes both"))
        }
    }

    /// `family: 4` of Node's sockets and look-ups.
    private static func families(in source: TokenizedSource) -> [SourceFinding] {
        guard source.language == .javaScript else { return [] }
        return source.tokens.indices.compactMap { index in
            guard source.isWord(index, "family"), source.isWord(index + 1, ":"), source.isWord(index + 2, "4") else {
                return nil
            }
            return source.finding(
                .asksForIPv4Only, at: source.tokens[index], "family: 4 asks for IPv4 addresses only; leave it out")
        }
    }
}
