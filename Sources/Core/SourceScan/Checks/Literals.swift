// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// Strings that are an address, an address and a port, or a URL with an address as its host. Within other text an address is an example
    /// or a message more often than a destination.
    static func literals(in source: TokenizedSource) -> [SourceFinding] {
        if source.language == .yaml { return [] }
        var linesWithIPv6: Set<Int>?
        var isInTest = false
        return source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            if token.kind == .identifier { isInTest = beginsTest(index, in: source) ?? isInTest }
            guard token.kind == .string else { return nil }
            let contents = source.octets[token.contents]
            guard let quad = destination(contents) else { return nil }
            let start = quad.range.lowerBound
            let lines = linesWithIPv6 ?? linesWithIPv6Literals(source)
            linesWithIPv6 = lines
            let hasTwin = (-10...10).contains { lines.contains(token.line + $0) }
            let isSure = !hasTwin && !isInTest && reaches(index, isURL: start > contents.startIndex, in: source)
            let address = String(decoding: source.octets[quad.range], as: UTF8.self)
            return source.finding(
                .literalAddress, isSure ? .sure : .possible, at: token, offset: start,
                "\(address) is an IPv4 address, which an IPv6-only network has no route to; give a host name")
        }
    }

    /// The address of a remote host in a text that is an address alone, one with a port, or a URL.
    static func destination(_ text: ArraySlice<UInt8>) -> DottedQuad? {
        guard let start = hostStart(text), let quad = DottedQuad(text, at: start), quad.isRemote,
            isDestination(text[quad.range.upperBound...], inURL: start > text.startIndex)
        else { return nil }
        return quad
    }

    /// The start of a URL's host, or of the text itself.
    private static func hostStart(_ text: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first else { return nil }
        if first.isDigit { return text.startIndex }
        // Any scheme in use is short enough; then `://`.
        let scheme = text.prefix(16)
        guard let colon = scheme.firstIndex(of: .colon), text[text.startIndex..<colon].allSatisfy(\.isIdentifier),
            text[colon...].starts(with: "://".utf8), colon + 3 < text.endIndex
        else { return nil }
        return colon + 3
    }

    /// Whether the text after an address leaves it a destination: no text, a port, or in a URL a path.
    private static func isDestination(_ rest: ArraySlice<UInt8>, inURL: Bool) -> Bool {
        guard let next = rest.first else { return true }
        if next == .slash { return inURL }
        guard next == .colon else { return false }
        let port = rest.dropFirst().prefix { $0.isDigit }
        let end = rest.dropFirst(1 + port.count)
        return (1...5).contains(port.count) && (end.isEmpty || inURL && end.first == .slash)
    }

    /// Lines with an IPv6 address in a string: an IPv4 address near one is its counterpart.
    private static func linesWithIPv6Literals(_ source: TokenizedSource) -> Set<Int> {
        var lines: Set<Int> = []
        for token in source.tokens where token.kind == .string && (3..<64).contains(token.contents.count) {
            let text = source.octets[token.contents]
            let colons = text.count { $0 == .colon }
            let isHex = text.allSatisfy {
                $0.isDigit || $0 == .colon || $0 == .dot || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
                    || $0 == .openingBracket || $0 == .closingBracket || $0 == .slash
            }
            if colons >= 2, isHex { lines.insert(token.line) }
        }
        return lines
    }

    /// Functions whose argument is a host to connect to; names of variables with an address are no evidence (docs/scan.md).
    private static let connecting: Set<String> = [
        "connect", "connect_ex", "create_connection", "createConnection", "open_connection", "Connect", "Dial",
        "DialTimeout", "DialContext", "InetSocketAddress", "Socket", "DatagramSocket", "sendto", "HTTPConnection",
        "HTTPSConnection", "Telnet", "FTP", "SMTP", "getaddrinfo", "Host",
    ]

    /// Functions that fetch a URL.
    static let fetching: Set<String> = [
        "urlopen", "urlretrieve", "fetch", "get", "post", "put", "head", "request", "Get", "Post", "Head", "NewRequest",
        "URL", "URI", "WebSocket",
    ]

    /// Words that show that four numbers are something else, or no destination.
    private static let otherWords: Set<String> = [
        "agent", "any", "assert", "broadcast", "cidr", "debug", "docs", "encode", "error", "example", "examples",
        "expect",
        "expected", "fake", "filter", "fmt", "format", "group", "help", "invalid", "log", "logger", "mask", "match",
        "mcast", "mock", "mode", "multicast", "netmask", "network", "oid", "parse", "placeholder", "policy", "print",
        "printf", "private", "range", "reserved", "sample", "strcmp", "strncmp", "subnet", "test", "tests", "title",
        "usage",
        "valid", "validate", "ver", "version", "warn", "xff",
    ]

    /// Whether a literal is an argument of a call that connects to it.
    private static func reaches(_ index: Int, isURL: Bool, in source: TokenizedSource) -> Bool {
        let calls = source.enclosingCalls(of: index)
        let names = source.statement(around: index).compactMap { place in
            source.tokens[place].kind == .identifier ? source.text(source.tokens[place]) : nil
        }
        let isOther = (calls + names).contains { name in words(of: name).contains { otherWords.contains($0) } }
        guard !isOther, !isCompared(index, in: source), let call = calls.first else { return false }
        return connecting.contains(call) || isURL && fetching.contains(call)
    }

    /// `address == "10.1.2.3"`, a comparison and no connection.
    private static func isCompared(_ index: Int, in source: TokenizedSource) -> Bool {
        (source.isWord(index - 1, "=") && ["=", "!"].contains { source.isWord(index - 2, $0) })
            || (source.isWord(index + 1, "=") && source.isWord(index + 2, "="))
            || source.isWord(index - 1, "case")
    }

    /// Whether the function that begins here is a test by its name, in a file that is no test; `nil` if no function begins here.
    private static func beginsTest(_ index: Int, in source: TokenizedSource) -> Bool? {
        guard ["def", "func", "fun", "function"].contains(where: { source.isWord(index, $0) }),
            source.tokens.indices.contains(index + 1)
        else { return nil }
        return source.text(source.tokens[index + 1]).lowercased().hasPrefix("test")
    }
}
