// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    private static let goFunctions: Set<String> = [
        "Dial", "DialTimeout", "DialContext", "Listen", "ListenPacket", "ListenTCP", "ListenUDP", "DialTCP", "DialUDP",
        "ResolveTCPAddr", "ResolveUDPAddr",
    ]

    /// `tcp4` and `udp4`, the names with which Go and Node choose the family.
    static func networks(in source: TokenizedSource) -> [SourceFinding] {
        let words: [String: Set<String>]
        switch source.language {
        case .go: words = ["tcp4": goFunctions, "udp4": goFunctions]
        case .javaScript: words = ["udp4": ["createSocket"]]
        default: return []
        }
        let isPossible = source.knowsIPv6 || names(groups, in: source.tokens.indices, of: source)
        return source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            guard token.kind == .string, token.contents.count == 4, let functions = words[source.text(token)] else {
                return nil
            }
            let statement = source.statement(around: index)
            guard source.has(functions, in: statement) else { return nil }
            let name = source.text(token)
            return source.finding(
                .knowsIPv4SocketsOnly,
                isPossible || names(thisMachine, in: statement, of: source) ? .possible : .unlessBesideIPv6, at: token,
                "\"\(name)\" is for IPv4 only; "
                    + (source.language == .go ? "use \"\(name.dropLast())\"" : "use \"udp6\", which takes both"))
        }
    }

    private static let thisMachine = ["127.", "localhost"]
    /// For multicast groups and broadcasts; the constant is often far from the call.
    private static let groups = ["255.255.", "224.", "239."]

    /// Whether a string has one of these beginnings: then the address determines the family.
    private static func names(_ beginnings: [String], in range: Range<Int>, of source: TokenizedSource) -> Bool {
        range.contains { index in
            let token = source.tokens[index]
            return token.kind == .string
                && beginnings.contains { source.octets[token.contents].starts(with: $0.utf8) }
        }
    }

    /// Functions that pass a family on to a look-up or a socket.
    private static let takingFamilies: Set<String> = [
        "connect", "createConnection", "lookup", "request", "get", "post", "fetch", "axios", "got", "Agent", "Pool",
        "Client", "createTransport",
    ]

    /// `family: 4` of Node's sockets and look-ups.
    static func families(in source: TokenizedSource) -> [SourceFinding] {
        guard source.language == .javaScript else { return [] }
        return source.tokens.indices.compactMap { index in
            guard source.isWord(index, "family"), source.isWord(index + 1, ":"), source.isWord(index + 2, "4") else {
                return nil
            }
            // Elsewhere it is the record of an address, not a request.
            let isWish = source.enclosingCalls(of: index).contains { takingFamilies.contains($0) }
            return source.finding(
                .asksForIPv4Only, isWish ? .sure : .possible, at: source.tokens[index],
                "family: 4 asks for IPv4 addresses only; leave it out")
        }
    }
}
