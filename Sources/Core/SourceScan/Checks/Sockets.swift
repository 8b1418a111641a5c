// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// `socket(AF_INET, SOCK_STREAM, …)` in a file that connects: the first one of a file.
    ///
    /// The name `sockaddr_in` alone is weak evidence: it appears in headers, in unions with its counterpart, in logs.
    static func sockets(in source: TokenizedSource) -> [SourceFinding] {
        let type: String
        switch source.language {
        case .c, .swift: type = "sockaddr_in"
        case .python: type = "AF_INET"
        default: return []
        }
        if let index = source.tokens.indices.first(where: { isSocket($0, in: source) }), connects(source) {
            let isPossible = source.knowsIPv6 || source.isAboutIPv4
            return [
                source.finding(
                    .knowsIPv4SocketsOnly, isPossible ? .possible : .unlessBesideIPv6, at: source.tokens[index],
                    "this socket is for IPv4 only; use what getaddrinfo gives")
            ]
        }
        if source.knowsIPv6 { return [] }
        let index = source.tokens.indices.first {
            // `struct sockaddr_in;` shows nothing about the file.
            source.isWord($0, type) && !source.isWord($0 + 1, ";")
        }
        guard let index else { return [] }
        return [
            source.finding(
                .knowsIPv4SocketsOnly, .possible, at: source.tokens[index],
                "\(type) is for IPv4 only, and nothing in this file is for IPv6; use what getaddrinfo gives")
        ]
    }

    /// Whether the index is at the function's name in `socket(AF_INET, SOCK_STREAM`.
    private static func isSocket(_ index: Int, in source: TokenizedSource) -> Bool {
        guard source.isWord(index, "socket"), source.isWord(index + 1, "(") else { return false }
        var place = index + 2
        if source.isWord(place, "socket"), source.isWord(place + 1, ".") { place += 2 }
        guard source.isWord(place, "AF_INET") || source.isWord(place, "PF_INET") else { return false }
        let arguments = place..<min(place + 8, source.tokens.count)
        return source.has(["SOCK_STREAM", "SOCK_DGRAM"], in: arguments)
    }

    /// Whether the file makes or accepts connections with other machines: a socket for an ioctl, for this machine or for a group is for
    /// IPv4 because of its purpose.
    private static func connects(_ source: TokenizedSource) -> Bool {
        let callers: Set<String> = ["connect", "connect_ex", "sendto"]
        let servers: Set<String> = ["accept", "recvfrom"]
        let isMade = source.tokens.indices.contains { index in
            guard source.tokens[index].kind == .identifier, source.isWord(index + 1, "(") else { return false }
            let name = source.text(source.tokens[index])
            return callers.contains(name) || servers.contains(name)
        }
        return isMade && !source.tokens.contains { isOfIPv4(source.text($0), $0.kind) }
    }

    private static let wordsOfIPv4: Set<String> = [
        "INADDR_LOOPBACK", "INADDR_BROADCAST", "SO_BROADCAST", "SOCK_RAW", "SOCK_PACKET", "IP_ADD_MEMBERSHIP",
        "IP_MULTICAST_TTL", "IP_MULTICAST_IF", "IP_HDRINCL", "ifreq", "ifconf", "rtentry", "arpreq", "iphdr",
    ]

    private static func isOfIPv4(_ text: String, _ kind: Token.Kind) -> Bool {
        switch kind {
        case .identifier: wordsOfIPv4.contains(text) || text.hasPrefix("SIOC")
        case .string: text.hasPrefix("127.") || text == "localhost" || text.hasPrefix("255.255.255.255")
        default: false
        }
    }
}
