extension SourceScan {
    /// Who knows one of these in a file knows IPv6 there.
    static let twins: Set<String> = [
        "sockaddr_in6", "sockaddr_storage", "in6_addr", "AF_INET6", "PF_INET6", "getaddrinfo", "INET6_ADDRSTRLEN",
        "in6addr_any", "IPv6Address", "Inet6Address", "AF_UNSPEC", "create_connection",
    ]

    /// sockaddr_in in C and Swift, AF_INET in Python: the first one of a file that has no IPv6 twin anywhere.
    static func socketAddresses(in source: TokenizedSource) -> [SourceFinding] {
        let wanted: String
        switch source.language {
        case .c, .swift: wanted = "sockaddr_in"
        case .python: wanted = "AF_INET"
        default: return []
        }
        let index = source.tokens.indices.first {
            // `struct sockaddr_in;` says nothing of the file.
            source.isWord($0, wanted) && !source.isWord($0 + 1, ";")
        }
        guard let index, !source.hasAny(twins) else { return [] }
        return [
            source.finding(
                .knowsIPv4SocketsOnly, at: source.tokens[index],
                "\(wanted) is for IPv4 only, and nothing in this file is for IPv6; use what getaddrinfo gives")
        ]
    }

    private static let callsWithLength: Set<String> = [
        "connect", "bind", "sendto", "accept", "accept4", "recvfrom", "getsockname", "getpeername", "getnameinfo",
        "socklen_t",
    ]

    /// The size of struct sockaddr where the length of an address is wanted: 16 octets, of which a sockaddr_in6 has 28.
    static func lengths(in source: TokenizedSource) -> [SourceFinding] {
        guard source.language == .c || source.language == .swift else { return [] }
        return source.tokens.indices.compactMap { index in
            let isSize: Bool
            if source.language == .c {
                let name = source.isWord(index + 2, "struct") ? index + 3 : index + 2
                isSize =
                    source.isWord(index, "sizeof") && source.isWord(index + 1, "(") && source.isWord(name, "sockaddr")
                    && source.isWord(name + 1, ")")
            } else {
                isSize =
                    source.isWord(index, "MemoryLayout") && source.isWord(index + 1, "<")
                    && source.isWord(index + 2, "sockaddr") && source.isWord(index + 3, ">")
            }
            guard isSize, source.has(callsWithLength, in: source.statement(around: index)) else { return nil }
            return source.finding(
                .ignoresIPv6Answer, at: source.tokens[index],
                "struct sockaddr has 16 octets and a sockaddr_in6 has 28; pass ai_addrlen, or the size of sockaddr_storage"
            )
        }
    }
}
