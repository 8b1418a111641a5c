// SPDX-License-Identifier: Apache-2.0
/// What can be seen in a source without running it.
package enum SourceScan {
    /// Findings of one file beyond these are not told; no file that people write has so many.
    package static let findingLimit = 1000

    /// The findings of a source, in the order of their places; what its own comments accept is marked so.
    /// - Parameter isLate: whether the time for it is over; asked now and then.
    /// - Returns: `nil` if it is.
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
    /// - Parameter offset: of the place within the token.
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
        // Octets within a code point of UTF-8 begin with the bits 10. In a line that no person wrote octets are counted, so that
        // many findings in it do not take the time of its length each.
        let isLong = place - lineStart > 4096
        let column = (isLong ? place - lineStart : octets[lineStart..<place].count { $0 & 0xc0 != 0x80 }) + 1
        return SourceFinding(rule: rule, certainty: certainty, line: line, column: column, text: text)
    }

    /// Whether one of these identifiers is anywhere in the file.
    func hasAny(_ words: Set<String>) -> Bool { has(words, in: tokens.indices) }
}
