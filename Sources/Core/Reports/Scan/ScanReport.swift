// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import SourceScan
import Text

/// A finding in a file, for the reports.
package struct ReportedFinding: Sendable {
    package let path: String
    package let finding: SourceFinding
    /// Why it is accepted; `nil` if it is not accepted.
    package let reason: String?
    /// Whether a run met it; `nil` without a run's report.
    package let isMet: Bool?

    package init(path: String, finding: SourceFinding, reason: String? = nil, met: MetLocations? = nil) {
        self.path = path
        self.finding = finding
        self.reason = reason
        isMet = met?.contains(finding, in: path)
    }

    /// `path:line:column: notice: V6C-001 text`, as editors and readers of compiler output understand it.
    package var line: String {
        // A binary has no lines.
        let place = finding.line > 0 ? ":\(finding.line):\(finding.column)" : ""
        let text = "\(finding.rule.rawValue) \(printable(finding.text))\(isMet == true ? " (the run met it)" : "")"
        return "\(printable(path))\(place): notice: \(text)"
    }
}

/// The findings as JSON.
package struct ScanJSON: Encodable {
    private struct Entry: Encodable {
        let rule, path: String
        /// Absent for a binary.
        let line, column: Int?
        let text, page: String
        let accepted: String?
        let met: Bool?
    }

    private let format = "ipv6check-scan"
    private let version = 1
    private let files: Int
    private let findings: [Entry]
    private let notes: [String]

    package init(_ findings: [ReportedFinding], files: Int, notes: [String]) {
        self.files = files
        self.notes = notes
        self.findings = findings.map {
            Entry(
                rule: $0.finding.rule.rawValue, path: $0.path, line: $0.finding.line > 0 ? $0.finding.line : nil,
                column: $0.finding.line > 0 ? $0.finding.column : nil, text: $0.finding.text,
                page: page($0.finding.rule), accepted: $0.reason, met: $0.isMet)
        }
    }

    package func encoded() throws -> Data { try encodedForPeople(self) }
}

/// The findings as SARIF 2.1.0 (OASIS), which GitHub's code scanning reads.
package struct ScanSARIF: Encodable {
    private struct Message: Encodable { let text: String }

    private struct Rule: Encodable {
        let id: String
        let shortDescription: Message
        let helpUri: String?
        let help: Message
    }

    private struct Driver: Encodable {
        let name = "ipv6check"
        let version = ProgramVersion.current
        let rules: [Rule]
    }

    private struct Tool: Encodable { let driver: Driver }
    private struct Artifact: Encodable { let uri: String }

    private struct Region: Encodable {
        let startLine, startColumn: Int
    }

    private struct Physical: Encodable {
        let artifactLocation: Artifact
        /// Absent for a binary.
        let region: Region?
    }

    private struct Location: Encodable { let physicalLocation: Physical }

    private struct Suppression: Encodable {
        let kind = "inSource"
        let justification: String
    }

    private struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Message
        let locations: [Location]
        let suppressions: [Suppression]?
    }

    private struct Run: Encodable {
        let tool: Tool
        let columnKind = "unicodeCodePoints"
        let results: [Result]
    }

    private let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    private let version = "2.1.0"
    private let runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    /// - Parameter pages: URL of the published docs; without it findings have no link.
    package init(_ findings: [ReportedFinding], pages: String?) {
        let rules = SourceRule.allCases
        let base = pages.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        runs = [
            Run(
                tool: Tool(
                    driver: Driver(
                        rules: rules.map { rule in
                            Rule(
                                id: rule.rawValue, shortDescription: Message(text: "It \(rule.title)."),
                                helpUri: base.map { $0 + page(rule) },
                                help: Message(text: "See \(page(rule)), or 'ipv6check explain \(rule.rawValue)'."))
                        })),
                results: findings.map { item in
                    Result(
                        ruleId: item.finding.rule.rawValue, ruleIndex: rules.firstIndex(of: item.finding.rule) ?? 0,
                        level: item.isMet == true ? "warning" : "note", message: Message(text: item.finding.text),
                        locations: [
                            Location(
                                physicalLocation: Physical(
                                    artifactLocation: Artifact(uri: uriReference(item.path)),
                                    region: item.finding.line > 0
                                        ? Region(startLine: item.finding.line, startColumn: item.finding.column) : nil))
                        ], suppressions: item.reason.map { [Suppression(justification: $0)] })
                })
        ]
    }

    package func encoded() throws -> Data { try encodedForPeople(self) }
}

private func page(_ rule: SourceRule) -> String { "docs/rules/\(rule.rawValue).md" }
