// SPDX-License-Identifier: Apache-2.0
/// The findings of a file, and the suppressions in its comments.
package struct ScannedSource: Sendable {
    let found: [SourceFinding]
    /// Findings beyond the limit.
    package let omitted: Int
    /// Whether it has any code for IPv6.
    package let knowsIPv6: Bool
    let suppressions: InlineSuppressions

    init(found: [SourceFinding], omitted: Int, knowsIPv6: Bool, suppressions: InlineSuppressions) {
        self.found = found
        self.omitted = omitted
        self.knowsIPv6 = knowsIPv6
        self.suppressions = suppressions
    }

    /// A binary, which has no comments, and does not count as a neighbour of sources.
    package init(ofBinary found: [SourceFinding]) {
        self.init(found: found, omitted: 0, knowsIPv6: false, suppressions: InlineSuppressions())
    }

    /// The findings that no comment accepts.
    package var findings: [SourceFinding] { found.filter { suppressions.reason(for: $0) == nil } }

    /// The accepted findings, each with the reason.
    package var accepted: [(finding: SourceFinding, reason: String)] {
        found.compactMap { finding in suppressions.reason(for: finding).map { (finding, $0) } }
    }

    /// Lines with a comment that accepts nothing because it gives no reason.
    package var linesWithoutReason: [Int] { suppressions.withoutReason }
}

/// `ipv6check:ignore V6C-001 -- the reason` in a comment: accepts findings on its own line and on the next.
struct InlineSuppressions: Sendable {
    private var accepted: [Int: [(rules: Set<SourceRule>, reason: String)]] = [:]
    private(set) var withoutReason: [Int] = []

    init() {}

    init(_ source: TokenizedSource) {
        for comment in source.comments {
            let text = source.text(comment)
            guard let mark = text.firstRange(of: "ipv6check:ignore") else { continue }
            let rest = text[mark.upperBound...].prefix { $0 != "\n" }
            guard let dashes = rest.firstRange(of: "--"),
                let reason = rest[dashes.upperBound...].trimmed.nonEmpty,
                case let rules = SourceRule.named(in: rest[..<dashes.lowerBound]), !rules.isEmpty
            else {
                withoutReason.append(comment.line)
                continue
            }
            if accepted[comment.line, default: []].count < 16 {
                accepted[comment.line, default: []].append((rules, reason))
            }
        }
    }

    func reason(for finding: SourceFinding) -> String? {
        for line in [finding.line, finding.line - 1] {
            for entry in accepted[line] ?? [] where entry.rules.contains(finding.rule) { return entry.reason }
        }
        return nil
    }
}

extension SourceRule {
    /// The rules in a list such as `V6C-001, V6C-002`; other words are ignored.
    fileprivate static func named(in list: some StringProtocol) -> Set<SourceRule> {
        Set(list.split { $0 == "," || $0 == " " }.lazy.compactMap { SourceRule(rawValue: $0.uppercased()) })
    }
}

/// The file `.ipv6check-ignore`: `glob rule -- reason` per line. In a glob `*` and `?` match within a folder, `**` across folders.
package struct SuppressionFile: Sendable {
    private var entries: [(glob: [UInt8], rules: Set<SourceRule>, reason: String)] = []

    /// The maximum number of lines, each of at most 4096 octets.
    private static let limit = 1000

    /// The error in a line, and its correction.
    package struct Mistake: Error, Hashable {
        package let line: Int
        package let text: String
    }

    package init(_ text: String) throws(Mistake) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.trimmed
            if words.isEmpty || words.hasPrefix("#") { continue }
            guard entries.count < Self.limit, words.utf8.count <= 4096 else {
                throw Mistake(line: index + 1, text: "more than \(Self.limit) lines, or one of more than 4096 octets")
            }
            guard let dashes = words.firstRange(of: " -- "), let reason = words[dashes.upperBound...].trimmed.nonEmpty,
                let space = words[..<dashes.lowerBound].firstIndex(of: " "),
                let rules = words[space..<dashes.lowerBound].trimmed.nonEmpty
            else {
                throw Mistake(
                    line: index + 1, text: "give a path, a rule and a reason: src/old/** V6C-001 -- the reason")
            }
            let known = SourceRule.allCases.map(\.rawValue)
            if let unknown = rules.split(whereSeparator: { $0 == "," || $0 == " " }).first(where: {
                !known.contains($0.uppercased())
            }) {
                throw Mistake(
                    line: index + 1, text: "\(unknown.prefix(20)) is none of \(known.joined(separator: ", "))")
            }
            entries.append((Array(words[..<space].utf8), SourceRule.named(in: rules), reason))
        }
    }

    /// Why a finding in the file at `path` is accepted; `nil` if it is not.
    package func reason(for rule: SourceRule, in path: String) -> String? {
        let path = Array(path.utf8)
        return entries.first { $0.rules.contains(rule) && matches($0.glob, path) }?.reason
    }
}

/// Whether a glob matches a path; takes the time of one table, at most the product of both lengths.
func matches(_ glob: [UInt8], _ path: [UInt8]) -> Bool {
    // row[i]: whether the glob so far matches the first i octets of the path.
    var row = [Bool](repeating: false, count: path.count + 1)
    row[0] = true
    var place = 0
    while place < glob.count {
        var next = [Bool](repeating: false, count: path.count + 1)
        let isStar = glob[place] == .star
        let isDeep = isStar && place + 1 < glob.count && glob[place + 1] == .star
        if isStar { next[0] = row[0] }
        for index in path.indices {
            let octet = path[index]
            if isStar {
                next[index + 1] = row[index + 1] || next[index] && (isDeep || octet != .slash)
            } else if glob[place] == UInt8(ascii: "?") {
                next[index + 1] = row[index] && octet != .slash
            } else {
                next[index + 1] = row[index] && octet == glob[place]
            }
        }
        row = next
        place += isDeep ? 2 : 1
    }
    return row[path.count]
}

extension Substring {
    fileprivate var nonEmpty: String? { isEmpty ? nil : String(self) }
}

extension StringProtocol {
    fileprivate var trimmed: Substring {
        var rest = Substring(self)
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest
    }
}
