extension SourceScan {
    private static let callsWithLength: Set<String> = [
        "connect", "bind", "sendto", "accept", "accept4", "recvfrom", "getsockname", "getpeername", "getnameinfo",
        "socklen_t",
    ]

    /// These fail with a length that is too small; the others cut the address off, of which only the family may be wanted.
    private static let callsThatFail: Set<String> = ["connect", "bind", "sendto", "getnameinfo"]

    /// Who names one of these may have an address of that kind at hand, not one of a host.
    private static let otherFamilies: Set<String> = [
        "sockaddr_nl", "sockaddr_ll", "sockaddr_vm", "sockaddr_hci", "sockaddr_rc", "sockaddr_can", "AF_PACKET",
        "AF_NETLINK", "sockaddr_pkt", "sockaddr_ipx", "SOCK_PACKET", "SOCK_RAW",
    ]

    /// The size of struct sockaddr where the length of an address is wanted: 16 octets, of which a sockaddr_in6 has 28.
    static func lengths(in source: TokenizedSource) -> [SourceFinding] {
        guard source.language == .c || source.language == .swift else { return [] }
        if source.hasAny(otherFamilies) { return found(in: source) { _ in .possible } }
        // Who asks getaddrinfo has addresses of both families at hand; who does not may have sockaddr_in alone.
        let certainty: Certainty =
            source.hasAny(["getaddrinfo", "ai_addr"]) ? .sure : source.hasAny(internet) ? .unlessBesideIPv6 : .possible
        return found(in: source) { source.has(callsThatFail, in: $0) ? certainty : .possible }
    }

    private static let internet: Set<String> = ["AF_INET", "PF_INET", "sockaddr_in"]

    private static func found(in source: TokenizedSource, _ certainty: (Range<Int>) -> Certainty) -> [SourceFinding] {
        source.tokens.indices.compactMap { index in
            guard isSize(index, in: source) else { return nil }
            let statement = source.statement(around: index)
            guard source.has(callsWithLength, in: statement) else { return nil }
            return source.finding(
                .ignoresIPv6Answer, certainty(statement), at: source.tokens[index],
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
