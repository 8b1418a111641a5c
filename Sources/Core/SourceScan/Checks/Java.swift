// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// Casts to Inet4Address, and addresses of four octets, in Java and Kotlin.
    static func javaAddresses(in source: TokenizedSource) -> [SourceFinding] {
        guard source.language == .java || source.language == .kotlin else { return [] }
        return source.tokens.indices.compactMap { index in
            cast(at: index, in: source) ?? octets(at: index, in: source)
        }
    }

    /// `(Inet4Address) address` and `address as Inet4Address`: an IPv6 address throws ClassCastException there.
    private static func cast(at index: Int, in source: TokenizedSource) -> SourceFinding? {
        guard source.isWord(index, "Inet4Address"), !source.knowsIPv6 else { return nil }
        let isCast: Bool
        if source.language == .java {
            isCast =
                source.isWord(index - 1, "(") && source.isWord(index + 1, ")")
                && source.tokens.indices.contains(index + 2) && source.tokens[index + 2].kind == .identifier
        } else {
            isCast = source.isWord(index - 1, "as")
        }
        guard isCast else { return nil }
        return source.finding(
            .ignoresIPv6Answer, at: source.tokens[index],
            "an IPv6 address is no Inet4Address, and the cast throws; keep it as InetAddress")
    }

    /// `InetAddress.getByAddress(new byte[] {10, 1, 2, 3})`, also with `byteArrayOf(10, 1, 2, 3)` or `new byte[4]`.
    private static func octets(at index: Int, in source: TokenizedSource) -> SourceFinding? {
        guard source.isWord(index, "getByAddress"), source.isWord(index + 1, "(") else { return nil }
        var numbers: [String] = []
        var depth = 1
        for place in (index + 2)..<max(index + 2, min(index + 40, source.tokens.count)) {
            if source.isWord(place, "(") { depth += 1 }
            if source.isWord(place, ")") { depth -= 1 }
            if depth == 0 { break }
            if source.tokens[place].kind == .number { numbers.append(source.text(source.tokens[place])) }
        }
        if numbers == ["4"], source.isWord(index + 2, "new"), source.isWord(index + 3, "byte") {
            return source.finding(
                .knowsIPv4SocketsOnly, .unlessBesideIPv6, at: source.tokens[index],
                "four octets are an IPv4 address; take the octets as they come, four or sixteen")
        }
        let text = Array(numbers.joined(separator: ".").utf8)
        guard numbers.count == 4, let quad = DottedQuad(text[...], at: 0), quad.range.count == text.count, quad.isRemote
        else { return nil }
        return source.finding(
            .literalAddress, at: source.tokens[index],
            "\(numbers.joined(separator: ".")) is an IPv4 address, which an IPv6-only network has no route to; give a host name"
        )
    }

    /// `java.net.preferIPv4Stack=true`, in one string, in two arguments of a call, or in a YAML file.
    static func javaOptions(in source: TokenizedSource) -> [SourceFinding] {
        source.tokens.indices.compactMap { index in
            let token = source.tokens[index]
            switch token.kind {
            case .identifier:
                guard source.language == .yaml, source.isWord(index, "preferIPv4Stack"), source.isWord(index + 1, "="),
                    source.isWord(index + 2, "true")
                else { return nil }
            case .string where token.contents.count < 4096:
                let text = source.text(token)
                guard text.contains("preferIPv4Stack") else { return nil }
                guard text.contains("java.net.preferIPv4Stack=true") || isSet(text, at: index, in: source) else {
                    return nil
                }
            default: return nil
            }
            return source.finding(
                .knowsIPv4SocketsOnly, at: token,
                "with java.net.preferIPv4Stack=true Java makes no IPv6 socket; leave it out")
        }
    }

    /// `System.setProperty("java.net.preferIPv4Stack", "true")`
    private static func isSet(_ text: String, at index: Int, in source: TokenizedSource) -> Bool {
        guard text == "java.net.preferIPv4Stack", source.isWord(index + 1, ","),
            source.tokens.indices.contains(index + 2)
        else { return false }
        return source.text(source.tokens[index + 2]) == "true"
    }
}
