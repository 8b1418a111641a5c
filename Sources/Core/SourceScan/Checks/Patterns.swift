// SPDX-License-Identifier: Apache-2.0
extension SourceScan {
    /// Patterns and formats that read four numbers with dots, in files that have none for IPv6.
    static func patterns(in source: TokenizedSource) -> [SourceFinding] {
        let candidates = source.tokens.indices.filter { index in
            let token = source.tokens[index]
            guard token.kind == .string || token.kind == .pattern, token.contents.count < 4096 else { return false }
            let text = source.octets[token.contents]
            return isDottedQuadPattern(text)
                || isFormat(text) && source.has(scanning, in: source.statement(around: index))
        }
        guard let first = candidates.first, !hasPatternForIPv6(source) else { return [] }
        // Only the first one: a file that reads addresses does so more than once. And most such files read IPv4 data: masks, versions,
        // files of the kernel.
        return [
            source.finding(
                .acceptsDottedQuadsOnly, .possible, at: source.tokens[first],
                "this pattern takes an address for four numbers with dots; let a function for addresses of both families read it"
            )
        ]
    }

    private static let scanning: Set<String> = ["sscanf", "scanf", "fscanf"]

    private static func isFormat(_ text: ArraySlice<UInt8>) -> Bool {
        text.contains(UInt8(ascii: "%"))
            && [
                "%d.%d.%d.%d", "%u.%u.%u.%u", "%i.%i.%i.%i", "%hhu.%hhu.%hhu.%hhu", "%3d.%3d.%3d.%3d",
                "%hu.%hu.%hu.%hu",
            ]
            .contains { text.hasPart($0) }
    }

    /// One to three digits and a dot, three times, or the pattern for 250 to 255.
    private static func isDottedQuadPattern(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.hasPart("25[0-5]") || text.hasPart("d{1,3}") || text.hasPart("[0-9]{1,3}") else { return false }
        let dots = text.indices.count { index in
            text[index] == .dot && index > text.startIndex
                && (text[index - 1] == .backslash || text[index - 1] == .openingBracket)
        }
        return dots >= 3 || dots >= 1 && text.hasPart("{3}")
    }

    private static func hasPatternForIPv6(_ source: TokenizedSource) -> Bool {
        source.knowsIPv6
            || source.tokens.contains { token in
                guard token.kind == .string || token.kind == .pattern else { return false }
                let text = source.octets[token.contents]
                return text.hasPart("[0-9a-fA-F") || text.hasPart("[a-fA-F0-9") || text.hasPart("[0-9a-f")
            }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasPart(_ part: String) -> Bool {
        let wanted = Array(part.utf8)
        guard count >= wanted.count else { return false }
        return (startIndex...(endIndex - wanted.count)).contains {
            self[$0] == wanted[0] && self[$0...].starts(with: wanted)
        }
    }
}
