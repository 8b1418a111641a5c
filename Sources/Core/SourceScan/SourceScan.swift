// SPDX-License-Identifier: Apache-2.0
/// The static analysis of sources.
package enum SourceScan {
    /// The maximum number of findings reported per file; no file written by hand has as many.
    package static let findingLimit = 1000

    /// The findings of a source, ordered by position; those that its own comments accept are marked.
    /// - Parameter isLate: whether the time limit has passed; called from time to time.
    /// - Returns: `nil` if the time limit has passed.
    package static func findings(
        in octets: [UInt8], _ language: SourceLanguage, isLate: () -> Bool = { false }
    ) -> ScannedSource? {
        guard let source = Tokenizer.tokenize(octets, language, isLate: isLate) else { return nil }
        var found: [SourceFinding] = []
        let checks = [literals, listeners, javaAddresses, javaOptions]
        let checksOfCode = [calls, networks, families, sockets, lengths, patterns, joinedPorts]
        for check in language == .yaml ? checks : checks + checksOfCode {
            if isLate() { return nil }
            found += check(source)
        }
        found.sort { ($0.line, $0.column, $0.rule.rawValue) < ($1.line, $1.column, $1.rule.rawValue) }
        return ScannedSource(
            found: Array(found.prefix(findingLimit)), omitted: max(0, found.count - findingLimit),
            knowsIPv6: source.knowsIPv6, suppressions: InlineSuppressions(source))
    }
}

extension TokenizedSource {
    /// - Parameter offset: the position within the token.
    func finding(
        _ rule: SourceRule, _ certainty: Certainty = .sure, at token: Token, offset: Int? = nil, _ text: String
    ) -> SourceFinding {
        var line = token.line
        var lineStart = token.lineStart
        let place = offset ?? token.range.lowerBound
        for index in token.range.lowerBound..<max(place, token.range.lowerBound) where octets[index] == .newline {
            line += 1
            lineStart = index + 1
        }
        // Octets within a code point of UTF-8 begin with the bits 10. In a very long, generated line octets are counted instead, so that
        // the time of many findings is not that of many times its length.
        let isLong = place - lineStart > 4096
        let column = (isLong ? place - lineStart : octets[lineStart..<place].count { $0 & 0xc0 != 0x80 }) + 1
        return SourceFinding(rule: rule, certainty: certainty, line: line, column: column, text: text)
    }

    /// Whether one of these identifiers is anywhere in the file.
    func hasAny(_ words: Set<String>) -> Bool { has(words, in: tokens.indices) }
}
