// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// `0.0.0.0` in a listener: IPv6 clients do not reach it.
    static func listeners(in source: TokenizedSource) -> [SourceFinding] {
        switch source.language {
        case .yaml: listenersOfYAML(source)
        // On Linux their libraries make an IPv6 socket for both families of it.
        case .go, .java: []
        default: listenersOfCode(source)
        }
    }

    private static let binding: Set<String> = [
        "bind", "Bind", "listen", "Listen", "ListenAndServe", "ListenAndServeTLS", "ListenPacket", "ListenTCP",
        "ListenUDP",
        "run", "serve", "createServer", "create_server", "start_server", "HTTPServer", "TCPServer", "UDPServer",
        "ThreadingHTTPServer",
        "make_server", "runServer", "embeddedServer", "ServerSocket",
    ]

    private static func listenersOfCode(_ source: TokenizedSource) -> [SourceFinding] {
        source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            guard token.kind == .string, let quad = unspecified(source.octets[token.contents]),
                source.has(binding, in: source.statement(around: index))
            else { return nil }
            return listener(source, token, at: quad.range.lowerBound)
        }
    }

    /// `0.0.0.0` alone or followed by ports.
    private static func unspecified(_ text: ArraySlice<UInt8>) -> DottedQuad? {
        guard let quad = DottedQuad(text, at: text.startIndex), quad.isUnspecified,
            text[quad.range.upperBound...].allSatisfy({ $0.isDigit || $0 == .colon || $0 == UInt8(ascii: "-") })
        else { return nil }
        return quad
    }

    /// A scalar of a YAML file is a word between spaces, quotes and brackets, possibly followed by a port.
    private static func listenersOfYAML(_ source: TokenizedSource) -> [SourceFinding] {
        source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            let contents = source.octets[token.contents]
            if token.kind == .string {
                guard let quad = unspecified(contents),
                    quad.range.upperBound < contents.endIndex || isKeyed(index, in: source)
                else { return nil }
                return listener(source, token, at: quad.range.lowerBound)
            }
            guard token.kind == .number, contents.elementsEqual("0.0.0.0".utf8) else { return nil }
            if let before = token.range.lowerBound > 0 ? source.octets[token.range.lowerBound - 1] : nil,
                before != .space, before != UInt8(ascii: "="), before != .slash, before != UInt8(ascii: "[")
            {
                return nil
            }
            let after = token.range.upperBound < source.octets.count ? source.octets[token.range.upperBound] : .newline
            // A network (0.0.0.0/0) is no listener.
            guard after == .newline || after == .return || after == .space || after == .colon else { return nil }
            guard after == .colon || isKeyed(index, in: source) else { return nil }
            return listener(source, token, at: token.range.lowerBound)
        }
    }

    /// Whether the line of a YAML file is about a listener: the address alone may be a route or a list of sources.
    private static func isKeyed(_ index: Int, in source: TokenizedSource) -> Bool {
        source.statement(around: index).contains { place in
            guard source.tokens[place].kind == .identifier else { return false }
            return words(of: source.text(source.tokens[place])).contains { word in
                ["host", "listen", "bind", "addr", "address", "interface", "server", "ip"].contains(word)
            }
        }
    }

    private static func listener(_ source: TokenizedSource, _ token: Token, at place: Int) -> SourceFinding {
        source.finding(
            .listensOnIPv4Only, at: token, offset: place,
            "0.0.0.0 takes IPv4 connections only; listen on both families")
    }
}
