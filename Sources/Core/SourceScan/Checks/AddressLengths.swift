// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    private static let callsWithLength: Set<String> = [
        "connect", "bind", "sendto", "accept", "accept4", "recvfrom", "getsockname", "getpeername", "getnameinfo",
        "socklen_t",
    ]

    /// These fail if the length is too small; the others truncate the address, of which the caller may need only the family.
    private static let callsThatFail: Set<String> = ["connect", "bind", "sendto", "getnameinfo"]

    /// The size of struct sockaddr in place of an address's length: 16 octets, while a sockaddr_in6 has 28.
    ///
    /// An address that does not come from getaddrinfo is most often a sockaddr_in, which has 16 octets as well.
    static func lengths(in source: TokenizedSource) -> [SourceFinding] {
        guard source.language == .c || source.language == .swift else { return [] }
        return source.tokens.indices.compactMap { index in
            guard isSize(index, in: source) else { return nil }
            let statement = source.statement(around: index)
            guard source.has(callsWithLength, in: statement) else { return nil }
            let isSure = source.has(callsThatFail, in: statement) && source.has(["ai_addr"], in: statement)
            return source.finding(
                .passesShortLength, isSure ? .sure : .possible, at: source.tokens[index],
                "struct sockaddr has 16 octets and a sockaddr_in6 has 28; pass ai_addrlen, or the size of sockaddr_storage"
            )
        }
    }

    private static func isSize(_ index: Int, in source: TokenizedSource) -> Bool {
        if source.language == .c {
            // Without the word `struct` it may be a variable of that name.
            return source.isWord(index, "sizeof") && source.isWord(index + 1, "(") && source.isWord(index + 2, "struct")
                && source.isWord(index + 3, "sockaddr") && source.isWord(index + 4, ")")
        }
        return source.isWord(index, "MemoryLayout") && source.isWord(index + 1, "<")
            && source.isWord(index + 2, "sockaddr") && source.isWord(index + 3, ">")
    }
}
